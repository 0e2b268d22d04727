import { parentPort, workerData } from 'node:worker_threads';
import { attackAll, type Targets } from './attacks.ts';

parentPort?.postMessage(await attackAll(workerData as Targets));
