/** Texts and prompts as tokens, without an answer. */
import { fitPrompt } from './fit-prompt.ts';
import type { RequestParts } from './request.ts';
import type { TokenizedText, TokenizeParams } from './types.ts';

/** @throws EngineError context_length_exceeded, invalid_value, where a request would be refused */
export async function tokenizeRequest(
  parts: RequestParts,
  params: TokenizeParams,
  signal: AbortSignal,
): Promise<TokenizedText> {
  const { positions: context, tokenizer } = parts;
  if ('text' in params) {
    const tokens = tokenizer.encode(params.text);
    const pieces = tokens.map((id) => Buffer.from(tokenizer.vocabulary.bytesOf(id)).toString('utf8'));
    return { tokens, context, pieces };
  }
  const { request } = params;
  const compiled = parts.compileOutput(request, {
    vocabulary: tokenizer.vocabulary,
    template: parts.templateSource,
  });
  const { tokens } = await fitPrompt(parts, request, { compiled, signal });
  return { tokens, context, pieces: [] };
}
