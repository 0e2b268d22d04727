/** Facts in English. */
import type { CaptionWords } from './caption-words.ts';
import type { CaptionFacts, FactPhrase, PhotographFacts } from './facts.ts';

/** Text and the like are not counted. */
const isMass = (name: string): boolean => /\b(text|code or .*)$/.test(name);
const withArticle = (name: string): string => `${/^[aeio]|^un[^i]/i.test(name) ? 'an' : 'a'} ${name}`;

function plural(name: string): string {
  const of = /^(\w+)( of .*)$/.exec(name);
  if (of) return `${plural(of[1]!)}${of[2]}`;
  if (/(x|s|ch|sh)$/.test(name)) return `${name}es`;
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}

const list = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

const quoted = (texts: readonly string[]): string => list(texts.map((text) => `“${text}”`));

function phraseOf({ name, count, place }: FactPhrase, words: CaptionWords): string {
  const where = place ? ` ${words.places[place]}` : '';
  if (isMass(name.en)) return `${name.en}${where}`;
  return count === 1
    ? `${withArticle(name.en)}${where}`
    : `${words.numbers[count] ?? count} ${plural(name.en)}`;
}

function subject({ kind, dark, blurred, photograph }: CaptionFacts): string {
  const qualities = [
    blurred && 'blurred',
    dark && 'dark',
    photograph?.overexposed && 'overexposed',
    photograph?.lowContrast && 'low-contrast',
    photograph?.colorless && 'black-and-white',
  ].filter((each) => typeof each === 'string');
  const before = qualities.join(', ');
  const qualified = (noun: string) => withArticle(before === '' ? noun : `${before} ${noun}`);
  if (!kind) return qualified('picture');
  if (kind.group !== 'screenshot' || kind.id === undefined) return qualified(kind.name.en);
  return `${qualified('screenshot')} of ${withArticle(kind.name.en)}`;
}

const colorPhrase = ({ colors, oneColor }: CaptionFacts, words: CaptionWords): string =>
  oneColor ? `mostly ${words.colors[colors[0]!]}` : `in ${list(colors.map((name) => words.colors[name]))}`;

/** The measured quality of a photograph. */
function quality(facts: PhotographFacts, words: CaptionWords): string[] {
  const { sharp, wellExposed, width, height, pixelated } = facts;
  const good = list([...(sharp ? ['sharp'] : []), ...(wellExposed ? ['well exposed'] : [])]);
  const size = `${width} × ${height} pixels`;
  return [
    good === '' ? `It has ${size}.` : `It is ${good}, at ${size}.`,
    ...(pixelated === undefined
      ? []
      : [
          pixelated === 'everywhere' ? 'It is pixelated.' : `A part ${words.places[pixelated]} is pixelated.`,
        ]),
  ];
}

export function englishCaption(facts: CaptionFacts, words: CaptionWords): string {
  const { objects, more, texts, axes, codes } = facts;
  const parts = [subject(facts)];
  if (objects.length > 0) {
    const rest = more > 0 ? ' and more' : '';
    const joint = / with /.test(parts[0]!) ? 'and' : 'with';
    parts.push(`${joint} ${list(objects.map((phrase) => phraseOf(phrase, words)))}${rest}`);
  }
  const sentences = [`${parts.join(' ')}${facts.colors.length > 0 ? `, ${colorPhrase(facts, words)}` : ''}.`];
  if (facts.photograph) sentences.push(...quality(facts.photograph, words));
  if (texts.length > 0) sentences.push(`It reads ${quoted(texts)}.`);
  if (axes.length > 0)
    sentences.push(`${axes.length === 1 ? 'An axis reads' : 'Its axes read'} ${quoted(axes)}.`);
  if (codes.length > 0)
    sentences.push(`${codes.length === 1 ? 'A code holds' : 'Codes hold'} ${quoted(codes)}.`);
  const caption = sentences.join(' ');
  return caption.charAt(0).toUpperCase() + caption.slice(1);
}
