import type { Language } from '../types.ts';
import { chineseCaption } from './chinese.ts';
import { englishCaption } from './english.ts';
import type { Evidence } from './facts.ts';
import { malayCaption } from './malay.ts';

const writers: Record<Language, (evidence: Evidence) => string> = {
  en: englishCaption,
  ms: malayCaption,
  zh: chineseCaption,
};

/** One to three sentences that say what the evidence says and nothing more. */
export const writeCaption = (evidence: Evidence, language: Language): string => writers[language](evidence);
