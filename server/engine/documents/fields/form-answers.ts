/** What a filled form answers: its checkboxes with labels, and its signature fields. */

import { centreY, overlap, type Page, type Word } from '../layout/page.ts';
import { toRows, toSegments } from '../layout/segments.ts';
import type { Document } from '../parse.ts';
import type { Widget } from '../pdf/form-fields.ts';
import type { Checkbox, Signature } from '../types.ts';

const maxLabelDistance = 220;

/** The text to the right of a box, else to its left, on the same line. */
function labelBeside(widget: Widget, page: Page): string {
  const [x0, y0, x1, y1] = widget.box;
  const sameLine = (word: Word): boolean =>
    overlap(y0 - 2, y1 + 2, word.box[1], word.box[3]) >
    0.5 * Math.min(y1 - y0 + 4, word.box[3] - word.box[1]);
  const row = toRows(page.words.filter((word) => !word.turned && sameLine(word))).flatMap((words) =>
    toSegments(words, 1.2),
  );
  const gapRight = (left: number): number => left - x1;
  const after = row.filter((s) => s.box[0] >= x1 - 2 && gapRight(s.box[0]) < maxLabelDistance);
  const before = row.filter((s) => s.box[2] <= x0 + 2 && x0 - s.box[2] < maxLabelDistance);
  const right = after.sort((a, b) => a.box[0] - b.box[0])[0];
  const left = before.sort((a, b) => b.box[2] - a.box[2])[0];
  if (right && (!left || right.box[0] - x1 <= 2 * (x0 - left.box[2]) + 6)) return right.text;
  return left?.text ?? '';
}

/** Field names such as `topmostSubform[0].Page1[0].c1_1[0]` say nothing to a person: only their last part is kept. */
export const shortName = (name: string): string =>
  (name.split('.').at(-1) ?? name).replace(/\[\d+\]$/, '').trim();

export function widgetLabel(widget: Widget, page: Page | undefined): string {
  const beside = page ? labelBeside(widget, page) : '';
  return beside || widget.caption || widget.choice || shortName(widget.name);
}

export function formCheckboxes(document: Document): Checkbox[] {
  return document.widgets
    .filter((widget) => widget.kind === 'checkbox' || widget.kind === 'radio')
    .sort((a, b) => a.page - b.page || centreY(a.bbox) - centreY(b.bbox) || a.bbox[0] - b.bbox[0])
    .map((widget) => ({
      label: widgetLabel(
        widget,
        document.pages.find((page) => page.number === widget.page),
      ),
      checked: widget.checked,
      confidence: 1,
      page: widget.page,
      bbox: widget.bbox,
    }));
}

export function formSignatures(document: Document): Signature[] {
  return document.widgets
    .filter((widget) => widget.kind === 'signature')
    .map((widget) => ({
      label: widget.caption || shortName(widget.name),
      signed: widget.checked,
      confidence: 1,
      page: widget.page,
      bbox: widget.bbox,
    }));
}
