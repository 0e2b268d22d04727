import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const library = pathToFileURL(
  join(import.meta.dirname, '../../../../server/engine/onnx/library/library.ts'),
).href;

// koffi's stacks are fixed by a process's first library, so each case is a process of its own.
it.each([
  ['advice to the system', `nativeFunction('getpid', 'int', [])()`],
  ['memory of a kernel', `yieldAddress()`],
])('opens the runtime after %s', async (_what, first) => {
  if (process.platform === 'win32' && first.startsWith('native')) return;
  const work = `const { nativeFunction, ort, yieldAddress } = await import('${library}'); ${first}; ort(); console.log('open')`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', work]);
  expect(stdout).toBe('open\n');
});
