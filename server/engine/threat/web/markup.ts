/**
 * Text read as HTML, the way browsers do: leniently. Formatted text (paragraphs, links, pictures) is left alone; what runs
 * script, loads documents or changes how the page is read is named.
 */

export type MarkupFinding = 'element' | 'handler' | 'script-url' | 'breakout' | 'directive';

/** Elements that no formatted text needs and that run, load, submit or swallow what follows. */
const ACTIVE = new Set(
  (
    'script iframe frame frameset object embed applet base meta link svg math style isindex xml template noscript marquee ' +
    'bgsound layer ilayer portal form input textarea button select keygen video audio source title plaintext xmp noembed ' +
    'noframes html head body animate animatetransform set foreignobject use details dialog slot image xss listing vmlframe ' +
    'event-source mi mtext mglyph handler listener param track basefont fencedframe'
  ).split(' '),
);

/** Attributes whose value is an address. */
const ADDRESSES = new Set(
  'href src action formaction data xlink:href background poster lowsrc dynsrc cite code codebase srcdoc from to values ping manifest'.split(
    ' ',
  ),
);

const TAG = /<[\s/\0]{0,3}([a-z][\w:.-]{0,40})([^<>]{0,4096})(>|<|$)/gu;
const ATTRIBUTE = /([^\s"'`<>/=]{1,64})[\s\0]{0,8}(?:=[\s\0]{0,8}("[^"]*"?|'[^']*'?|`[^`]*`?|[^\s>]*))?/gu;
const HANDLER = /^on[a-z]{3,30}$/u;
const SCRIPT_SCHEME =
  /^(?:(?:java|vb|live|j)script|mhtml|mocha):|^data:(?:text\/|image\/svg|application\/(?:x|j)|,|;)/u;
const STYLE = /expression|javascript:|behaviou?r\s?:|-moz-binding|@import|url\s?\(\s?["']?data:text/u;

/** Browsers skip white space, controls and comments inside a scheme. */
const compact = (value: string) => value.replace(/[\s\p{Cc}"'`]|\/\*.{0,40}?\*\//gu, '');

function attributeFinding(name: string, value: string): MarkupFinding | undefined {
  if (HANDLER.test(name) && value !== '') return 'handler';
  if (name === 'srcdoc' || name === 'formaction' || name === 'autofocus') return 'element';
  if (name === 'style' && STYLE.test(compact(value))) return 'script-url';
  return ADDRESSES.has(name) && SCRIPT_SCHEME.test(compact(value)) ? 'script-url' : undefined;
}

/** A script element that holds data (JSON-LD), which no browser runs; forms write its plus as a blank. */
const DATA_SCRIPT = /(?:^|\s)type\s?=\s?\\?["']?application\/(?:ld[+ ])?json\\?["']?\s*$/u;

function tagFinding(name: string, inside: string): MarkupFinding | undefined {
  for (const [, attribute = '', value = ''] of inside.matchAll(ATTRIBUTE)) {
    const found = attributeFinding(attribute, value);
    if (found !== undefined) return found;
  }
  return ACTIVE.has(name.replace(/^\w+:/u, '')) ? 'element' : undefined;
}

const DIRECTIVE =
  /<!--\s?#\s?(?:exec|include|echo|config|set|printenv|fsize|flastmod|if)\b|<!\[(?:cdata|if)\b|<!-{2,}>|<!--[^>]{0,8}-?->?["'>]/u;
const BREAKOUT =
  /<['"]{1,2}>|^[^<>]{0,200}["'`][\s/]{0,3}>\s{0,3}(?:<|$)|^[^<>]{0,200}["'`]\s{0,3}(?:style|src|href|on\w{3,20}|autofocus|formaction|background)\s{0,3}=/u;

/** A handler where no element shows: the page's own may be open. */
const LOOSE_HANDLER =
  /[\s"'`/;,](?!on(?:ce|ly|line|to|going|site|sale|board\w*|ions?|demand|hand|stock|year|month|week|day|trial)\b)on[a-z]{3,25}[\s/]{0,8}=\s{0,8}[^=\s]/u;

/** `text` is lower case and decoded. */
export function markupInjection(text: string): MarkupFinding | undefined {
  if (BREAKOUT.test(text)) return 'breakout';
  if (LOOSE_HANDLER.test(text)) return 'handler';
  if (!text.includes('<')) return undefined;
  if (DIRECTIVE.test(text)) return 'directive';
  let isData = false;
  for (const match of text.matchAll(TAG)) {
    if (
      match[1] === 'script' &&
      (isData ? match[0].startsWith('</') : DATA_SCRIPT.test(match[2] as string))
    ) {
      isData = !isData;
      continue;
    }
    const found = tagFinding(match[1] as string, match[2] as string);
    if (found !== undefined) return found;
  }
  return undefined;
}
