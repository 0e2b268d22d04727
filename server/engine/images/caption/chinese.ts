/** Facts in Chinese. */
import type { ColorName } from '../attributes.ts';
import type { CaptionFacts, FactPhrase, PicturePosition } from './facts.ts';

const placeNames: Record<PicturePosition, string> = {
  upper_left: '左上方',
  top: '上方',
  upper_right: '右上方',
  left: '左侧',
  middle: '中间',
  right: '右侧',
  lower_left: '左下方',
  bottom: '下方',
  lower_right: '右下方',
};

const colorWords: Record<ColorName, string> = {
  black: '黑色',
  grey: '灰色',
  white: '白色',
  red: '红色',
  orange: '橙色',
  brown: '棕色',
  yellow: '黄色',
  green: '绿色',
  cyan: '青色',
  blue: '蓝色',
  purple: '紫色',
  pink: '粉色',
};

const list = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join('、')}和${items.at(-1)}`;

const quoted = (texts: readonly string[]): string => texts.map((text) => `“${text}”`).join('、');

const numbers = ['零', '一', '两', '三', '四', '五', '六', '七', '八', '九', '十'];

/** Sheets and pictures are counted with their own classifier. */
const measureOf = (name: string): string => (/[图片页据件]$/.test(name) ? '张' : '个');

/** Labels of imported models may be in Latin letters, which stand apart from the count. */
const counted = (name: string, count: number): string =>
  `${numbers[count] ?? count}${measureOf(name)}${/^[A-Za-z]/.test(name) ? ' ' : ''}${name}`;

function phraseOf({ name, count, place }: FactPhrase): string {
  return `${place ? `${placeNames[place]}的` : ''}${counted(name.zh, count)}`;
}

function subject({ kind, dark, blurred }: CaptionFacts): string {
  const qualities = [blurred && '模糊', dark && '昏暗'].filter((each) => each !== false);
  const before = qualities.length > 0 ? `${qualities.join('、')}的` : '';
  if (!kind) return `一张${before}图片`;
  return kind.group === 'screenshot' && kind.id !== undefined
    ? `一张${before}${kind.name.zh}截图`
    : `一张${before}${kind.name.zh}`;
}

export function chineseCaption(facts: CaptionFacts): string {
  const { objects, more, texts, axes, codes } = facts;
  const parts = [subject(facts)];
  if (objects.length > 0) parts.push(`其中有${list(objects.map(phraseOf))}${more > 0 ? '等' : ''}`);
  const words = facts.colors.map((name) => colorWords[name]);
  if (words.length > 0) parts.push(facts.oneColor ? `以${words[0]}为主` : `主要为${list(words)}`);
  const sentences = [`${parts.join('，')}。`];
  if (texts.length > 0) sentences.push(`文字内容：${quoted(texts)}。`);
  if (axes.length > 0) sentences.push(`坐标轴文字：${quoted(axes)}。`);
  if (codes.length > 0) sentences.push(`码中内容：${quoted(codes)}。`);
  return sentences.join('');
}
