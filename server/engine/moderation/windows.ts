import type { TextWindow } from './classifiers/classifier.ts';
import { splitSentences } from './sentences.ts';

/** Whole sentences, as many as `room` tokens hold; the last one of a window opens the next. A longer sentence is halved. */
export function sentenceWindows(text: string, room: number, count: (part: string) => number): TextWindow[] {
  const windows: TextWindow[] = [];
  let held: { segment: TextWindow; tokens: number }[] = [];
  const close = () =>
    windows.push({ start: held[0]?.segment.start ?? 0, end: held.at(-1)?.segment.end ?? 0 });
  for (const segment of splitSentences(text).flatMap((sentence) => fitting(sentence))) {
    const tokens = count(text.slice(segment.start, segment.end));
    while (held.length > 0 && held.reduce((sum, part) => sum + part.tokens, tokens) > room) {
      close();
      held = held.length > 1 ? held.slice(-1) : [];
    }
    held.push({ segment, tokens });
  }
  if (held.length > 0) close();
  return windows;

  function fitting(segment: TextWindow): TextWindow[] {
    if (count(text.slice(segment.start, segment.end)) <= room || segment.end - segment.start < 2)
      return [segment];
    const middle = (segment.start + segment.end) >> 1;
    const halves = [
      { start: segment.start, end: middle },
      { start: middle, end: segment.end },
    ];
    return halves.flatMap(fitting);
  }
}
