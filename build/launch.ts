/**
 * `npm start`: the interface built when stale, then the desktop window where one can be shown, else (one line says
 * why) the same server and interface for the browser. `--headless` never tries the window; other arguments go on to
 * `lokal serve`.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureNotices } from './licences/ensure-notices.ts';
import { exitCode } from './start/child.ts';
import { compileDesktop, couldNotStart, runDesktop } from './start/desktop.ts';
import { fetchElectron, findElectron, noWindowReason } from './start/electron-binary.ts';
import { whenNpmEnds } from './start/npm-parent.ts';
import { root } from './start/paths.ts';
import { ensureRenderer } from './start/renderer.ts';

const say = (line: string) => console.error(line);

async function launch(args: string[]): Promise<number> {
  const serveArgs = args.filter((arg) => arg !== '--headless');
  await ensureRenderer(say);
  ensureNotices();
  if (!args.includes('--headless')) {
    const ended = await tryDesktop(serveArgs);
    if (ended !== undefined) return ended;
  }
  return serveHere(serveArgs);
}

/** `lokal serve` in this very process, so that terminal and signals are its own. */
async function serveHere(args: string[]): Promise<number> {
  const cli = join(root, 'server', 'cli.ts');
  process.argv = [process.execPath, cli, 'serve', ...args];
  await import(pathToFileURL(cli).href);
  return Number(process.exitCode ?? 0);
}

/** The window's exit code, or undefined (with one line that says why) where there can be no window. */
async function tryDesktop(args: string[]): Promise<number | undefined> {
  const fallBack = (reason: string) => say(`No desktop window: ${reason}. Starting for the browser instead.`);
  const reason = noWindowReason({ platform: process.platform, env: process.env, userId: process.getuid?.() });
  if (reason) return void fallBack(reason);
  const electron = findElectron() ?? (await fetchWithNotice());
  if (!electron) return void fallBack('Electron could not be fetched (again later: npx install-electron)');
  await compileDesktop();
  const exit = await runDesktop(electron, args);
  if (couldNotStart(exit)) return void fallBack('Electron does not run on this system');
  return exitCode(exit);
}

function fetchWithNotice(): Promise<string | undefined> {
  say('Fetching Electron for the desktop window (about 110 MB, once; --headless does without) …');
  return fetchElectron();
}

whenNpmEnds(() => process.kill(process.pid, 'SIGTERM'));
try {
  process.exitCode = await launch(process.argv.slice(2));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
