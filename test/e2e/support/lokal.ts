/** A really started server with a data folder of its own, for one spec file. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, BrowserContext } from '@playwright/test';

const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url));

/** For clicks and the like, so that a missing button fails by itself and not with the whole test. */
const actionTimeoutMs = 10_000;

/** For the first page of a server that has only just started. */
const startTimeoutMs = 60_000;

export interface Lokal {
  url: string;
  /** A fresh one-time address of the console. */
  consoleUrl(): Promise<string>;
  /** A browser context that has its console session already. */
  signIn(browser: Browser, options?: Parameters<Browser['newContext']>[0]): Promise<BrowserContext>;
  /** Ends it and starts it anew, with the same data at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startLokal(): Promise<Lokal> {
  const home = await mkdtemp(join(tmpdir(), 'lokal-e2e-'));
  const env = { ...process.env, LOKAL_HOME: home };
  let child: ChildProcess;
  // A spec that fails in its set-up never reaches stop().
  const killWithWorker = () => child.kill('SIGKILL');
  process.once('exit', killWithWorker);

  async function serve(port: string): Promise<string> {
    child = spawn(process.execPath, [cli, 'serve', '--port', port, '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return (JSON.parse(await firstLine(child)) as { url: string }).url;
  }

  async function end(): Promise<void> {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
  const url = await serve('0');

  async function consoleUrl(): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'console-url'], { env });
    const [address] = /https?:\/\/\S+/.exec(stdout) ?? [];
    if (!address) throw new Error(`No address in: ${stdout}`);
    return address;
  }

  return {
    url,
    consoleUrl,
    async signIn(browser, options) {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(actionTimeoutMs);
      const page = await context.newPage();
      await page.goto(await consoleUrl(), { timeout: startTimeoutMs });
      await page.getByRole('navigation').waitFor({ timeout: startTimeoutMs });
      await page.close();
      return context;
    },
    async restart() {
      await end();
      await serve(new URL(url).port);
    },
    async stop() {
      await end();
      process.off('exit', killWithWorker);
      await rm(home, { recursive: true, force: true });
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end));
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it listened.`)));
  });
}
