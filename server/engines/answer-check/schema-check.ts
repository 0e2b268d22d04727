/** Answers of remote engines against the schemas they were asked for: a server may answer 200 and keep to none. */
import { SupervisedWorker } from '../../engine/supervised-worker.ts';
import { EngineFault } from '../fault.ts';

export interface SchemaCheck {
  schema: unknown;
  text: string;
}

export interface SchemaVerdict {
  matches: boolean;
}

const deadlineMs = 10_000;
const tooComplex = () =>
  new EngineFault('invalid', 'its answer could not be checked against the schema in time');

const thread = new SupervisedWorker(
  {
    entry: new URL(
      import.meta.url.endsWith('.js') ? './schema-check-worker.js' : './schema-check-worker.ts',
      import.meta.url,
    ),
    maxHeapMb: 256,
    // The process is the server's, whose memory says nothing of a schema.
    maxResidentBytes: Number.POSITIVE_INFINITY,
    idleMs: 30_000,
    tooSlow: tooComplex,
    tooLarge: tooComplex,
    broken: tooComplex,
  },
  { openMs: deadlineMs, stallMs: deadlineMs },
);

/** @throws EngineFault where it cannot be told in time */
export async function matchesSchema(check: SchemaCheck): Promise<boolean> {
  const verdicts = thread.exchange<SchemaCheck, SchemaVerdict, SchemaVerdict>(
    new AbortController().signal,
    async function* (talk) {
      talk.post(check);
      yield await talk.next();
    },
  );
  for await (const { matches } of verdicts) return matches;
  throw tooComplex();
}
