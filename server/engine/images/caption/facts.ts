/**
 * Captions are written from facts alone: kinds that stand out from the others, objects that may be claimed, text that
 * was read, colors that were measured. Nothing else is ever claimed. Pure.
 */

import type { Box } from '../../vision/geometry.ts';
import type { Attributes, ColorName } from '../attributes.ts';
import { chartKinds } from '../charts.ts';
import type { Name, NameTable } from '../models/model.ts';
import type { TextLine } from '../text.ts';
import type { FoundObject } from '../types.ts';
import { type PicturePosition, places, type WordsByLanguage } from './caption-words.ts';

export interface CaptionFacts {
  /** Undefined: not even the group is certain. */
  kind?: Fact;
  dark: boolean;
  blurred: boolean;
  /** Of photographs alone. */
  photograph?: PhotographFacts;
  /** Largest shares first. */
  colors: ColorName[];
  /** The first color fills at least half. */
  oneColor: boolean;
  objects: FactPhrase[];
  /** Kinds of objects that found no room. */
  more: number;
  /** Passages that stand out, as they were read. */
  texts: string[];
  /** Titles of a chart's axes. */
  axes: string[];
  /** Contents of decoded QR codes and barcodes. */
  codes: string[];
}

export interface PhotographFacts {
  overexposed: boolean;
  lowContrast: boolean;
  colorless: boolean;
  /** Neither blurred nor nearly so. */
  sharp: boolean;
  /** Neither dark, overexposed nor of low contrast. */
  wellExposed: boolean;
  /** In pixels. */
  width: number;
  height: number;
  /** The place under coarse squares; `everywhere`: much of the picture. */
  pixelated?: PicturePosition | 'everywhere';
}

/** A kind of picture, or its group where no kind stands out. */
export interface Fact {
  id?: string;
  group: string;
  name: Name;
}

export interface FactPhrase {
  name: Name;
  count: number;
  /** The place of a single object; undefined where it fills much of the picture or there are several. */
  place?: PicturePosition;
}

export interface Seen {
  kind: Fact | undefined;
  attributes: Attributes;
  /** In pixels. */
  size?: { width: number; height: number };
  /** Those that may be claimed. */
  objects: readonly FoundObject[];
  /** From top to bottom. */
  lines: readonly TextLine[];
  axes: readonly string[];
  codes: readonly string[];
}

const maxPhrases = 5;
const colorShare = 0.15;
/** Parts that every page is made of say nothing by themselves. */
const plainParts = new Set(['text_block', 'heading', 'page']);
/** Parts that go without saying in a kind of picture. */
const madeOf: Record<string, string> = { terminal: 'code', code_editor: 'code', spreadsheet: 'table' };
const chartLabels = new Set<string>(chartKinds);
/** The grounds that pages, screens and charts have anyway. */
const plainColors = new Set<ColorName>(['white', 'grey']);

export function gatherFacts(seen: Seen, names: NameTable | undefined): CaptionFacts {
  const kind = isEmpty(seen) ? undefined : nameChart(seen, names);
  const phrases = toPhrases(seen.objects, names, kind?.id);
  const { scene, colors } = seen.attributes;
  const isPhotograph = kind?.group === 'photograph';
  const large = colors.filter(({ share }) => share >= colorShare);
  const told = kind && !isPhotograph && plainColors.has(large[0]?.name ?? 'white') ? [] : large;
  return {
    ...(kind ? { kind } : {}),
    // A dark screenshot has a dark theme, and a dark page is printed so: only of photographs does it say anything.
    dark: scene.dark >= 0.5 && (names === undefined || isPhotograph),
    blurred: scene.blurred >= 0.5,
    ...(isPhotograph && seen.size && { photograph: photographFacts(seen.attributes, seen.size) }),
    colors: told.map(({ name }) => name).slice(0, 3),
    oneColor: (colors[0]?.share ?? 0) >= 0.5,
    objects: phrases.slice(0, maxPhrases),
    more: Math.max(0, phrases.length - maxPhrases),
    texts: joinLines(seen.lines).filter((text) => !seen.axes.includes(text)),
    axes: seen.axes.map(shorten),
    codes: seen.codes.slice(0, 2).map(shorten),
  };
}

const clearlySharp = 0.2;

function photographFacts(
  { scene, mosaic }: Attributes,
  size: { width: number; height: number },
): PhotographFacts {
  const overexposed = scene.overexposed >= 0.5;
  const lowContrast = scene.low_contrast >= 0.5;
  return {
    overexposed,
    lowContrast,
    colorless: scene.colorless >= 0.5,
    sharp: scene.blurred < clearlySharp,
    wellExposed: !overexposed && !lowContrast && scene.dark < 0.5,
    ...size,
    ...(mosaic && { pixelated: placeOf(mosaic) ?? 'everywhere' }),
  };
}

const certainGroup = 0.7;
/** As likely as that against the next kind. */
const standsOut = 2;

/** The best kind where it is above its threshold and no other comes near; else its group where that is certain. */
export function groundedKind(
  scene: Record<string, number>,
  names: NameTable | undefined,
  words: WordsByLanguage,
): Fact | undefined {
  const kinds = [...(names?.kinds ?? [])]
    .map(([id, { group, ...name }]) => ({ id, group, name, score: scene[id] ?? 0 }))
    .sort((a, b) => b.score - a.score);
  const [best, next] = kinds;
  if (!best) return undefined;
  const { id, group, name, score } = best;
  const certain = score >= (names?.thresholds.get(id) ?? 0.5) && score >= standsOut * (next?.score ?? 0);
  if (certain) return { id, group, name };
  const { en, ms, zh } = words;
  const [named, malay, chinese] = [en.groups[group], ms.groups[group], zh.groups[group]];
  if (!named || !malay || !chinese || (scene[group] ?? 0) < certainGroup) return undefined;
  return { group, name: { en: named, ms: malay, zh: chinese } };
}

/** One color and nothing on it: whatever its look is likened to, it is none. */
const isEmpty = ({ objects, lines, attributes }: Seen): boolean =>
  objects.length === 0 && lines.length === 0 && (attributes.colors[0]?.share ?? 0) > emptyShare;
const emptyShare = 0.995;

/** A chart that is nothing but one chart of a certain kind is called so; of several, the objects tell. */
function nameChart({ kind, objects }: Seen, names: NameTable | undefined): Fact | undefined {
  if (kind?.group !== 'graphic') return kind;
  const found = objects.filter(({ label }) => chartLabels.has(label));
  const [only] = found;
  if (!only || found.length > 1) return kind;
  return { id: only.label, group: kind.group, name: nameOf(only.label, names) };
}

/** Objects by label, the ones that fill most first. */
function toPhrases(
  objects: readonly FoundObject[],
  names: NameTable | undefined,
  kind: string | undefined,
): FactPhrase[] {
  const groups = new Map<string, FoundObject[]>();
  for (const object of objects) {
    if (plainParts.has(object.label) || object.label === kind || madeOf[kind ?? ''] === object.label)
      continue;
    groups.set(object.label, [...(groups.get(object.label) ?? []), object]);
  }
  const filled = (group: FoundObject[]) => group.reduce((sum, { bbox }) => sum + areaOf(bbox), 0);
  return [...groups]
    .sort(([, a], [, b]) => filled(b) - filled(a))
    .map(([label, group]) => {
      const place = group.length === 1 ? placeOf(group[0]!.bbox) : undefined;
      return { name: nameOf(label, names), count: group.length, ...(place ? { place } : {}) };
    });
}

const areaOf = ([x0, y0, x1, y1]: Box): number => (x1 - x0) * (y1 - y0);

/** Labels without names of ours are English words of the model's own. */
function nameOf(label: string, names: NameTable | undefined): Name {
  const words = label.replaceAll('_', ' ');
  return names?.objects.get(label) ?? { en: words, ms: words, zh: words };
}

function placeOf(box: Box): PicturePosition | undefined {
  if (areaOf(box) > 0.35) return undefined;
  const third = (value: number) => Math.min(2, Math.floor(value * 3));
  return places[third((box[1] + box[3]) / 2) * 3 + third((box[0] + box[2]) / 2)];
}

/** Lines of one paragraph are one passage; lines apart are passages of their own. None is said twice. */
function joinLines(lines: readonly TextLine[]): string[] {
  const passages: string[] = [];
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (above && followsOn(above.box, line.box)) passages.push(`${passages.pop()} ${line.text}`);
    else passages.push(line.text);
  }
  return [...new Set(passages.map(shorten))];
}

/** A line that runs on is about as long as the next, as high, and stands right above it. */
function followsOn(above: Box, below: Box): boolean {
  const [highAbove, highBelow] = [above[3] - above[1], below[3] - below[1]];
  const gap = below[1] - above[3];
  return (
    Math.abs(gap) < 0.5 * highAbove &&
    Math.abs(below[0] - above[0]) < highAbove &&
    above[2] - above[0] > 0.7 * (below[2] - below[0]) &&
    Math.max(highAbove, highBelow) < 1.25 * Math.min(highAbove, highBelow)
  );
}

/** Bullets, rules and icons at the ends of a line. */
const strayMarks = /^[\s"'`|*·•[\]『』]+|[\s"'`|*·•[\]『』]+$/gu;
const maxCharacters = 80;

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll(strayMarks, '');
  const characters = [...line];
  return characters.length <= maxCharacters
    ? line
    : `${characters
        .slice(0, maxCharacters)
        .join('')
        .replace(/[\s.,;:]+$/, '')}…`;
}
