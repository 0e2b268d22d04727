import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../server/config.ts';
import { removeTelemetryFiles } from '../server/telemetry-files.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lokal-telemetry-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function write(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  return path;
}

it.skipIf(process.platform !== 'linux')(
  'removes the queue, the device id and the logs, and nothing else',
  () => {
    const { telemetryFolder } = readConfig({}, { HOME: home });
    const gone = ['deviceid', 'onnxruntime.db', 'onnxruntime.db-wal'].map((name) =>
      write(join(telemetryFolder, name)),
    );
    const temporary = join(home, 'tmp');
    gone.push(write(join(temporary, 'mat-debug-12.log')), write(join(temporary, '.ses')));
    const kept = [write(join(temporary, 'mat-debug-12.txt')), write(join(home, '.cache', 'other'))];
    symlinkSync(kept[1]!, join(temporary, 'mat-debug-13.log'));
    removeTelemetryFiles(telemetryFolder, temporary);
    expect(gone.filter(existsSync)).toEqual([]);
    expect(kept.filter(existsSync)).toEqual(kept);
    expect(existsSync(telemetryFolder)).toBe(false);
  },
);

it('has nothing to do where nothing was left', () => {
  removeTelemetryFiles(join(home, 'none'), join(home, 'none'));
});
