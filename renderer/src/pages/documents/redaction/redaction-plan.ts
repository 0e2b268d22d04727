/** The places that a person can black out: fields, signatures, personal data. Pure. */
import type { DocumentsResult } from '../../../../../server/api/services/documents.ts';
import type { RedactRequest, RedactResult } from '../../../../../server/api/services/redaction.ts';
import { t } from '../../../strings/t.ts';
import { isPiiKind } from '../../moderation/categories.ts';
import { isItems, toLabel } from '../field-groups.ts';

export interface Target {
  id: string;
  label: string;
  page: number;
  bbox: number[];
  /** The text read there; empty for signatures. */
  text: string;
  /** Tells of a person, an account or an identity: such are chosen to begin with. */
  personal: boolean;
}

/** Ways by which a place came to the list, by the beginning of its id. */
const rules = { field: 'field', signature: 'signature', pii: 'found', drawn: 'drawn' } as const;
export type Rule = (typeof rules)[keyof typeof rules];

export const ruleOf = ({ id }: Pick<Target, 'id'>): Rule =>
  rules[id.split(':')[0] as keyof typeof rules] ?? 'field';

/** The name of a place: a kind of personal data by the words of Moderation, a field by its own. */
export const targetName = (target: Pick<Target, 'id' | 'label'>): string =>
  ruleOf(target) === 'found' && isPiiKind(target.label)
    ? t(`moderation.kinds.${target.label}`)
    : toLabel(target.label);

/** Places that are chosen together: all fields, all signatures, all boxes, and each kind of personal data of its own. */
export interface TargetKind {
  key: string;
  rule: Rule;
  /** The kind of personal data; empty for the others. */
  label: string;
  ids: string[];
}

export function toKinds(targets: readonly Target[]): TargetKind[] {
  const kinds = new Map<string, TargetKind>();
  for (const target of targets) {
    const rule = ruleOf(target);
    const label = rule === 'found' ? target.label : '';
    const key = `${rule}:${label}`;
    const kind = kinds.get(key) ?? { key, rule, label, ids: [] };
    kinds.set(key, { ...kind, ids: [...kind.ids, target.id] });
  }
  return [...kinds.values()];
}

/** Ids of all that is painted by one and the same box as `id`: one that stays would keep the place black. */
export function samePlace(targets: readonly Target[], id: string): string[] {
  const chosen = targets.find((target) => target.id === id);
  if (!chosen) return [id];
  const isSame = (target: Target) =>
    target.page === chosen.page && inside(target.bbox, chosen.bbox) && inside(chosen.bbox, target.bbox);
  return targets.filter((target) => target.id === id || isSame(target)).map((target) => target.id);
}

const personalName =
  /name|address|birth|applicant|spouse|guarantor|contact|holder|patient|beneficiary|next_of_kin|pemohon|pasangan|penjamin|number|mrz|personal|phone|email|iban|account|tax_id|registration|postcode|city|passport|mykad|(?:^|_)ic(?:_|$)|nama|alamat|telefon|姓名|地址|电话/i;
const personalText = /@|(?:\d[\s-]?){9,}/;
/** Numbers of papers are no persons'. */
const impersonal = /^(?:invoice|order|purchase)/i;

export function toTargets(result: DocumentsResult): Target[] {
  const fields = Object.entries(result.fields).flatMap(([name, field]): Target[] => {
    if (!field.bbox || !field.page || isItems(field)) return [];
    const text = field.raw ?? String(field.value ?? '');
    const personal = !impersonal.test(name) && (personalName.test(name) || personalText.test(text));
    return [{ id: `field:${name}`, label: name, page: field.page, bbox: field.bbox, text, personal }];
  });
  const signatures = result.signatures.map(
    ({ page, bbox, label, signer }, index): Target => ({
      id: `signature:${index}`,
      label: label ?? signer ?? `signature ${index + 1}`,
      page,
      bbox,
      text: '',
      personal: true,
    }),
  );
  // A currency that an amount told has its place, and the amount is listed.
  const told = ({ id, label }: Target) => label === 'currency' && samePlace(fields, id).length > 1;
  return [...fields.filter((field) => !told(field)), ...signatures];
}

type Redactions = RedactResult['redactions'];

/** Offered, not chosen: on most papers they say nothing of a person. */
const seldomPersonal = new Set(['organization', 'place', 'date', 'job_title']);

/** Personal data that the server found in the text. */
export const toPersonalTargets = (found: Redactions): Target[] =>
  found.map(
    ({ label, page, bbox, text = '' }, index): Target => ({
      id: `pii:${page}:${index}`,
      label,
      page,
      bbox,
      text,
      personal: !seldomPersonal.has(label),
    }),
  );

type Box = number[];

const inside = ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: Box, [a0 = 0, b0 = 0, a1 = 0, b1 = 0]: Box): boolean => {
  const [x, y] = [(a0 + a1) / 2, (b0 + b1) / 2];
  return x >= x0 && x <= x1 && y >= y0 && y <= y1 && a1 - a0 <= (x1 - x0) * 1.05;
};

const overlap = ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: Box, [a0 = 0, b0 = 0, a1 = 0, b1 = 0]: Box): boolean =>
  Math.min(x1, a1) > Math.max(x0, a0) && Math.min(y1, b1) > Math.max(y0, b0);

/** Whole words alone are compared. */
const folded = (text: string): string =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `;

/** Short words are parts of many others. */
const minTold = 3;

/**
 * Both, but what was found lies in no box of `fields`, which are painted with their own words. A field that holds personal data found
 * there, or elsewhere on the pages, is personal, whatever its name.
 */
export const withPersonal = (fields: readonly Target[], found: readonly Target[]): Target[] => [
  ...fields.map((field) => {
    const holds = found.some(
      ({ page, bbox, text, personal }) =>
        personal &&
        ((page === field.page && overlap(field.bbox, bbox)) ||
          (text.trim().length >= minTold && folded(field.text).includes(folded(text)))),
    );
    return holds ? { ...field, personal: true } : field;
  }),
  ...found.filter(
    (target) => !fields.some(({ page, bbox }) => page === target.page && inside(bbox, target.bbox)),
  ),
];

/** The chosen places as the server takes them. */
export const toAreas = (targets: readonly Target[]): RedactRequest['areas'] =>
  targets.map(({ page, bbox, label, text }) => ({
    page,
    bbox,
    label: label.slice(0, 200),
    ...(text && { text: text.slice(0, 10_000) }),
  }));
