/** Rich Text Format as text, or as the web page that a mail program wrapped into it ([MS-OXRTFEX]). */

export interface RichText {
  text: string | null;
  html: string | null;
}

interface Group {
  /** Of fonts, colors, pictures and whatever else is no text. */
  skipped: boolean;
  /** Markup of the wrapped page. */
  isMarkup: boolean;
  /** Said again in RTF what the wrapped page says. */
  isRepeated: boolean;
  /** Signs that follow a character beyond the code page, for readers that do not know it. */
  fallback: number;
}

const skippedGroups = new Set(
  'colortbl fonttbl footer footerf footerl footerr header headerf headerl headerr info object pict stylesheet'.split(
    ' ',
  ),
);
const signs: Record<string, string> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  row: '\n',
  page: '\n',
  tab: '\t',
  cell: '\t',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
};
const maxDepth = 200;
const codePages: Record<number, string> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  65001: 'utf-8',
};

function decoderOf(codePage: number): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(codePages[codePage] ?? `windows-${codePage}`);
  } catch {
    return new TextDecoder('windows-1252');
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A control word with its number, an escaped byte, an escaped sign, a brace, or plain text. */
const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}]+)/giy;

class RichTextReader {
  #group: Group = { skipped: false, isMarkup: false, isRepeated: false, fallback: 1 };
  readonly #stack: Group[] = [];
  #decoder = decoderOf(1252);
  #bytes: number[] = [];
  #isPage = false;
  /** Signs still to be passed over. */
  #passing = 0;
  readonly #out: string[] = [];

  read(rtf: string): RichText {
    for (const [, word, number, byte, sign, brace, plain] of rtf.matchAll(token)) {
      if (byte !== undefined) this.#putByte(Number.parseInt(byte, 16));
      else {
        this.#flush();
        if (word !== undefined) this.#obey(word, number === undefined ? null : Number(number));
        else if (brace !== undefined) this.#bound(brace);
        else if (sign !== undefined) this.#escape(sign);
        else this.#put(plain!.replace(/[\r\n]/g, ''));
      }
    }
    this.#flush();
    const all = this.#out.join('');
    return this.#isPage ? { html: all, text: null } : { html: null, text: all };
  }

  #bound(brace: string): void {
    if (brace === '}') this.#group = this.#stack.pop() ?? this.#group;
    else if (this.#stack.length < maxDepth) this.#stack.push({ ...this.#group });
    this.#passing = 0;
  }

  #escape(sign: string): void {
    if (sign === '*') this.#group.skipped = true;
    else if (sign === '~') this.#put('\u00a0');
    else if (sign === '_') this.#put('-');
    else if (sign === '\n' || sign === '\r') this.#put('\n');
    else if ('\\{}'.includes(sign)) this.#put(sign);
  }

  #obey(word: string, number: number | null): void {
    if (word === 'u' && number !== null) {
      this.#put(String.fromCharCode(number & 0xffff));
      this.#passing = this.#group.fallback;
    } else if (word === 'uc') this.#group.fallback = Math.min(8, number ?? 1);
    else if (word === 'ansicpg') this.#decoder = decoderOf(number ?? 1252);
    else if (word === 'fromhtml') this.#isPage = number !== 0;
    else if (word === 'htmlrtf') this.#group.isRepeated = number !== 0;
    else if (word === 'htmltag') Object.assign(this.#group, { skipped: false, isMarkup: true });
    else if (skippedGroups.has(word)) this.#group.skipped = true;
    else if (signs[word] !== undefined) this.#put(signs[word]);
  }

  #putByte(byte: number): void {
    if (this.#passing > 0) this.#passing--;
    else this.#bytes.push(byte);
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const bytes = Uint8Array.from(this.#bytes);
    this.#bytes = [];
    this.#put(this.#decoder.decode(bytes));
  }

  #put(text: string): void {
    const { skipped, isMarkup, isRepeated } = this.#group;
    const passed = Math.min(this.#passing, text.length);
    this.#passing -= passed;
    if (skipped || (isRepeated && !isMarkup)) return;
    const rest = text.slice(passed);
    this.#out.push(this.#isPage && !isMarkup ? escaped(rest) : rest);
  }
}

/** Nothing of bytes that do not begin as RTF does. */
export function readRichText(bytes: Uint8Array): RichText {
  const rtf = Buffer.from(bytes).toString('latin1');
  return rtf.startsWith('{\\rtf') ? new RichTextReader().read(rtf) : { text: null, html: null };
}
