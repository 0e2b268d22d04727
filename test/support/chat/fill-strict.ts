/** The object that an engine takes from a text by a schema whose fields must all be there. */
import type { Engine } from '../../../server/engine/engine.ts';
import { say } from '../../bench/chat-quality/asking.ts';

export async function fillStrict(
  engine: Engine<'chat'>,
  content: string,
  properties: object,
): Promise<Record<string, unknown>> {
  const schema = {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  const { text } = await say(engine, {
    messages: [
      { role: 'system', content: 'Extract the fields.' },
      { role: 'user', content },
    ],
    format: { type: 'json_schema', schema, strict: true },
  });
  return JSON.parse(text);
}
