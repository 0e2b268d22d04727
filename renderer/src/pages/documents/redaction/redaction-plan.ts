/** The areas to black out: the boxes of chosen fields, and which texts must be gone afterwards. */
import type { DocumentsResult } from '../../../../../server/api/services/documents.ts';
import { isItems } from '../field-groups.ts';

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

const personalName =
  /name|address|birth|number|mrz|personal|phone|email|iban|account|tax_id|registration|postcode|city|passport|mykad|(?:^|_)ic(?:_|$)|nama|alamat|telefon|姓名|地址|电话/i;
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
  return [...fields, ...signatures];
}

/** Ink may reach a little beyond its box: as much is added on every side, as a share of the page. */
const margin = 0.003;

export const toBurn = ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: number[]): [number, number, number, number] => [
  Math.max(0, x0 - margin),
  Math.max(0, y0 - margin),
  Math.min(1, x1 + margin),
  Math.min(1, y1 + margin),
];

const wordsOf = (text: string): string[] => text.toUpperCase().match(/[\p{L}\d]+/gu) ?? [];

/** As long as this a text counts as readable inside other words too: recognition may have lost the spaces. */
const tellingLength = 6;

/** Chosen texts that can still be read. Shorter ones than three characters stand anywhere. */
export function stillReadable(targets: Target[], text: string): Target[] {
  const words = wordsOf(text);
  const [spaced, squeezed] = [` ${words.join(' ')} `, words.join('')];
  const isReadable = (line: string): boolean => {
    const own = wordsOf(line);
    const joined = own.join('');
    if (joined.length < 3) return false;
    return (
      spaced.includes(` ${own.join(' ')} `) || (joined.length >= tellingLength && squeezed.includes(joined))
    );
  };
  return targets.filter((target) => target.text.split('\n').some(isReadable));
}
