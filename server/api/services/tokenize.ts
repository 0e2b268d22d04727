/** POST /v1/tokenize: texts and conversations as tokens, in the shape that vLLM answers. */
import { type Static, Type } from 'typebox';
import { Closed, Nullable } from '../common.ts';
import { ChatRequest } from './chat.ts';

/** Characters; tokenizing goes beside the generation of answers. */
const longestText = 65_536;

const { messages, tools } = ChatRequest.properties;

export const TokenizeRequest = Closed(
  {
    model: Type.String(),
    prompt: Type.Optional(
      Type.String({ maxLength: longestText, description: 'A text as it is; or messages.' }),
    ),
    messages: Type.Optional(messages),
    tools,
    return_token_strs: Type.Optional(Type.Boolean({ default: false, description: 'Of a prompt.' })),
    user: ChatRequest.properties.user,
  },
  { title: 'TokenizeRequest' },
);
export type TokenizeRequest = Static<typeof TokenizeRequest>;

export const TokenizeResult = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    max_model_len: Type.Integer({ minimum: 1, description: 'Tokens of prompt and answer together.' }),
    tokens: Type.Array(Type.Integer({ minimum: 0 })),
    token_strs: Nullable(Type.Array(Type.String())),
  },
  { title: 'TokenizeResult' },
);
export type TokenizeResult = Static<typeof TokenizeResult>;
