import { expect, it } from 'vitest';
import { tokenWindows } from '../../../server/engine/moderation/classifiers/starter-classifier.ts';
import { splitSentences } from '../../../server/engine/moderation/sentences.ts';
import { tokenize } from '../../../server/engine/moderation/text/tokens.ts';
import { simplified } from '../../support/moderation/shield-pack.ts';

it('cuts at stops, line ends and Chinese stops, not inside k.i.l.l or 3.5', () => {
  const text = ' One k.i.l.l 3.5. Two!?\nthree\n你好。再见';
  const shown = splitSentences(text).map(({ start, end }) => text.slice(start, end));
  expect(shown).toEqual(['One k.i.l.l 3.5.', 'Two!?', 'three', '你好。', '再见']);
});

it('covers a long text with windows that overlap', () => {
  const text = Array.from({ length: 25 }, (_, index) => `w${index}`).join(' ');
  const tokens = tokenize(text, simplified);
  const windows = tokenWindows(tokens, { tokens: 10, overlap: 4 });
  expect(windows.map(({ start, end }) => text.slice(start, end).split(' ').length)).toEqual([10, 10, 10, 7]);
  expect(windows.at(-1)?.end).toBe(text.length);
  expect(tokenWindows([], { tokens: 10, overlap: 4 })).toEqual([]);
});
