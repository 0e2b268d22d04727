/**
 * Runs the compiled desktop app in plain Node, with the stand-in in Electron's place: prints what the window would show
 * and a console token as one line of JSON, quits on SIGTERM as Electron does, and ends with the app's exit code.
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../build/start/paths.ts';

const fake = new URL('./fake-electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: fake, shortCircuit: true } : next(specifier, context),
});

const { standIn } = await import('./fake-electron.ts');
standIn.app.on('exit', (code: number) => {
  for (const error of standIn.errors) console.error(error);
  process.exit(code);
});
standIn.app.on('load', (url: string) => {
  const token = standIn.handlers.get('console:token')?.({ senderFrame: { url, parent: null } });
  console.log(JSON.stringify({ url, token, userData: standIn.app.userData }));
});
process.on('SIGTERM', () => standIn.app.quit());
await import(pathToFileURL(join(root, 'dist', 'electron', 'main.js')).href);
