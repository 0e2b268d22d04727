import { describe, expect, it } from 'vitest';
import { StopStrings } from '../../../../server/engine/chat/text/stop-strings.ts';

function run(stops: string[], pieces: string[]) {
  const strings = new StopStrings(stops);
  const out = pieces.map((piece) => strings.push(piece));
  return { out, end: strings.end(), stopped: strings.stopped };
}

describe('StopStrings', () => {
  it('ends inside a piece', () => {
    expect(run(['END'], ['one END two'])).toEqual({ out: ['one '], end: '', stopped: true });
  });

  it('ends across pieces and holds back only what may still become a stop string', () => {
    expect(run(['</s>'], ['a<', '/', 's', 'b<', '/s>', 'never'])).toEqual({
      out: ['a', '', '', '</sb', '', ''],
      end: '',
      stopped: true,
    });
  });

  it('gives back at the end what was held', () => {
    expect(run(['\n\n'], ['a\n'])).toEqual({ out: ['a'], end: '\n', stopped: false });
  });

  it('takes the first of several', () => {
    expect(run(['zz', 'b'], ['aabzz']).out).toEqual(['aa']);
  });

  it('holds the longest overlap of a string that repeats itself', () => {
    expect(run(['aab'], ['a', 'a', 'a', 'b'])).toMatchObject({ out: ['', '', 'a', ''], stopped: true });
  });

  it('gives the same text however it is cut', () => {
    const text = 'abcabcabdabcab stop here';
    for (let size = 1; size <= text.length; size += 1) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
      const { out, end } = run(['abcabd', 'stop'], pieces);
      expect(out.join('') + end).toBe('abc');
    }
  });

  it('lets everything through without stop strings', () => {
    expect(run([], ['a', 'b'])).toEqual({ out: ['a', 'b'], end: '', stopped: false });
  });
});
