/**
 * Captions are written from evidence alone: kinds and objects that scored above their thresholds, text that was read,
 * colours that were measured. Nothing else is ever claimed. Pure.
 */
import type { Attributes, ColourName } from '../attributes.ts';
import type { Name, NameTable } from '../models/model.ts';
import type { Box, FoundObject } from '../types.ts';

export interface Evidence {
  /** Undefined: no kind scored above its threshold. */
  kind?: { id: string; group: string; name: Name };
  /** Attributes of photographs that scored above their thresholds. */
  attributes: Name[];
  dark: boolean;
  blurred: boolean;
  /** Largest shares first. */
  colours: ColourName[];
  /** The first colour fills at least half. */
  oneColour: boolean;
  objects: Mention[];
  /** Kinds of objects that found no room. */
  more: number;
  /** The most prominent text, as it was read. */
  text?: string;
  /** Contents of decoded QR codes and barcodes. */
  codes: string[];
}

export interface Mention {
  name: Name;
  count: number;
  /** Where a single object lies; undefined where it fills much of the picture or there are several. */
  place?: Place;
}

export const places = [
  'upper_left',
  'top',
  'upper_right',
  'left',
  'middle',
  'right',
  'lower_left',
  'bottom',
  'lower_right',
] as const;
export type Place = (typeof places)[number];

export interface Seen {
  scene: Record<string, number>;
  objects: readonly FoundObject[];
  attributes: Attributes;
  text?: string | undefined;
  codes: readonly string[];
}

/** Objects below are listed with their confidence, but not claimed in words. */
const claimedConfidence = 0.5;
const mostMentions = 5;
const colourShare = 0.15;
/** What every page is made of says nothing by itself. */
const plainParts = new Set(['text_block', 'heading', 'page']);

export function gatherEvidence(seen: Seen, names: NameTable | undefined): Evidence {
  const kind = bestKind(seen.scene, names);
  const mentions = mention(seen.objects, names, kind?.id);
  const { scene, colours } = seen.attributes;
  return {
    ...(kind ? { kind } : {}),
    attributes: claimedAttributes(seen.scene, names, kind?.group),
    dark: scene.dark >= 0.5 && mayBeDark(kind, names),
    blurred: scene.blurred >= 0.5,
    colours: colours
      .filter(({ share }) => share >= colourShare)
      .map(({ name }) => name)
      .slice(0, 3),
    oneColour: (colours[0]?.share ?? 0) >= 0.5,
    objects: mentions.slice(0, mostMentions),
    more: Math.max(0, mentions.length - mostMentions),
    ...(seen.text ? { text: shorten(seen.text) } : {}),
    codes: seen.codes.slice(0, 2).map((code) => shorten(code)),
  };
}

/** The best kind, if it may be claimed; a certain group stands in for kinds that share its score. */
function bestKind(scene: Record<string, number>, names: NameTable | undefined): Evidence['kind'] {
  const kinds = [...(names?.kinds ?? [])].map(([id, { group, ...name }]) => ({ id, group, name }));
  const best = kinds.sort((a, b) => (scene[b.id] ?? 0) - (scene[a.id] ?? 0))[0];
  if (!best || (scene[best.id] ?? 0) < (names?.thresholds.get(best.id) ?? 0.5)) return undefined;
  return best;
}

/** A dark screenshot has a dark theme, and a dark page is printed so: only of photographs does it say anything. */
const mayBeDark = (kind: Evidence['kind'], names: NameTable | undefined): boolean =>
  names === undefined || kind?.group === 'photograph';

function claimedAttributes(
  scene: Record<string, number>,
  names: NameTable | undefined,
  group: string | undefined,
): Name[] {
  if (group !== 'photograph') return [];
  return [...(names?.attributes ?? [])]
    .filter(([id]) => (scene[id] ?? 0) >= (names?.thresholds.get(id) ?? 0.5))
    .map(([, name]) => name);
}

/** Objects by label, the ones that fill most first. */
function mention(
  objects: readonly FoundObject[],
  names: NameTable | undefined,
  kind: string | undefined,
): Mention[] {
  const groups = new Map<string, FoundObject[]>();
  for (const object of objects) {
    if (object.confidence < claimedConfidence) continue;
    if (plainParts.has(object.label) || object.label === kind) continue;
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

function placeOf(box: Box): Place | undefined {
  if (areaOf(box) > 0.35) return undefined;
  const third = (value: number) => Math.min(2, Math.floor(value * 3));
  return places[third((box[1] + box[3]) / 2) * 3 + third((box[0] + box[2]) / 2)];
}

const mostCharacters = 80;

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= mostCharacters
    ? line
    : `${characters
        .slice(0, mostCharacters)
        .join('')
        .replace(/[\s.,;:]+$/, '')}…`;
}
