#!/usr/bin/env node
/**
 * The command `lokal`. The sources are TypeScript that Node 24 runs as they are; under an older Node the same command
 * line goes to the Node 24 that came with the dependencies. Plain JavaScript, because an older Node must read it.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = new URL('../server/cli.ts', import.meta.url);

if (Number.parseInt(process.versions.node, 10) >= 24) await import(cli.href);
else runUnderNode24([fileURLToPath(cli), ...process.argv.slice(2)]);

function runUnderNode24(args) {
  const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
  const node = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  // The channel tells the child when this process is gone.
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // A terminal sends Ctrl+C to the whole group; forwarding it as well would make it two.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1);
  });
}
