import type { CaptionLanguage } from '../types.ts';
import type { CaptionWords, WordsByLanguage } from './caption-words.ts';
import { chineseCaption } from './chinese.ts';
import { englishCaption } from './english.ts';
import type { CaptionFacts } from './facts.ts';
import { malayCaption } from './malay.ts';

const writers: Record<CaptionLanguage, (facts: CaptionFacts, words: CaptionWords) => string> = {
  en: englishCaption,
  ms: malayCaption,
  zh: chineseCaption,
};

/** One to three sentences that say what the facts says and nothing more. */
export const writeCaption = (
  facts: CaptionFacts,
  language: CaptionLanguage,
  words: WordsByLanguage,
): string => writers[language](facts, words[language]);
