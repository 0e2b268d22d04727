/** PPTX: a page for each slide, with its title as heading, its lists, tables and notes. */

import { chartParts } from './chart-parts.ts';
import type { ConcealedText, Flow, FlowCell, FlowPart, FlowSection } from './flow.ts';
import { emptyFlow, heading, paragraph } from './flow.ts';
import { childNamed, descend, elementsOf, type MarkupElement, textBelow } from './markup.ts';
import { officeActiveParts } from './office-active-parts.ts';
import { linksOf, type PackageParts } from './package-parts.ts';

/** The text of a DrawingML paragraph. */
function paragraphText(element: MarkupElement): string {
  return elementsOf(element)
    .map((child) => {
      if (child.name === 't') return textBelow(child);
      if (child.name === 'br') return '\n';
      if (child.name === 'tab') return '\t';
      return child.name === 'pPr' || child.name === 'rPr' || child.name === 'endParaRPr'
        ? ''
        : paragraphText(child);
    })
    .join('');
}

const placeholderOf = (shape: MarkupElement): string | null => {
  const holder = descend(shape, 'nvSpPr', 'nvPr', 'ph');
  return holder ? (holder.attributes.type ?? 'body') : null;
};

/** Running heads and numbers that a slide takes from its master. */
const margins = new Set(['dt', 'ftr', 'sldNum', 'hdr']);

function shapeParts(shape: MarkupElement): FlowPart[] {
  const placeholder = placeholderOf(shape);
  if (placeholder && margins.has(placeholder)) return [];
  const body = childNamed(shape, 'txBody');
  const paragraphs = body ? elementsOf(body).filter(({ name }) => name === 'p') : [];
  if (placeholder === 'title' || placeholder === 'ctrTitle') {
    const title = paragraphs.map(paragraphText).join(' ').trim();
    return title === '' ? [] : [heading(title, 1)];
  }
  const counts: number[] = [];
  return paragraphs.flatMap((element): FlowPart[] => {
    const text = paragraphText(element).trim();
    if (text === '') return [];
    const properties = childNamed(element, 'pPr');
    const level = Math.min(8, Math.max(0, Number(properties?.attributes.lvl ?? 0) || 0));
    const listed = placeholder === 'body' || placeholder === 'obj';
    const bulleted = childNamed(properties, 'buChar') ?? childNamed(properties, 'buBlip');
    const numbered = childNamed(properties, 'buAutoNum');
    if (childNamed(properties, 'buNone') || !(listed || bulleted || numbered)) return [paragraph(text)];
    counts.length = level + 1;
    if (!numbered) return [{ kind: 'item', text, level }];
    counts[level] = (counts[level] ?? Number(numbered.attributes.startAt ?? 1) - 1) + 1;
    return [{ kind: 'item', text, level, marker: `${counts[level]}.` }];
  });
}

function tableParts(frame: MarkupElement): FlowPart[] {
  const table = descend(frame, 'graphic', 'graphicData', 'tbl');
  if (!table) return [];
  const rows = elementsOf(table)
    .filter(({ name }) => name === 'tr')
    .map((row) =>
      elementsOf(row)
        .filter(
          ({ name, attributes }) => name === 'tc' && attributes.hMerge !== '1' && attributes.vMerge !== '1',
        )
        .map((cell): FlowCell => {
          const body = childNamed(cell, 'txBody');
          const lines = body
            ? elementsOf(body)
                .filter(({ name }) => name === 'p')
                .map(paragraphText)
            : [];
          const span = (name: 'gridSpan' | 'rowSpan') =>
            Math.min(64, Math.max(1, Number(cell.attributes[name] ?? 1) || 1));
          return { text: lines.join('\n').trim(), colSpan: span('gridSpan'), rowSpan: span('rowSpan') };
        }),
    );
  return [{ kind: 'table', rows }];
}

/** Shapes in their order; titles first, wherever a program put them. */
function treeParts(tree: MarkupElement): FlowPart[] {
  const shapes = elementsOf(tree).flatMap((element): FlowPart[] => {
    switch (element.name) {
      case 'sp':
        return shapeParts(element);
      case 'graphicFrame':
        return tableParts(element);
      case 'grpSp':
        return treeParts(element);
      case 'AlternateContent':
        return treeParts(childNamed(element, 'Choice') ?? element);
      default:
        return [];
    }
  });
  const isTitle = (part: FlowPart): boolean => part.kind === 'heading';
  return [...shapes.filter(isTitle), ...shapes.filter((part) => !isTitle(part))];
}

const textsOf = (parts: readonly FlowPart[]): ConcealedText[] =>
  parts.flatMap((part) =>
    part.kind === 'table'
      ? part.rows.flat().map(({ text }): ConcealedText => ({ text, how: 'hidden' }))
      : [{ text: part.text, how: 'hidden' as const }],
  );

/** @throws document_unreadable for a damaged file, or one beyond the limits */
export function readPresentation(parts: PackageParts): Flow {
  const flow = emptyFlow();
  const main =
    [...linksOf(parts, '').values()].find(({ type }) => type === 'officeDocument')?.target ??
    'ppt/presentation.xml';
  const links = linksOf(parts, main);
  const list = descend(parts.readXml(main) ?? undefined, 'presentation', 'sldIdLst');
  for (const { attributes } of list ? elementsOf(list) : []) {
    // `id` and `r:id` share a local name; the link's comes second.
    const target = links.get(attributes.id ?? '')?.target;
    const slide = target === undefined ? undefined : childNamed(parts.readXml(target) ?? undefined, 'sld');
    const tree = descend(slide, 'cSld', 'spTree');
    if (target === undefined || !slide || !tree) continue;
    const read = [...treeParts(tree), ...chartParts(parts, target)];
    const notes = [...linksOf(parts, target).values()].find(({ type }) => type === 'notesSlide');
    const noteTree = notes && descend(parts.readXml(notes.target) ?? undefined, 'notes', 'cSld', 'spTree');
    const noteParts = noteTree
      ? elementsOf(noteTree)
          .filter((shape) => placeholderOf(shape) === 'body')
          .flatMap(shapeParts)
      : [];
    const all = [...read, ...noteParts.map((part) => (part.kind === 'table' ? part : paragraph(part.text)))];
    const section: FlowSection =
      slide.attributes.show === '0'
        ? { kind: 'slide', parts: [{ ...paragraph(''), concealed: textsOf(all) }] }
        : { kind: 'slide', parts: all };
    flow.sections.push(section);
  }
  flow.active.push(...officeActiveParts(parts));
  return flow;
}
