/** Answers of a filled form: its checkboxes with labels, and its signature fields. */

import { centreY, contains, overlap } from '../../vision/geometry.ts';
import {
  type Document,
  type Page,
  type Segment,
  type SignatureElement,
  toLocated,
  type Word,
} from '../document.ts';
import { checkboxGroups } from '../elements/checkbox-groups.ts';

import { toRows, toSegments } from '../layout/segments.ts';

import type { Widget } from '../pdf/form-fields.ts';
import type { DigitalSignature } from '../signing/digital-signatures.ts';
import type { Checkbox, Signature } from '../types.ts';

const maxLabelDistance = 220;

/** Text on the same line: to the right of a box to tick, to the left of a field to write in; else the other side. */
function labelBeside(widget: Widget, page: Page): string {
  const [x0, y0, x1, y1] = widget.box;
  const sameLine = (word: Word): boolean =>
    overlap(y0 - 2, y1 + 2, word.box[1], word.box[3]) >
    0.5 * Math.min(y1 - y0 + 4, word.box[3] - word.box[1]);
  // The tick, or the value, is drawn as text as well.
  const words = page.words.filter(
    (word) => !word.turned && sameLine(word) && !contains(widget.box, word.box),
  );
  const row = toRows(words).flatMap((line) => toSegments(line, 1.2));
  const right = row
    .filter((segment) => segment.box[0] >= x1 - 2 && segment.box[0] - x1 < maxLabelDistance)
    .sort((a, b) => a.box[0] - b.box[0])[0];
  const left = row
    .filter((segment) => segment.box[2] <= x0 + 2 && x0 - segment.box[2] < maxLabelDistance)
    .sort((a, b) => b.box[2] - a.box[2])[0];
  if (widget.kind === 'text' || widget.kind === 'choice')
    return (left ?? labelAbove(widget, page))?.text ?? '';
  if (right && (!left || right.box[0] - x1 <= 2 * (x0 - left.box[2]) + 6)) return right.text;
  return left?.text ?? '';
}

/** The nearest line right above a field, over it. */
function labelAbove(widget: Widget, page: Page): Segment | undefined {
  const [x0, y0, x1] = widget.box;
  const words = page.words.filter(
    (word) =>
      !word.turned &&
      word.box[3] <= y0 + 3 &&
      y0 - word.box[3] < 1.5 * word.size &&
      overlap(x0, x1, word.box[0], word.box[2]) > 0,
  );
  return toRows(words)
    .flatMap((line) => toSegments(line, 1.2))
    .at(-1);
}

/** Field names such as `topmostSubform[0].Page1[0].c1_1[0]` say nothing to a person: only their last part is kept. */
export const shortName = (name: string): string =>
  (name.split('.').at(-1) ?? name).replace(/\[\d+\]$/, '').trim();

export function widgetLabel(widget: Widget, page: Page | undefined): string {
  const beside = page ? labelBeside(widget, page) : '';
  // A single character is the mark of a neighbouring box, not a label.
  const label = beside.replace(/\s*[:：]\s*$/, '');
  return (label.length > 1 && label) || widget.caption || widget.choice || shortName(widget.name);
}

/** Checkboxes and radio buttons of the form, and drawn ones, from top to bottom. */
export function formCheckboxes(document: Document): Checkbox[] {
  return document.pages.flatMap((page) => {
    const exact = document.widgets
      .filter(({ kind, page: number }) => (kind === 'checkbox' || kind === 'radio') && number === page.number)
      .map((widget) => ({ ...widget, label: widgetLabel(widget, page), confidence: 1 }));
    const drawn = document.checkboxes
      .filter((found) => found.page === page)
      .map((found) => ({ ...found, bbox: page.toView(found.box) }));
    const all = [...exact, ...drawn];
    const groups = checkboxGroups(all, page.words);
    return all
      .map(({ label, checked, confidence, bbox }, at): Checkbox => {
        const group = groups[at] ? { group: groups[at] } : {};
        return { label, ...group, checked, confidence, page: page.number, bbox };
      })
      .sort((a, b) => centreY(a.bbox) - centreY(b.bbox) || a.bbox[0] - b.bbox[0]);
  });
}

const digitalDetails = ({ signer, signedAt, integrity }: DigitalSignature): Partial<Signature> => ({
  ...(signer ? { signer } : {}),
  ...(signedAt ? { signedAt } : {}),
  integrity,
});

/**
 * Signature fields, signed or not. Where the file does not tell which field a signature belongs to, fields that show
 * something are taken for the signed ones.
 */
function digitalSignatures(document: Document): Signature[] {
  const fields = document.widgets.filter((widget) => widget.kind === 'signature');
  const signatures = document.digitalSignatures;
  const unassigned = signatures.filter((signature) => signature.field === null);
  const allSigned = unassigned.length >= fields.length;
  return fields.map((widget) => {
    const own = signatures.find((signature) => signature.field === shortName(widget.name));
    const guessed = !own && unassigned.length > 0 && (allSigned || widget.drawn);
    const details = own ?? (guessed && fields.length === 1 ? unassigned[0] : undefined);
    return {
      kind: 'digital' as const,
      label: widget.caption || shortName(widget.name),
      signed: own !== undefined || guessed,
      ...(details ? digitalDetails(details) : {}),
      confidence: own || unassigned.length === 0 || allSigned ? 1 : 0.8,
      page: widget.page,
      bbox: widget.bbox,
    };
  });
}

/** Signature fields of the form, and what was signed or stamped by hand, from top to bottom. */
export function allSignatures(document: Document): Signature[] {
  const digital = digitalSignatures(document);
  // A signed field shows its signature as a picture.
  const inField = (mark: SignatureElement): boolean =>
    digital.some(
      ({ page, bbox }) => page === mark.page.number && contains(bbox, mark.page.toView(mark.box), 0.01),
    );
  const ink = document.inkSignatures
    .filter((mark) => !inField(mark))
    .map((mark) => ({ kind: mark.kind, label: mark.label, signed: mark.signed, ...toLocated(mark) }));
  return [...digital, ...ink].sort((a, b) => a.page - b.page || centreY(a.bbox) - centreY(b.bbox));
}
