/** Facts in Malay. Nouns have no plural after a number. */
import type { ColorName } from '../attributes.ts';
import type { CaptionFacts, FactPhrase, PicturePosition } from './facts.ts';

const placeNames: Record<PicturePosition, string> = {
  upper_left: 'di kiri atas',
  top: 'di bahagian atas',
  upper_right: 'di kanan atas',
  left: 'di sebelah kiri',
  middle: 'di tengah',
  right: 'di sebelah kanan',
  lower_left: 'di kiri bawah',
  bottom: 'di bahagian bawah',
  lower_right: 'di kanan bawah',
};

const colorWords: Record<ColorName, string> = {
  black: 'hitam',
  grey: 'kelabu',
  white: 'putih',
  red: 'merah',
  orange: 'jingga',
  brown: 'coklat',
  yellow: 'kuning',
  green: 'hijau',
  cyan: 'sian',
  blue: 'biru',
  purple: 'ungu',
  pink: 'merah jambu',
};

const numbers = [
  'tiada',
  'satu',
  'dua',
  'tiga',
  'empat',
  'lima',
  'enam',
  'tujuh',
  'lapan',
  'sembilan',
  'sepuluh',
];

const list = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} dan ${items.at(-1)}`;

const quoted = (texts: readonly string[]): string => list(texts.map((text) => `“${text}”`));

function phraseOf({ name, count, place }: FactPhrase): string {
  const where = place ? ` ${placeNames[place]}` : '';
  return count === 1 ? `${name.ms}${where}` : `${numbers[count] ?? count} ${name.ms}`;
}

function subject({ kind, dark, blurred }: CaptionFacts): string {
  const qualities = [blurred && 'kabur', dark && 'gelap'].filter((each) => each !== false);
  const after = qualities.length > 0 ? ` yang ${list(qualities)}` : '';
  if (!kind) return `sebuah gambar${after}`;
  return kind.group === 'screenshot' && kind.id !== undefined
    ? `tangkapan skrin ${kind.name.ms}${after}`
    : `${kind.name.ms}${after}`;
}

export function malayCaption(facts: CaptionFacts): string {
  const { objects, more, texts, axes, codes } = facts;
  const parts = [subject(facts)];
  if (objects.length > 0)
    parts.push(`dengan ${list(objects.map(phraseOf))}${more > 0 ? ' dan lain-lain' : ''}`);
  const words = facts.colors.map((name) => colorWords[name]);
  const colors = facts.oneColor ? `kebanyakannya ${words[0]}` : `berwarna ${list(words)}`;
  const sentences = [`${parts.join(' ')}${words.length > 0 ? `, ${colors}` : ''}.`];
  if (texts.length > 0) sentences.push(`Tertulis ${quoted(texts)}.`);
  if (axes.length > 0) sentences.push(`Pada paksi tertulis ${quoted(axes)}.`);
  if (codes.length > 0) sentences.push(`Kod mengandungi ${quoted(codes)}.`);
  const caption = sentences.join(' ');
  return caption.charAt(0).toUpperCase() + caption.slice(1);
}
