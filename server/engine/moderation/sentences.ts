import type { TextWindow } from './classifiers/classifier.ts';

/** Sentences and lines of a text, trimmed, as offsets; a stop inside a word (`k.i.l.l`, `3.5`) ends none. At most 400 units long. */
export function splitSentences(text: string): TextWindow[] {
  const segments: TextWindow[] = [];
  for (const found of text.matchAll(/(?:[^.!?。！？；\n]|[.!?](?=[^\s.!?])){1,400}[.!?。！？；]{0,8}/g)) {
    const leading = found[0].length - found[0].trimStart().length;
    const start = found.index + leading;
    const end = start + found[0].trim().length;
    if (end > start) segments.push({ start, end });
  }
  return segments;
}
