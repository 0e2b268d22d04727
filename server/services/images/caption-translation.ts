/**
 * Captions of models that write English only, in the language that was asked for: one question to the chat pack for each
 * caption. Without a chat pack, or where it fails, the English caption stands and a warning says so.
 */
import type { AnalyzeResult, CaptionLanguage } from '../../engine/images/types.ts';
import type { Engines } from '../../hosts/engines.ts';
import type { Caller } from '../caller.ts';
import { askChat, chatRole } from '../chat/ask-chat.ts';

const names: Record<CaptionLanguage, string> = {
  en: 'English',
  ms: 'Malay (Bahasa Melayu)',
  zh: 'Simplified Chinese',
};

/** Captions in `language`, as far as that can be had; the same answer where all are in it already. */
export async function translateCaptions(
  answer: AnalyzeResult,
  language: CaptionLanguage,
  { engines, caller }: { engines: Engines; caller: Caller },
): Promise<AnalyzeResult> {
  const foreign = answer.results.some((result) => result.language !== language && result.caption !== '');
  if (!foreign) return answer;
  const warn = (text: string) => ({ ...answer, warnings: [...answer.warnings, text] });
  if (!engines.bound(chatRole)) {
    return warn('The caption model writes English only, and no chat pack is bound that could translate.');
  }
  try {
    const results = [];
    for (const result of answer.results) {
      const caption = await translate(result.caption, language, { engines, caller });
      results.push({ ...result, caption, language });
    }
    const said = 'The caption model writes English only; its captions were translated by the chat pack.';
    return { ...answer, results, warnings: [...answer.warnings, said] };
  } catch (error) {
    caller.signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    return warn('The caption model writes English only, and the chat pack could not translate.');
  }
}

async function translate(
  caption: string,
  language: CaptionLanguage,
  { engines, caller }: { engines: Engines; caller: Caller },
): Promise<string> {
  const system = `Translate the caption of a picture into ${names[language]}. Answer with the translation alone.`;
  return askChat({ system, user: caption, maxTokens: 400 }, { engines, caller });
}
