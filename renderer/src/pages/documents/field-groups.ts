/** Fields in the groups a reader looks for. Names come from the server's templates; unknown ones form the last group. */
import type { DocumentsResult } from '../../../../server/api/services/documents.ts';
import { en } from '../../strings/en.ts';
import { t } from '../../strings/t.ts';

export type Field = DocumentsResult['fields'][string];
export type GroupName = 'document' | 'parties' | 'amounts' | 'person' | 'items' | 'pairs';

export interface FieldGroup {
  name: GroupName;
  fields: [name: string, field: Field][];
}

const patterns: [GroupName, RegExp][] = [
  ['parties', /^(seller|buyer|vendor|supplier|customer|issuer|bill_to|ship_to|payee)/],
  [
    'amounts',
    /^(subtotal|total|tax|vat|gst|sst|discount|shipping|rounding|amount|balance|currency|paid)|_(total|amount|tax)$/,
  ],
  [
    'person',
    /^(surname|given|name$|full_name|sex|gender|nationality|birth|date_of_birth|place_of_birth|address|religion|citizenship|mrz|personal|passport|mykad|ic_)/,
  ],
  [
    'document',
    /^(number|invoice|receipt|document|date|due|issue|expiry|order|po_|purchase|reference|terms|payment_terms|bank_|account_|iban|bic|period|country|authority|type)/,
  ],
];

const order: GroupName[] = ['document', 'parties', 'person', 'items', 'amounts', 'pairs'];

export type LineItem = Extract<Field['value'], unknown[]>[number];

export const isItems = (field: Field): field is Field & { value: LineItem[] } => Array.isArray(field.value);

export function toGroups(result: DocumentsResult): FieldGroup[] {
  const groups = new Map<GroupName, FieldGroup['fields']>();
  for (const [name, field] of Object.entries(result.fields)) {
    const group = groupOf(name, field, result.type);
    groups.set(group, [...(groups.get(group) ?? []), [name, field]]);
  }
  return order.flatMap((name) => {
    const fields = groups.get(name);
    // The lines come first: taxes are computed from them.
    return fields
      ? [
          {
            name,
            fields: fields.toSorted(([a], [b]) => Number(b === 'line_items') - Number(a === 'line_items')),
          },
        ]
      : [];
  });
}

function groupOf(name: string, field: Field, type: string): GroupName {
  if (isItems(field)) return 'items';
  if (type === 'generic' || /^(?:custom|own):/.test(type)) return 'pairs';
  return patterns.find(([, pattern]) => pattern.test(name))?.[0] ?? 'pairs';
}

const written: Record<string, string> = {
  ...Object.fromEntries(
    ['bic', 'iban', 'tin', 'sst', 'gst', 'vat', 'mrz', 'po', 'ip', 'url'].map((word) => [
      word,
      word.toUpperCase(),
    ]),
  ),
  mykad: 'MyKad',
};

type KnownName = keyof typeof en.documents.names;

const known = (name: string): name is KnownName => Object.hasOwn(en.documents.names, name);

/** `due_date` → `Due date` in the interface's language, `bic` → `BIC`; names of generic pairs stay as the page prints them. */
export function toLabel(name: string): string {
  if (known(name)) return t(`documents.names.${name}`);
  if (!/^(?:(?:custom|own):)?[a-z0-9_.-]+$/.test(name)) return name;
  const words = name
    .replace(/^(?:custom|own):/, '')
    .split(/[_.-]/)
    .map((word) => written[word] ?? word)
    .join(' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const amount = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 });

/** @param name of the field or column: rates are percentages */
export function toText(value: Field['value'], currency?: string | null, name?: string): string {
  if (value === null || Array.isArray(value)) return '';
  if (typeof value === 'number' && name && /(?:^|_)rate$/.test(name)) return `${value} %`;
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  if (typeof value === 'number') return currency ? `${amount.format(value)} ${currency}` : String(value);
  return String(value);
}

/** The parts of a total that are there, and what they add up to where that is another; null: all is well, or unknown. */
export function sumThatDiffers({ fields }: DocumentsResult): { sum: string; total: string } | null {
  const of = (name: string): number | null => {
    const value = fields[name]?.value;
    return typeof value === 'number' ? value : null;
  };
  const [subtotal, total] = [of('subtotal'), of('total')];
  if (subtotal === null || total === null) return null;
  const sum = ['tax', 'shipping', 'service_charge', 'rounding'].reduce(
    (all, name) => all + (of(name) ?? 0),
    subtotal,
  );
  const discount = Math.abs(of('discount') ?? 0);
  // A subtotal may stand before or after its discount, with its tax in it or not.
  const sums = [sum, sum - discount, subtotal, subtotal - discount];
  if (sums.some((each) => Math.abs(each - total) < 0.055)) return null;
  return { sum: amount.format(sum - discount), total: amount.format(total) };
}

/** As printed, where that says more than the value: not for another spacing or line break alone. */
export function printedForm(raw: string | null | undefined, text: string): string | null {
  const bare = (one: string) => one.replace(/[\s,;]+/g, '');
  return raw && bare(raw) !== bare(text) ? raw : null;
}

/** Columns of a list of line items, in the order they first appear. */
export const itemColumns = (items: LineItem[]): string[] => [
  ...new Set(items.flatMap((item) => Object.keys(item))),
];
