/** POST /v1/messages and /v1/messages/count_tokens: Anthropic's Messages, answered by the chat service. */
import type {
  CountTokensRequest,
  CountTokensResult,
  Message,
  MessageEvent,
  MessagesRequest,
} from '../../../api/protocols/messages.ts';
import type { Caller } from '../../caller.ts';
import { answerChat, tokenizeChat } from '../../chat/chat.ts';
import type { InferenceDeps } from '../../model-call.ts';
import { callWithFieldNames, inFieldNames, withFieldNames } from '../field-names.ts';
import { MessageWriter } from './message-writer.ts';
import { messagesToChat } from './to-chat.ts';

export interface MessagesService {
  create(body: MessagesRequest, caller: Caller): Promise<Message | { events: AsyncIterable<MessageEvent> }>;
  countTokens(body: CountTokensRequest, caller: Caller): Promise<CountTokensResult>;
}

const showsThinking = ({ thinking }: MessagesRequest): boolean =>
  thinking !== undefined && thinking.type !== 'disabled' && thinking.display !== 'omitted';

export function createMessages(deps: InferenceDeps): MessagesService {
  return {
    async create(body, caller) {
      const { body: chat, names } = messagesToChat(body);
      let message: Message | undefined;
      const parts = callWithFieldNames(names, () =>
        answerChat(chat, { deps, caller }, (head) => {
          const writer = new MessageWriter(head, {
            maxTokens: body.max_tokens,
            stopSequences: body.stop_sequences ?? [],
            showsThinking: showsThinking(body),
          });
          message = writer.message;
          return writer;
        }),
      );
      const events = withFieldNames(names, parts);
      if (body.stream === true) return { events };
      for await (const _ of events);
      return message!;
    },

    async countTokens(body, caller) {
      const { body: chat, names } = messagesToChat(body);
      const { tokens } = await inFieldNames(names, tokenizeChat(chat, { deps, caller }));
      return { input_tokens: tokens.length };
    },
  };
}
