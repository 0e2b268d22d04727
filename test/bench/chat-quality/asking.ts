/** Asks the engine as the chat service does, without sampling, and collects words and calls. */
import type { GenerateParams } from '../../../server/engine/chat/types.ts';
import type { Engine } from '../../../server/engine/engine.ts';
import { ask, paramsOf } from '../../support/chat/ask.ts';
import type { Said } from './scoring.ts';

export async function say(engine: Engine<'chat'>, overrides: Partial<GenerateParams>): Promise<Said> {
  const { choices, events } = await ask(engine, paramsOf('', { maxTokens: 256, ...overrides }));
  const calls: Said['calls'] = [];
  for (const event of events) {
    if (event.kind === 'tool') calls[event.call] = { name: event.name, arguments: '' };
    if (event.kind === 'arguments') calls[event.call]!.arguments += event.text;
  }
  return { text: choices[0]?.text ?? '', calls };
}
