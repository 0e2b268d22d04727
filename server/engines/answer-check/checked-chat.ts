/**
 * A remote chat answer, held to what was asked for: tools that exist, arguments and JSON that match their schemas, a call where
 * one was required. What is wrong is found before it is passed on as whole: an answer that ends with `length` is not judged.
 */
import type { GenerateEvent, GenerateParams } from '../../engine/chat/types.ts';
import { EngineFault } from '../fault.ts';
import { matchesSchema } from './schema-check.ts';

interface Heard {
  text: string;
  calls: { name: string; text: string }[];
}

const mostText = 16 * 1024 * 1024;

const breach = (why: string) => new EngineFault('invalid', why);

/** @throws EngineFault */
export async function* checkedChat(
  events: AsyncIterable<GenerateEvent>,
  params: GenerateParams,
): AsyncGenerator<GenerateEvent> {
  const choices: Heard[] = [];
  for await (const event of events) {
    if (event.kind !== 'prompt' && event.kind !== 'usage') {
      choices[event.choice] ??= { text: '', calls: [] };
      hear(event, choices[event.choice]!, params);
      if (event.kind === 'finish' && event.reason !== 'length') await judge(choices[event.choice]!, params);
    }
    yield event;
  }
}

function hear(
  event: Exclude<GenerateEvent, { kind: 'prompt' | 'usage' }>,
  heard: Heard,
  { tools, toolChoice }: GenerateParams,
): void {
  if (event.kind === 'text') heard.text += event.text;
  else if (event.kind === 'tool') {
    const { name } = event;
    const isOffered = tools.some((tool) => tool.function.name === name);
    if (!isOffered || toolChoice.mode === 'none') throw breach('it calls a tool that it was not given');
    if (toolChoice.mode === 'function' && toolChoice.name !== name)
      throw breach('it calls another tool than was asked for');
    heard.calls[event.call] = { name, text: '' };
  } else if (event.kind === 'arguments') heard.calls[event.call]!.text += event.text;
  if (heard.text.length > mostText) throw breach('its answer is too long');
}

async function judge(
  { text, calls }: Heard,
  { tools, toolChoice, format, parallelToolCalls }: GenerateParams,
) {
  if (calls.length === 0 && (toolChoice.mode === 'required' || toolChoice.mode === 'function'))
    throw breach('it calls no tool where one was required');
  if (calls.length > 1 && !parallelToolCalls) throw breach('it calls several tools where one was allowed');
  for (const call of calls) {
    const schema = tools.find((tool) => tool.function.name === call.name)?.function.parameters ?? {};
    // An empty text is what several servers send for a tool without parameters.
    if (!(await matchesSchema({ schema, text: call.text === '' ? '{}' : call.text })))
      throw breach('the arguments of its tool call do not match the tool’s schema');
  }
  if (calls.length > 0 || format.type === 'text') return;
  const schema = format.type === 'json_object' ? { type: 'object' } : format.schema;
  if (!(await matchesSchema({ schema, text }))) throw breach('its answer does not match the schema');
}
