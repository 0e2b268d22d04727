/** /v1/responses: OpenAI's Responses, answered by the chat service. */

import type {
  DeletedResponse,
  ResponseEvent,
  ResponseObject,
  ResponsesRequest,
} from '../../../api/protocols/responses.ts';
import type { AskedMessage } from '../../../api/services/chat.ts';
import type { Caller } from '../../caller.ts';
import { answerChat } from '../../chat/chat.ts';
import type { AnswerHead } from '../../chat/chat-answer.ts';
import type { InferenceDeps } from '../../model-call.ts';
import { callWithFieldNames, withFieldNames } from '../field-names.ts';
import type { KeptResponse, KeptResponses } from './kept-responses.ts';
import { ResponseWriter } from './response-writer.ts';
import { inputMessages, responsesToChat } from './to-chat.ts';

export type ResponsesAnswer = ResponseObject | { events: AsyncIterable<ResponseEvent> };

export interface ResponsesService {
  create(body: ResponsesRequest, caller: Caller): Promise<ResponsesAnswer>;
  /** @throws ApiError not_found */
  get(id: string, caller: Caller): ResponseObject;
  /** @throws ApiError not_found */
  remove(id: string, caller: Caller): DeletedResponse;
}

export interface ResponsesDeps extends InferenceDeps {
  kept: KeptResponses;
}

export function createResponses({ kept, ...deps }: ResponsesDeps): ResponsesService {
  return {
    async create(body, caller) {
      if (body.store === true) kept.check('store');
      const store = kept.isOn && body.store !== false;
      const previous = body.previous_response_id;
      const earlier =
        previous === undefined ? [] : kept.find(previous, caller, 'previous_response_id').messages;
      const { body: chat, names } = responsesToChat(body, earlier);
      const write = (head: AnswerHead) => new ResponseWriter({ ...emptyResponse(body, head), store });
      // Kept as the model has them: pictures in words.
      let asked: AskedMessage[] = [];
      const onMessages = (messages: AskedMessage[]) => {
        asked = messages.slice(body.instructions ? 1 : 0);
      };
      const parts = callWithFieldNames(names, () => answerChat(chat, { deps, caller, onMessages }, write));
      const answered = withFieldNames(names, parts);
      const events = store
        ? keeping(answered, (response) => kept.keep(toKept(response, asked), caller))
        : answered;
      if (body.stream === true) return { events };
      let response: ResponseObject | undefined;
      for await (const event of events) response = event.response ?? response;
      return response!;
    },

    get: (id, caller) => kept.find(id, caller).response,

    remove(id, caller) {
      kept.remove(id, caller);
      return { id, object: 'response', deleted: true };
    },
  };
}

/** Kept before its last event goes out: who has read it can go on with it. */
async function* keeping(
  events: AsyncIterable<ResponseEvent>,
  keep: (response: ResponseObject) => void,
): AsyncGenerator<ResponseEvent> {
  for await (const event of events) {
    if (event.response && event.response.status !== 'in_progress') keep(event.response);
    yield event;
  }
}

const toKept = (response: ResponseObject, asked: readonly AskedMessage[]): KeptResponse => ({
  response,
  messages: [...asked, ...inputMessages(response.output).messages],
});

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
    reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
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
