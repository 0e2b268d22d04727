/** Server-sent events of a remote engine, within bounds: half a character, an endless line or a flood of events is a fault. */
import { EngineFault } from './fault.ts';

const longestLine = 4 * 1024 * 1024;
const mostEvents = 2_000_000;

/** The `data` of each event, in order. @throws EngineFault */
export async function* readEventStream(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let data: string[] = [];
  let events = 0;
  for await (const chunk of chunks) {
    rest += decode(decoder, chunk);
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    if (rest.length > longestLine) throw new EngineFault('invalid', 'a line of its answer does not end');
    for (const line of lines) {
      if (line !== '') {
        if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
        continue;
      }
      if (data.length === 0) continue;
      events += 1;
      if (events > mostEvents) throw new EngineFault('invalid', 'its answer does not end');
      yield data.join('\n');
      data = [];
    }
  }
  decode(decoder, undefined);
  if (rest.trim() !== '' || data.length > 0) throw new EngineFault('cut', 'its answer ends within an event');
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer | undefined): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new EngineFault(
      'invalid',
      chunk ? 'its answer is not UTF-8' : 'its answer ends within a character',
    );
  }
}
