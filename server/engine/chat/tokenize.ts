/** Texts and prompts as tokens, without an answer. */
import { fitPrompt } from './fit-prompt.ts';
import { prepareOutput, type RequestParts } from './request.ts';
import type { TokenizedText, TokenizeParams } from './types.ts';

/** @throws EngineError context_length_exceeded, invalid_value, where a request would be refused */
export async function tokenizeRequest(
  parts: RequestParts,
  params: TokenizeParams,
  signal: AbortSignal,
): Promise<TokenizedText> {
  const { context, tokenizer } = parts;
  if ('text' in params) {
    const tokens = tokenizer.encode(params.text);
    const pieces = tokens.map((id) => Buffer.from(tokenizer.vocabulary.bytesOf(id)).toString('utf8'));
    return { tokens, context, pieces };
  }
  const { request } = params;
  const { masks, output } = await prepareOutput(parts, request, signal);
  try {
    const { tokens } = await fitPrompt({ ...parts, positions: context }, request, { output, signal });
    return { tokens, context, pieces: [] };
  } finally {
    masks?.close();
  }
}
