#!/usr/bin/env node
/**
 * The command `lokal`. The sources are TypeScript that Node 24 runs as they are; under an older Node the same command
 * line goes to the Node 24 that came with the dependencies. Plain JavaScript, because an older Node must read it.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../server/cli.ts', import.meta.url));
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function bundledNode() {
  const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
  return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

const current = Number.parseInt(process.versions.node, 10) >= 24;
const child = spawn(current ? process.execPath : bundledNode(), [cli, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// A terminal sends Ctrl+C to the whole group; forwarding it as well would make it two.
for (const signal of signals) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.once('error', (error) => {
  console.error(`lokal: ${error.message}; run: npm ci`);
  process.exitCode = 1;
});
child.once('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1);
});
