/**
 * Takes away what onnxruntime's telemetry left on this machine before it was switched off (server/engine/onnx/library/library.ts):
 * its device id and its queue, which would be sent at the next network by whatever loads the library with telemetry on,
 * and its logs in the temporary folder.
 */
import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const queueFile = /^(deviceid|onnxruntime\.db(-\w+)?)$/;
const temporaryFile = /^(mat-debug-\d+\.log|\.ses)$/;

/** Never throws: what cannot be removed is another's or already gone. */
export function removeTelemetryFiles(folder: string, temporary: string = tmpdir()): void {
  removeOwn(folder, queueFile);
  removeOwn(temporary, temporaryFile);
  // Refused while anything else lies in it.
  attempt(() => rmdirSync(folder));
}

function removeOwn(folder: string, name: RegExp): void {
  attempt(() => {
    for (const file of readdirSync(folder)) {
      const path = join(folder, file);
      if (name.test(file)) attempt(() => isOwn(path) && rmSync(path));
    }
  });
}

/** A regular file of this user: in a shared temporary folder the name may be a trap. */
function isOwn(path: string): boolean {
  const stat = lstatSync(path);
  return stat.isFile() && (process.getuid === undefined || stat.uid === process.getuid());
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {}
}
