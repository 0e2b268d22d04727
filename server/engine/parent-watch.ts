/**
 * Ends a host whose server was killed, also while it is busy: a thread of its own looks for the parent every second. The
 * end of the message channel, which a host hears at once, is heard by an idle one only. Costs about 17 MB.
 */
import { Worker } from 'node:worker_threads';

/** It needs next to nothing. */
const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

/**
 * A text and no file: a module would wait for the busy thread it is to watch. An orphan has another parent on Unix;
 * Windows keeps the number of one that is gone.
 */
const watch = `
const { workerData: parent } = require('node:worker_threads');
const isAlive = () => {
  try {
    return process.kill(parent, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};
setInterval(() => {
  if (process.ppid !== parent || !isAlive()) process.kill(process.pid, 'SIGKILL');
}, 1000);`;

export function watchParent(): void {
  const thread = new Worker(watch, { eval: true, workerData: process.ppid, resourceLimits });
  // Without it the host still ends with its channel, once it is idle.
  thread.on('error', () => {});
  thread.unref();
}
