/** Facts in Malay. Nouns have no plural after a number. */
import type { CaptionWords } from './caption-words.ts';
import type { CaptionFacts, FactPhrase, PhotographFacts } from './facts.ts';

const list = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} dan ${items.at(-1)}`;

const quoted = (texts: readonly string[]): string => list(texts.map((text) => `“${text}”`));

function phraseOf({ name, count, place }: FactPhrase, words: CaptionWords): string {
  const where = place ? ` ${words.places[place]}` : '';
  return count === 1 ? `${name.ms}${where}` : `${words.numbers[count] ?? count} ${name.ms}`;
}

function subject({ kind, dark, blurred, photograph }: CaptionFacts): string {
  const qualities = [
    blurred && 'kabur',
    dark && 'gelap',
    photograph?.overexposed && 'terlalu terang',
    photograph?.lowContrast && 'rendah kontrasnya',
    photograph?.colorless && 'hitam putih',
  ].filter((each) => typeof each === 'string');
  const after = qualities.length > 0 ? ` yang ${list(qualities)}` : '';
  if (!kind) return `sebuah gambar${after}`;
  return kind.group === 'screenshot' && kind.id !== undefined
    ? `tangkapan skrin ${kind.name.ms}${after}`
    : `${kind.name.ms}${after}`;
}

/** The measured quality of a photograph. */
function quality(facts: PhotographFacts, words: CaptionWords): string[] {
  const { sharp, wellExposed, width, height, pixelated } = facts;
  const good = list([...(sharp ? ['tajam'] : []), ...(wellExposed ? ['cukup terang'] : [])]);
  const size = `${width} × ${height} piksel`;
  return [
    good === '' ? `Saiznya ${size}.` : `Gambarnya ${good}, pada ${size}.`,
    ...(pixelated === undefined
      ? []
      : [
          pixelated === 'everywhere'
            ? 'Gambarnya berpetak-petak.'
            : `Satu bahagian ${words.places[pixelated]} dikaburkan dengan petak.`,
        ]),
  ];
}

export function malayCaption(facts: CaptionFacts, words: CaptionWords): string {
  const { objects, more, texts, axes, codes } = facts;
  const parts = [subject(facts)];
  if (objects.length > 0)
    parts.push(
      `dengan ${list(objects.map((phrase) => phraseOf(phrase, words)))}${more > 0 ? ' dan lain-lain' : ''}`,
    );
  const shades = facts.colors.map((name) => words.colors[name]);
  const colors = facts.oneColor ? `kebanyakannya ${shades[0]}` : `berwarna ${list(shades)}`;
  const sentences = [`${parts.join(' ')}${shades.length > 0 ? `, ${colors}` : ''}.`];
  if (facts.photograph) sentences.push(...quality(facts.photograph, words));
  if (texts.length > 0) sentences.push(`Tertulis ${quoted(texts)}.`);
  if (axes.length > 0) sentences.push(`Pada paksi tertulis ${quoted(axes)}.`);
  if (codes.length > 0) sentences.push(`Kod mengandungi ${quoted(codes)}.`);
  const caption = sentences.join(' ');
  return caption.charAt(0).toUpperCase() + caption.slice(1);
}
