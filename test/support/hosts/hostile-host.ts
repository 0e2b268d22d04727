/** A host that was taken over: attacks from its first thread and from a worker, and does its work. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { finishConfinement } from '../../../server/engine/confinement/confinement.ts';
import { attackAll, type Targets } from './attacks.ts';

const confinement = finishConfinement(process.argv[2]);
let pack = '';

const onWorker = (params: Targets) =>
  new Promise<unknown>((resolve, reject) => {
    const worker = new Worker(new URL('./hostile-worker.ts', import.meta.url), { workerData: params });
    worker.once('message', resolve).once('error', reject);
  });

function work(): unknown {
  const hash = createHash('sha256');
  for (const name of readdirSync(pack).sort()) hash.update(readFileSync(join(pack, name)));
  return { hash: hash.digest('hex'), residentMb: process.memoryUsage.rss() / 2 ** 20 };
}

const methods: Record<string, (params: Targets) => unknown> = {
  attack: attackAll,
  attackOnWorker: onWorker,
  work,
};

process.on('disconnect', () => process.exit(0));
process.on('message', async (message: { pack: string } | { method: string; params: Targets }) => {
  if ('pack' in message) {
    pack = message.pack;
    return void process.send?.({ confinement });
  }
  process.send?.(await methods[message.method]?.(message.params));
});
