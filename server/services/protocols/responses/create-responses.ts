/** POST /v1/responses: OpenAI's Responses, answered by the chat service. */
import type { ResponseEvent, ResponseObject, ResponsesRequest } from '../../../api/responses.ts';
import { ApiError } from '../../../errors.ts';
import type { Caller } from '../../caller.ts';
import { answerChat } from '../../chat/chat.ts';
import type { AnswerHead } from '../../chat/chat-answer.ts';
import type { InferenceDeps } from '../../model-call.ts';
import { callWithFieldNames, withFieldNames } from '../field-names.ts';
import { ResponseWriter } from './response-writer.ts';
import { responsesToChat } from './to-chat.ts';

export type ResponsesAnswer = ResponseObject | { events: AsyncIterable<ResponseEvent> };
export type ResponsesService = (body: ResponsesRequest, caller: Caller) => Promise<ResponsesAnswer>;

export function createResponses(deps: InferenceDeps): ResponsesService {
  return async (body, caller) => {
    checkStoring(body);
    const { body: chat, names } = responsesToChat(body, []);
    const write = (head: AnswerHead) => new ResponseWriter(emptyResponse(body, head));
    const parts = callWithFieldNames(names, () => answerChat(chat, { deps, caller }, write));
    const events = withFieldNames(names, parts);
    if (body.stream === true) return { events };
    let response: ResponseObject | undefined;
    for await (const event of events) response = event.response ?? response;
    return response!;
  };
}

/** @throws ApiError invalid_value for what only kept answers can do */
function checkStoring({ store, previous_response_id: previous }: ResponsesRequest): void {
  const param = store === true ? 'store' : previous === undefined ? null : 'previous_response_id';
  if (param === null) return;
  const message = `${param}: answers are not kept here. Send the whole conversation as input, with store false.`;
  throw new ApiError('invalid_value', message, { param });
}

function emptyResponse(body: ResponsesRequest, { id, created, model }: AnswerHead): ResponseObject {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: created,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    model,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: false,
    temperature: body.temperature ?? 0.7,
    text: { format: body.text?.format ?? { type: 'text' }, verbosity: 'medium' },
    tool_choice: body.tool_choice ?? 'auto',
    tools: (body.tools ?? []).map((tool) => ({
      type: 'function',
      name: tool.name,
      description: tool.description ?? null,
      parameters: tool.parameters ?? null,
      strict: tool.strict ?? false,
    })),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: 'disabled',
    usage: null,
    user: body.user ?? null,
  };
}
