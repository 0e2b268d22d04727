/** POST /v1/tokenize. */
import type { TokenizeRequest, TokenizeResult } from '../api/services/tokenize.ts';
import { ApiError } from '../errors.ts';
import type { Caller } from './caller.ts';
import { tokenizeChat } from './chat/chat.ts';
import type { InferenceDeps } from './model-call.ts';

export type TokenizeService = (body: TokenizeRequest, caller: Caller) => Promise<TokenizeResult>;

export function createTokenize(deps: InferenceDeps): TokenizeService {
  return async ({ model, prompt, messages, tools, user, return_token_strs }, caller) => {
    if ((prompt === undefined) === (messages === undefined)) {
      throw new ApiError('missing_field', 'Send either prompt or messages.', { param: 'prompt' });
    }
    const chat = { model, user, messages: messages ?? [{ role: 'user' as const, content: prompt! }], tools };
    const raw = prompt === undefined ? {} : { raw: { text: prompt, suffix: null } };
    const { tokens, pieces, context } = await tokenizeChat(chat, { deps, caller, ...raw });
    return {
      count: tokens.length,
      max_model_len: context,
      tokens,
      token_strs: return_token_strs === true && prompt !== undefined ? pieces : null,
    };
  };
}
