/** A coding agent's conversation, and its requests in the form of each protocol. */

export interface ToolUse {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** One turn of the assistant, and what its tools gave back. */
export interface AgentTurn {
  text: string | null;
  calls: ToolUse[];
  results: string[];
}

export interface Transcript {
  system: string;
  user: string;
  turns: AgentTurn[];
}

const system = 'You repair programs. Look before you change something, and run the tests afterwards.';

/** Twenty turns, each reading, changing or running something; every fifth calls two tools at once. */
export const repairTranscript: Transcript = {
  system,
  user: 'The total of an empty basket is NaN. Find out why, and mend it.',
  turns: Array.from({ length: 20 }, (_, turn) => {
    const isParallel = turn % 5 === 4;
    const read = {
      id: `call_${turn}a`,
      name: 'read_file',
      input: { path: `src/basket-${turn}.ts`, lines: [1, 40] },
    };
    const run = {
      id: `call_${turn}b`,
      name: 'run',
      input: { command: `npm test -- basket-${turn} --reporter "dot"` },
    };
    return {
      text: turn % 3 === 0 ? `Step ${turn}: I look at “basket-${turn}”.\n` : null,
      calls: isParallel ? [read, run] : [turn % 2 === 0 ? read : run],
      results: isParallel
        ? [`export const total = ${turn};\n`, 'not ok 1 - total\n  expected: 0\n  actual: NaN']
        : [turn === 7 ? '' : `{"turn": ${turn}, "ok": ${turn > 10}}`],
    };
  }),
};

const parameters = {
  read_file: {
    type: 'object',
    properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
    required: ['path'],
  },
  run: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
};
const tools = Object.entries(parameters);
const shared = { model: 'svc-lingua-7b', temperature: 0.5, seed: 7 };

/** The request that follows the first `count` turns, as each protocol's agents send it. */
export const requestsAfter = ({ system, user, turns }: Transcript, count: number, maxTokens = 64) => ({
  '/v1/chat/completions': {
    ...shared,
    max_tokens: maxTokens,
    tools: tools.map(([name, schema]) => ({ type: 'function', function: { name, parameters: schema } })),
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
      ...turns.slice(0, count).flatMap(({ text, calls, results }) => [
        {
          role: 'assistant',
          content: text,
          tool_calls: calls.map(({ id, name, input }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
          })),
        },
        ...results.map((content, index) => ({ role: 'tool', tool_call_id: calls[index]!.id, content })),
      ]),
    ],
  },
  '/v1/responses': {
    ...shared,
    max_output_tokens: maxTokens,
    store: false,
    instructions: system,
    tools: tools.map(([name, schema]) => ({ type: 'function', name, parameters: schema })),
    input: [
      { role: 'user', content: [{ type: 'input_text', text: user }] },
      ...turns.slice(0, count).flatMap(({ text, calls, results }, turn) => [
        { type: 'reasoning', id: `rs_${turn}`, summary: [] },
        ...(text === null
          ? []
          : [
              {
                type: 'message',
                id: `msg_${turn}`,
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text, annotations: [] }],
              },
            ]),
        ...calls.map(({ id, name, input }) => ({
          type: 'function_call',
          id: `fc_${id}`,
          call_id: id,
          name,
          arguments: JSON.stringify(input),
        })),
        ...results.map((output, index) => ({
          type: 'function_call_output',
          call_id: calls[index]!.id,
          output,
        })),
      ]),
    ],
  },
  '/v1/messages': {
    ...shared,
    max_tokens: maxTokens,
    system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
    tools: tools.map(([name, schema]) => ({ name, input_schema: schema })),
    messages: [
      { role: 'user', content: user },
      ...turns.slice(0, count).flatMap(({ text, calls, results }) => [
        {
          role: 'assistant',
          content: [
            ...(text === null ? [] : [{ type: 'text', text }]),
            ...calls.map((call) => ({ type: 'tool_use', ...call })),
          ],
        },
        {
          role: 'user',
          content: results.map((content, index) => ({
            type: 'tool_result',
            tool_use_id: calls[index]!.id,
            content: [{ type: 'text', text: content }],
          })),
        },
      ]),
    ],
  },
});

export type ProtocolPath = keyof ReturnType<typeof requestsAfter>;
export const protocolPaths: ProtocolPath[] = ['/v1/chat/completions', '/v1/responses', '/v1/messages'];

/** An answer of any of the protocols. */
export type Json = ReturnType<typeof JSON.parse>;

export type Turn = Pick<AgentTurn, 'text' | 'calls'>;

const call = (id: string, name: string, text: string) => ({ id, name, input: JSON.parse(text) });

/** The assistant's turn in a whole answer. */
export const turnOf: Record<ProtocolPath, (answer: Json) => Turn> = {
  '/v1/chat/completions': ({ choices: [{ message }] }) => ({
    text: message.content,
    calls: (message.tool_calls ?? []).map((each: Json) =>
      call(each.id, each.function.name, each.function.arguments),
    ),
  }),
  '/v1/responses': ({ output }) => ({
    text: output.find((item: Json) => item.type === 'message')?.content[0].text ?? null,
    calls: output
      .filter((item: Json) => item.type === 'function_call')
      .map((item: Json) => call(item.call_id, item.name, item.arguments)),
  }),
  '/v1/messages': ({ content }) => ({
    text: content.find((block: Json) => block.type === 'text')?.text ?? null,
    calls: content
      .filter((block: Json) => block.type === 'tool_use')
      .map(({ id, name, input }: Json) => ({ id, name, input })),
  }),
};

/** Data of the events, `[DONE]` left out. */
export const eventDataOf = (text: string): Json[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!));

/** The turn that a stream's events build up. */
export const streamedTurnOf: Record<ProtocolPath, (events: Json[]) => Turn> = {
  '/v1/chat/completions'(events) {
    const deltas = events.map(({ choices }) => choices[0]?.delta ?? {});
    const text = deltas.map(({ content }) => content ?? '').join('');
    const calls: { id: string; name: string; text: string }[] = [];
    for (const each of deltas.flatMap(({ tool_calls }) => tool_calls ?? [])) {
      if (each.id) calls[each.index] = { id: each.id, name: each.function.name, text: '' };
      calls[each.index]!.text += each.function.arguments;
    }
    return { text: text || null, calls: calls.map(({ id, name, text }) => call(id, name, text)) };
  },
  '/v1/responses': (events) => turnOf['/v1/responses'](events.at(-1).response),
  '/v1/messages'(events) {
    const blocks: Json[] = [];
    for (const { type, index, content_block, delta } of events) {
      if (type === 'content_block_start') blocks[index] = { ...content_block, json: '' };
      if (delta?.type === 'text_delta') blocks[index].text += delta.text;
      if (delta?.type === 'input_json_delta') blocks[index].json += delta.partial_json;
    }
    const content = blocks.map(({ json, ...block }) =>
      json ? { ...block, input: JSON.parse(json) } : block,
    );
    return turnOf['/v1/messages']({ content });
  },
};
