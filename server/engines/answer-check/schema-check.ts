/** Answers of remote engines against the schemas they were asked for: a server may answer 200 and keep to none. */
import { AskedThread } from '../../engine/asked-thread.ts';
import { EngineFault } from '../fault.ts';

export interface SchemaCheck {
  schema: unknown;
  text: string;
}

export interface SchemaVerdict {
  matches: boolean;
}

const tooComplex = () =>
  new EngineFault('invalid', 'its answer could not be checked against the schema in time');

const thread = new AskedThread<SchemaCheck, SchemaVerdict>({
  entry: new URL(
    import.meta.url.endsWith('.js') ? './schema-check-worker.js' : './schema-check-worker.ts',
    import.meta.url,
  ),
  deadlineMs: 10_000,
  tooComplex,
  broken: tooComplex,
});

/** @throws EngineFault where it cannot be told in time */
export async function matchesSchema(check: SchemaCheck): Promise<boolean> {
  return (await thread.ask(check)).matches;
}
