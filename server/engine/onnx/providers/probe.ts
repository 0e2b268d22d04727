/**
 * Entry of a throw-away process that prints one line of JSON: `node probe.ts` the providers to try here, best first; `node
 * probe.ts PROVIDER` a ProviderReport of one; `node probe.ts kernels`, or `kernels:FAMILY`, a KernelVerdict; `node probe.ts bandwidth` the bytes a second that its memory is read at. A process that
 * ends without that line crashed: what it tried is not to be trusted. One process each, since a crash ends all that share it.
 */
import { availableParallelism } from 'node:os';
import { kernelFamilies } from '../../engine.ts';
import { attentionRefusal } from '../kernels/attention-support.ts';
import { chainRefusal } from '../kernels/chain-support.ts';
import { rowRefusal } from '../kernels/row-support.ts';
import { kernelVerdict } from '../kernels/support.ts';
import { builtProviders, probeProvider } from './providers.ts';
import { measureReadBandwidth } from './read-bandwidth.ts';

async function answer(asked: string | undefined): Promise<object> {
  if (asked === undefined) return { order: builtProviders() };
  if (asked === 'bandwidth') return { bytesPerSecond: await measureReadBandwidth(availableParallelism()) };
  const [what, family] = asked.split(':');
  if (what !== 'kernels') return probeProvider(asked);
  const verdict = await kernelVerdict(kernelFamilies.find((each) => each === family) ?? true);
  // A crash of the family's other operators must come out here too; those that are refused are left to the runtime.
  if (verdict.family)
    for (const refusal of [attentionRefusal, rowRefusal, chainRefusal]) await refusal(verdict.family);
  return verdict;
}

const result = await answer(process.argv[2]);
// Written whole before the end; drivers have been seen to crash while their libraries unload, so none gets the chance.
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
