import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readConfig } from '../../../server/config.ts';

const run = promisify(execFile);
const library = pathToFileURL(
  join(import.meta.dirname, '../../../server/engine/onnx/library/library.ts'),
).href;

/** The files that a process which loads the library leaves in its home and temporary folders. */
async function filesAfterLoad(work: string): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), 'lokal-telemetry-'));
  try {
    // Nothing of this suite's own environment, which switches telemetry off too.
    const env = { HOME: home, TMPDIR: home, PATH: process.env.PATH };
    await run(process.execPath, ['--input-type=module', '-e', work], { env });
    return readdirSync(home, { recursive: true }) as string[];
  } finally {
    rmSync(home, { recursive: true });
  }
}

it('loads onnxruntime without its telemetry: no device id, no queue, no log', async () => {
  expect(await filesAfterLoad(`(await import('${library}')).ort()`)).toEqual([]);
});

it('does so on worker threads, whose environment is a copy', async () => {
  const work = `import { Worker } from 'node:worker_threads';
    new Worker("import('${library}').then(({ ort }) => ort())", { eval: true })`;
  expect(await filesAfterLoad(work)).toEqual([]);
});

it('tells every host before it starts', () => {
  expect(readConfig({}, {}).hostEnv).toMatchObject({ ORT_DISABLE_TELEMETRY: '1' });
  expect(readConfig({}, { ORT_DISABLE_TELEMETRY: '0' }).hostEnv).toMatchObject({
    ORT_DISABLE_TELEMETRY: '1',
  });
});
