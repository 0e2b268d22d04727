/** Charts of a package as their titles and the numbers that they keep of what they show. */

import type { FlowPart } from './flow.ts';
import { paragraph, plainCell } from './flow.ts';
import { allNamed, childNamed, descend, elementsOf, type MarkupElement, textBelow } from './markup.ts';
import { linksOf, type PackageParts } from './package-parts.ts';

const maxPoints = 5_000;

/** The kept points of a reference, by their index. */
function pointsOf(element: MarkupElement | undefined): string[] {
  const values: string[] = [];
  for (const point of element ? allNamed(element, 'pt') : []) {
    const index = Number(point.attributes.idx ?? values.length);
    const value = childNamed(point, 'v');
    if (index >= 0 && index < maxPoints && value) values[index] = textBelow(value);
  }
  return Array.from(values, (value) => value ?? '');
}

function seriesTable(chart: MarkupElement): FlowPart[] {
  const series = [...allNamed(chart, 'ser')];
  const names = series.map((one) => pointsOf(childNamed(one, 'tx'))[0] ?? '');
  const keys = pointsOf(childNamed(series[0], 'cat') ?? childNamed(series[0], 'xVal'));
  const values = series.map((one) => pointsOf(childNamed(one, 'val') ?? childNamed(one, 'yVal')));
  const length = Math.max(0, keys.length, ...values.map((own) => own.length));
  if (length === 0) return [];
  const rows = Array.from({ length }, (_, row) => [keys[row] ?? '', ...values.map((own) => own[row] ?? '')]);
  return [{ kind: 'table', rows: [['', ...names], ...rows].map((row) => row.map(plainCell)) }];
}

/** Charts that a part shows, directly or by its drawing. */
export function chartParts(parts: PackageParts, owner: string): FlowPart[] {
  const links = [...linksOf(parts, owner).values()].filter(({ external }) => !external);
  const drawings = links.filter(({ type }) => type === 'drawing');
  const all = [...links, ...drawings.flatMap(({ target }) => [...linksOf(parts, target).values()])];
  return all
    .filter(({ type, external }) => type === 'chart' && !external)
    .flatMap(({ target }) => {
      const chart = descend(parts.readXml(target) ?? undefined, 'chartSpace', 'chart');
      if (!chart) return [];
      const title = childNamed(chart, 'title');
      const text = title
        ? [...allNamed(title, 't')].map(textBelow).join('') || pointsOf(title).join(' ')
        : '';
      const plot = childNamed(chart, 'plotArea');
      return [
        ...(text === '' ? [] : [paragraph(text)]),
        ...(plot ? elementsOf(plot).flatMap(seriesTable) : []),
      ];
    });
}
