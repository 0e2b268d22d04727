/** Parameters and a conversation as the request that is sent. Only what differs from the API's defaults is named. */
import type { ChatMessage, ChatRequest, Tool } from '../../../../../server/api/services/chat.ts';
import { type JsonDocument, readJsonText, type TextProblem, toPointer } from './json-text.ts';
import type { Parameters } from './parameters.ts';
import { checkSchema } from './schema-check.ts';

export type RequestDraft<T> = { value: T } | { problem: TextProblem };

/** The API's own defaults, which need not be sent. */
const apiDefaults: Partial<ChatRequest> = {
  temperature: 0.7,
  top_p: 1,
  top_k: 0,
  min_p: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  n: 1,
  max_tokens: 256,
  parallel_tool_calls: true,
};

export function readSchema(text: string): RequestDraft<Record<string, unknown>> {
  const reading = readJsonText(text);
  if ('problem' in reading) return reading;
  const { document } = reading;
  const problem = checkSchema(document.value);
  if (problem) return at(document, problem.path, problem.message);
  if (typeof document.value !== 'object') return at(document, [], 'A schema here is an object');
  return { value: document.value as Record<string, unknown> };
}

export function readTools(text: string): RequestDraft<Tool[]> {
  if (!text.trim()) return { value: [] };
  const reading = readJsonText(text);
  if ('problem' in reading) return reading;
  const { document } = reading;
  if (!Array.isArray(document.value)) return at(document, [], 'Tools are a list: [ … ]');
  const names = new Set<string>();
  for (const [index, tool] of document.value.entries()) {
    const { name, parameters } = (tool as Partial<Tool> | null)?.function ?? {};
    if ((tool as Partial<Tool> | null)?.type !== 'function' || typeof name !== 'string')
      return at(document, [index], 'A tool is {"type": "function", "function": {"name": …}}');
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name) || names.has(name))
      return at(
        document,
        [index, 'function', 'name'],
        'A name is 1 to 64 of A–Z a–z 0–9 _ . - and unlike the others',
      );
    names.add(name);
    const problem = parameters === undefined ? null : checkSchema(parameters);
    if (problem) return at(document, [index, 'function', 'parameters', ...problem.path], problem.message);
  }
  return { value: document.value as Tool[] };
}

const at = ({ places }: JsonDocument, path: (string | number)[], message: string) => ({
  problem: { ...(places.get(toPointer(path)) ?? { line: 1, column: 1 }), message },
});

/** `50256: -100`, one a line or separated by commas. */
export function readLogitBias(text: string): RequestDraft<Record<string, number>> {
  const bias: Record<string, number> = {};
  for (const [index, line] of text.split('\n').entries()) {
    for (const pair of line.split(',').filter((each) => each.trim())) {
      const [, token, value] = /^\s*"?(\d+)"?\s*:\s*(-?\d+(?:\.\d+)?)\s*$/.exec(pair) ?? [];
      if (token === undefined || Math.abs(Number(value)) > 100) {
        const message = 'A line is “token id: bias”, with a bias from -100 to 100';
        return { problem: { line: index + 1, column: 1, message } };
      }
      bias[token] = Number(value);
    }
  }
  return { value: bias };
}

export interface ParameterProblems {
  schema?: TextProblem;
  tools?: TextProblem;
  logitBias?: TextProblem;
}

/** Problems that keep the parameters from being sent; empty when none do. */
export function findProblems(parameters: Parameters): ParameterProblems {
  const { format, schema, tools, logitBias } = parameters;
  const entries = Object.entries({
    ...(format === 'json_schema' ? { schema: readSchema(schema) } : {}),
    tools: readTools(tools),
    logitBias: readLogitBias(logitBias),
  });
  return Object.fromEntries(
    entries.flatMap(([name, draft]) => ('problem' in draft ? [[name, draft.problem]] : [])),
  );
}

/** Names of the tools that were typed; none where the text has a mistake. */
export const typedToolNames = ({ tools }: Parameters): string[] =>
  (readable(readTools(tools)) ?? []).map((tool) => tool.function.name);

/**
 * The body without `stream`; texts with problems are left out.
 * @param offered tools of running servers, beside those that were typed
 */
export function toChatRequest(
  parameters: Parameters,
  conversation: ChatMessage[],
  offered: readonly Tool[] = [],
): ChatRequest {
  const { system, seed, stop, logprobs, topLogprobs } = parameters;
  const logitBias = readable(readLogitBias(parameters.logitBias)) ?? {};
  const sampling = {
    temperature: parameters.temperature,
    top_p: parameters.topP,
    top_k: parameters.topK,
    min_p: parameters.minP,
    presence_penalty: parameters.presencePenalty,
    frequency_penalty: parameters.frequencyPenalty,
    max_tokens: parameters.maxTokens,
    n: parameters.choices,
  };
  const named = Object.entries(sampling).filter(
    ([name, value]) => apiDefaults[name as keyof ChatRequest] !== value,
  );
  return {
    model: 'svc-lingua-7b',
    messages: [
      ...(system.trim() ? [{ role: 'system' as const, content: system.trim() }] : []),
      ...conversation,
    ],
    ...Object.fromEntries(named),
    ...(seed === null ? {} : { seed }),
    ...(stop.length > 0 ? { stop } : {}),
    ...(Object.keys(logitBias).length > 0 ? { logit_bias: logitBias } : {}),
    ...(logprobs ? { logprobs: true, top_logprobs: topLogprobs } : {}),
    ...toFormat(parameters),
    ...toToolFields(parameters, offered),
  };
}

const readable = <T>(draft: RequestDraft<T>): T | undefined => ('value' in draft ? draft.value : undefined);

function toFormat({ format, schema, strict }: Parameters): Pick<ChatRequest, 'response_format'> {
  if (format === 'text') return {};
  if (format === 'json_object') return { response_format: { type: 'json_object' } };
  const value = readable(readSchema(schema));
  if (!value) return {};
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: value, strict } } };
}

function toToolFields(parameters: Parameters, offered: readonly Tool[]): Partial<ChatRequest> {
  const tools = [...(readable(readTools(parameters.tools)) ?? []), ...offered];
  if (tools.length === 0) return {};
  return {
    tools,
    ...toToolChoice(parameters, tools),
    ...(parameters.parallelToolCalls ? {} : { parallel_tool_calls: false }),
  };
}

function toToolChoice({ toolChoice }: Parameters, tools: Tool[]): Pick<ChatRequest, 'tool_choice'> {
  if (toolChoice === 'none' || toolChoice === 'required') return { tool_choice: toolChoice };
  const named = tools.some((tool) => tool.function.name === toolChoice);
  return named ? { tool_choice: { type: 'function', function: { name: toolChoice } } } : {};
}
