/** One question to the bound chat pack, for services that let it word what they found. */

import type { GenerateParams, OutputFormat } from '../../engine/chat/types.ts';
import type { Engines } from '../../hosts/engines.ts';
import { greedyParams } from '../../hosts/greedy-params.ts';
import type { Caller } from '../caller.ts';
import { callOf } from '../model-call.ts';

export const chatRole = 'svc-lingua-7b';

export interface Question {
  system: string;
  user: string;
  maxTokens: number;
  /** Plain text where absent. */
  format?: OutputFormat;
}

/** The answer, greedy and trimmed. @throws Error when it is empty, and what the engine throws */
export async function askChat(
  { system, user, maxTokens, format = { type: 'text' } }: Question,
  { engines, caller }: { engines: Engines; caller: Caller },
): Promise<string> {
  const params: GenerateParams = {
    ...greedyParams,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    format,
    maxTokens,
    seed: 1,
    owner: caller.principal.keyId,
  };
  let text = '';
  for await (const event of engines.stream(chatRole, 'generate', params, callOf(caller)))
    if (event.kind === 'text') text += event.text;
  if (text.trim() === '') throw new Error('the chat pack answered nothing');
  return text.trim();
}
