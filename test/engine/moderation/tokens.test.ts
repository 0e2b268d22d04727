import { describe, expect, it } from 'vitest';
import { tokenize } from '../../../server/engine/moderation/text/tokens.ts';
import { simplified } from '../../support/moderation/shield-pack.ts';

const forms = (text: string) => tokenize(text, simplified).map((token) => token.form);

describe('tokens of disguised text', () => {
  it.each([
    ['I will k1ll you', ['i', 'will', 'kill', 'you']],
    ['a$$hole sh!t 5h1t', ['asshole', 'shit', 'shit']],
    ['f u c k  off', ['fuck', 'off']],
    ['k.i.l.l him', ['kill', 'him']],
    ['k*i*l*l', ['kill']],
    ['𝗁𝖺𝗍𝖾 ｈａｔｅ һаtе', ['hate', 'hate', 'hate']],
    ['z\u200Be\u200Bro\u00AD', ['zero']],
    ['fuuuuuck', ['fuuck']],
    ['我要殺*了你們', ['我', '要', '杀', '了', '你', '们']],
  ])('%s', (text, expected) => expect(forms(text)).toEqual(expected));

  it('leaves numbers, names of formats and short spaced words alone', () => {
    expect(forms('mp3 covid19 2024 I a m')).toEqual(['mp3', 'covid19', '#4', 'i', 'a', 'm']);
  });

  it('reads ASCII hidden in tag characters', () => {
    const hidden = [...'kill'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    expect(forms(`hi ${hidden}`)).toEqual(['hi', 'kill']);
  });

  it('keeps the place of each token in the original', () => {
    const text = 'ok, k\u200Bi\u200Bl\u200Bl 殺 𝗁𝖺𝗍𝖾!';
    const shown = tokenize(text, simplified).map(({ start, end }) => text.slice(start, end));
    expect(shown).toEqual(['ok', 'k\u200Bi\u200Bl\u200Bl', '殺', '𝗁𝖺𝗍𝖾', '!']);
  });
});
