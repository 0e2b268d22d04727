/** The numbers that stand before the items of a DOCX's lists: `3.`, `2.1`, `(b)`; null for bullets. */

import { childNamed, descend, elementsOf, type MarkupElement } from './markup.ts';

interface ListLevel {
  format: string;
  /** Such as `%1.%2.`. */
  pattern: string;
  start: number;
}

export interface WordNumbering {
  /** Counts an item of this list. */
  next(list: string, level: number): string | null;
}

const roman = (value: number): string => {
  const steps: [number, string][] = [
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ];
  let [rest, text] = [Math.min(value, 3999), ''];
  for (const [worth, sign] of steps) for (; rest >= worth; rest -= worth) text += sign;
  return text;
};
const letter = (value: number): string =>
  String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(5, Math.floor((value - 1) / 26) + 1));

function written(value: number, format: string): string {
  if (format === 'lowerLetter') return letter(value);
  if (format === 'upperLetter') return letter(value).toUpperCase();
  if (format === 'lowerRoman') return roman(value);
  if (format === 'upperRoman') return roman(value).toUpperCase();
  if (format === 'decimalZero') return String(value).padStart(2, '0');
  return String(value);
}

const val = (element: MarkupElement | undefined): string | undefined => element?.attributes.val;

const toLevel = (level: MarkupElement): ListLevel => ({
  format: val(childNamed(level, 'numFmt')) ?? 'decimal',
  pattern: val(childNamed(level, 'lvlText')) ?? '',
  start: Number(val(childNamed(level, 'start')) ?? 1) || 0,
});

export function readNumbering(root: MarkupElement | null): WordNumbering {
  const abstract = new Map<string, Map<number, ListLevel>>();
  const lists = new Map<string, { abstract: string; levels: Map<number, ListLevel> }>();
  const sheet = descend(root ?? undefined, 'numbering');
  const levelsOf = (element: MarkupElement) =>
    new Map(
      elementsOf(element)
        .filter(({ name }) => name === 'lvl')
        .map((level) => [Number(level.attributes.ilvl ?? 0), toLevel(level)]),
    );
  for (const element of sheet ? elementsOf(sheet) : []) {
    if (element.name === 'abstractNum')
      abstract.set(element.attributes.abstractNumId ?? '', levelsOf(element));
    if (element.name !== 'num') continue;
    const id = val(childNamed(element, 'abstractNumId')) ?? '';
    const levels = new Map(abstract.get(id));
    for (const change of elementsOf(element).filter(({ name }) => name === 'lvlOverride')) {
      const at = Number(change.attributes.ilvl ?? 0);
      const own = childNamed(change, 'lvl');
      const base = own ? toLevel(own) : levels.get(at);
      const start = val(childNamed(change, 'startOverride'));
      if (base) levels.set(at, start === undefined ? base : { ...base, start: Number(start) || 0 });
    }
    lists.set(element.attributes.numId ?? '', { abstract: id, levels });
  }
  const counts = new Map<string, number[]>();
  return {
    next(list, level) {
      const known = lists.get(list);
      const own = known?.levels.get(level);
      if (!known || !own || own.format === 'bullet' || own.format === 'none') return null;
      const count = counts.get(list) ?? [];
      counts.set(list, count);
      count[level] = (count[level] ?? own.start - 1) + 1;
      count.length = level + 1;
      const text = own.pattern.replace(/%(\d)/g, (_, at: string) => {
        const index = Number(at) - 1;
        const of = known.levels.get(index);
        return of ? written(count[index] ?? of.start, of.format) : '';
      });
      return text.trim() || null;
    },
  };
}
