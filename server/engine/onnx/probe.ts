/**
 * Entry of a throw-away process: `node probe.ts [PROVIDER]` tries one provider and prints a ProviderReport as one line of
 * JSON, without an argument the providers to try here, best first. A process that ends without that line crashed: the
 * provider is not to be trusted. One process a provider, since a crash ends all that share it.
 */
import { builtProviders, probeProvider } from './providers.ts';

const provider = process.argv[2];
const result = provider ? await probeProvider(provider) : { order: builtProviders() };
// Written whole before the end; drivers have been seen to crash while their libraries unload, so none gets the chance.
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
