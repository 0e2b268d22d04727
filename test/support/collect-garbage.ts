import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects garbage, and gives finalizers their turn. */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise(setImmediate);
  }
}
