/** Facts in Chinese. */
import type { CaptionWords } from './caption-words.ts';
import type { CaptionFacts, FactPhrase, PhotographFacts } from './facts.ts';

const list = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join('、')}和${items.at(-1)}`;

const quoted = (texts: readonly string[]): string => texts.map((text) => `“${text}”`).join('、');

/** Sheets and pictures are counted with their own classifier. */
const measureOf = (name: string): string => (/[图片页据件]$/.test(name) ? '张' : '个');

/** Labels of imported models may be in Latin letters, which stand apart from the count. */
const counted = (name: string, count: number, words: CaptionWords): string =>
  `${words.numbers[count] ?? count}${measureOf(name)}${/^[A-Za-z]/.test(name) ? ' ' : ''}${name}`;

function phraseOf({ name, count, place }: FactPhrase, words: CaptionWords): string {
  return `${place ? `${words.places[place]}的` : ''}${counted(name.zh, count, words)}`;
}

function subject({ kind, dark, blurred, photograph }: CaptionFacts): string {
  const qualities = [
    blurred && '模糊',
    dark && '昏暗',
    photograph?.overexposed && '曝光过度',
    photograph?.lowContrast && '对比度低',
    photograph?.colorless && '黑白',
  ].filter((each) => typeof each === 'string');
  const before = qualities.length > 0 ? `${qualities.join('、')}的` : '';
  if (!kind) return `一张${before}图片`;
  return kind.group === 'screenshot' && kind.id !== undefined
    ? `一张${before}${kind.name.zh}截图`
    : `一张${before}${kind.name.zh}`;
}

/** The measured quality of a photograph. */
function quality(facts: PhotographFacts, words: CaptionWords): string[] {
  const { sharp, wellExposed, width, height, pixelated } = facts;
  const good = [...(sharp ? ['清晰'] : []), ...(wellExposed ? ['曝光正常'] : [])];
  const where = pixelated === undefined || pixelated === 'everywhere' ? '整张图' : words.places[pixelated];
  return [
    `${[...good, `${width} × ${height} 像素`].join('，')}。`,
    ...(pixelated === undefined ? [] : [`${where}有马赛克。`]),
  ];
}

export function chineseCaption(facts: CaptionFacts, words: CaptionWords): string {
  const { objects, more, texts, axes, codes } = facts;
  const parts = [subject(facts)];
  if (objects.length > 0)
    parts.push(`其中有${list(objects.map((phrase) => phraseOf(phrase, words)))}${more > 0 ? '等' : ''}`);
  const shades = facts.colors.map((name) => words.colors[name]);
  if (shades.length > 0) parts.push(facts.oneColor ? `以${shades[0]}为主` : `主要为${list(shades)}`);
  const sentences = [`${parts.join('，')}。`];
  if (facts.photograph) sentences.push(...quality(facts.photograph, words));
  if (texts.length > 0) sentences.push(`文字内容：${quoted(texts)}。`);
  if (axes.length > 0) sentences.push(`坐标轴文字：${quoted(axes)}。`);
  if (codes.length > 0) sentences.push(`码中内容：${quoted(codes)}。`);
  return sentences.join('');
}
