/** The words that invoices, parties and registrations are told by: data of the parse pack, vocabulary/*.tsv. */

import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { EngineError } from '../../engine.ts';
import { expandFragments } from '../../pack-data.ts';

const fields = [
  'invoice_number',
  'invoice_date',
  'due_date',
  'purchase_order',
  'payment_terms',
  'bank_name',
  'bank_account',
  'account_holder',
] as const;
/** Words that no label introduces: in the file of labels, as they tell of the same. */
const paymentWords = ['payment_words', 'payment_sentence', 'bank_words'] as const;
const amountKinds = [
  'total',
  'subtotal',
  'tax',
  'discount',
  'rounding',
  'paid',
  'change',
  'service_charge',
  'shipping',
] as const;
const columns = [
  'description',
  'quantity',
  'unit',
  'unit_price',
  'amount',
  'tax',
  'tax_rate',
  'discount',
  'code',
  'number',
  'date',
] as const;
const partyWords = [
  'company',
  'shop',
  'trade',
  'body',
  'buyer_label',
  'person_label',
  'seller_label',
  'owner_label',
  'trading_name_of',
  'trading_as',
  'post_box',
  'other_date',
  'no_name',
  'payable',
  'delivery_label',
  'address_label',
  'attention',
  'care_of',
  'honorific',
  'contact',
  'phone_word',
  'notice_word',
  'title',
  'statement_title',
  'ledger_head',
  'balance_label',
  'contract_title',
  'paper',
  'sum_word',
  'other_label',
  'address_sign',
  'address_end',
  'unit_number',
  'street_and_number',
  'house_word',
  'department',
  'building',
  'signature',
  'salutation',
  'subject_label',
  'closing',
  'greeting',
  'farewell',
] as const;
const registrationKinds = [
  'tax_id',
  'sst_number',
  'registration_number',
  'iban',
  'bic',
  'email',
  'phone',
  'website',
] as const;
const sectionKinds = ['tax_summary', 'return', 'loyalty'] as const;
/** Rows of words that tills print: each kind of sign is a row. */
const tillKinds = ['till'] as const;
const checks = ['-', 'iban', 'digits'] as const;

/** Kinds of amounts at the foot of an invoice. */
export type AmountKind = (typeof amountKinds)[number];
/** Line-item columns. */
export type ItemColumn = (typeof columns)[number];
export type RegistrationKind = (typeof registrationKinds)[number];

/** A pattern, and how surely what it matches is of its kind, 0..1. */
export interface WordRule<Kind extends string = string> {
  kind: Kind;
  strength: number;
  pattern: RegExp;
}

export interface RegistrationRule extends WordRule<RegistrationKind> {
  check: (typeof checks)[number];
}

export interface DocumentVocabulary {
  labels: Record<(typeof fields)[number], WordRule[]>;
  /** Words of terms of payment, with or without a label. */
  paymentTerms: RegExp;
  /** A sentence that tells them. */
  paymentSentence: RegExp;
  /** Words that stand beside an account of a bank. */
  bankWords: RegExp;
  amounts: WordRule<AmountKind>[];
  /** Lines that look like amounts of the whole but are not. */
  notAmount: RegExp;
  itemColumns: WordRule<ItemColumn>[];
  parties: Record<(typeof partyWords)[number], RegExp>;
  registrations: RegistrationRule[];
  /** Headings of parts of a receipt whose amounts are not the paper's. */
  sections: Record<(typeof sectionKinds)[number], RegExp>;
  /** Words that tills print around the amounts, a kind of sign each: a receipt may have no title. */
  tillWords: WordRule[];
  /** Currencies of papers that name none, or a bare dollar, by what they say of their country; `kind` is its code. */
  countries: WordRule[];
  /** Names of towns, states and countries, as they are written. */
  places: string[];
  /** Traditional characters by the simplified ones that a recognizer reads for them. */
  traditional: ReadonlyMap<string, string>;
}

/** Cells of one row: kind, strength, flags, pattern; registrations have a check before their flags. */
export const vocabularyFiles = {
  labels: { path: 'vocabulary/labels.tsv', columns: 4 },
  amounts: { path: 'vocabulary/amounts.tsv', columns: 4 },
  itemColumns: { path: 'vocabulary/item-columns.tsv', columns: 4 },
  parties: { path: 'vocabulary/parties.tsv', columns: 4 },
  registrations: { path: 'vocabulary/registrations.tsv', columns: 5 },
  sections: { path: 'vocabulary/sections.tsv', columns: 4 },
  till: { path: 'vocabulary/till.tsv', columns: 4 },
  countries: { path: 'vocabulary/countries.tsv', columns: 4 },
  places: { path: 'vocabulary/places.tsv', columns: 4 },
  traditional: { path: 'vocabulary/traditional.tsv', columns: 4 },
} as const;

type FileName = keyof typeof vocabularyFiles;
/** The rows of each file, as they cross to the parsing thread. */
export type VocabularyRows = Record<FileName, string[][]>;

/** `${number}` in a pattern: a word for number. */
const fragments = {
  number: String.raw`(?:no|n0(?=[\s.:：]|$)|nos|nr|num|number|nummer|#|n[°º]|n\.\s?[°ºo](?=[\s.:]|$)|n(?=\.\s?[\p{L}\d/-]{0,9}\d|\.\s*[:：]?\s*$)|núm(?:ero)?|numero|numéro|nombor|bil|numer|号码|编号|号)\.?(?!\p{L})`,
};

const refuse = (path: string, what: string): EngineError =>
  new EngineError('internal_error', `The pack cannot be used: ${path}: ${what}`);

const rowsSchema = (kinds: readonly string[]) =>
  Type.Array(
    Type.Object({
      kind: Type.Enum([...kinds]),
      strength: Type.Number({ minimum: 0, maximum: 1 }),
      check: Type.Enum([...checks]),
      flags: Type.String({ pattern: '^[iu]*$' }),
      source: Type.String({ minLength: 1 }),
    }),
    { minItems: 1 },
  );

/** Letters with a stroke, which are no letter and a sign. */
const stroked: Record<string, string> = { ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D' };

/** The letter without its sign; null for one that has none. */
function bareLetter(letter: string): string | null {
  const bare = stroked[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '');
  return bare !== letter && /^[a-z]$/i.test(bare) ? bare : null;
}

/** The source of a pattern that takes letters without their signs as well: text recognition and tills drop them. */
function withBareLetters(source: string): string {
  let inClass = false;
  return source.replace(/\\.|[[\]]|\P{ASCII}/gu, (sign, at: number) => {
    if (sign === '[' || sign === ']') inClass = sign === '[';
    const bare = bareLetter(sign);
    if (bare === null || source[at - 1] === '-' || source[at + 1] === '-') return sign;
    return inClass ? sign + bare : `[${sign}${bare}]`;
  });
}

type Rule<Kind extends string> = WordRule<Kind> & Pick<RegistrationRule, 'check'>;

function rulesOf<const Kind extends string>(
  path: string,
  kinds: readonly Kind[],
  rows: readonly string[][],
): Rule<Kind>[] {
  const values = rows.map((cells) => ({
    kind: cells[0],
    strength: Number(cells[1]),
    check: cells.length > 4 ? cells[2] : '-',
    flags: cells.at(-2)?.replace('-', ''),
    source: cells.at(-1),
  }));
  if (!Check(rowsSchema(kinds), values)) throw refuse(path, 'a row is not as the schema asks');
  return values.map(({ kind, strength, check, flags, source }) => {
    try {
      const pattern = new RegExp(withBareLetters(expandFragments(source, fragments)), flags);
      return { kind: kind as Kind, strength, check, pattern };
    } catch {
      throw refuse(path, `the pattern of ${kind} is no regular expression`);
    }
  });
}

/** The one pattern of each kind. */
function patternsOf<const Kind extends string>(
  path: string,
  kinds: readonly Kind[],
  rules: Rule<Kind>[],
): Record<Kind, RegExp> {
  const entries = kinds.map((kind) => {
    const rule = rules.find((one) => one.kind === kind);
    if (!rule) throw refuse(path, `${kind} is missing`);
    return [kind, rule.pattern];
  });
  return Object.fromEntries(entries) as Record<Kind, RegExp>;
}

/** @throws EngineError internal_error that names the file whose row is wrong */
export function toVocabulary(rows: VocabularyRows): DocumentVocabulary {
  const read = <const Kind extends string>(name: FileName, kinds: readonly Kind[]): Rule<Kind>[] =>
    rulesOf(vocabularyFiles[name].path, kinds, rows[name]);
  const labels = read('labels', [...fields, ...paymentWords]);
  const payment = patternsOf(
    vocabularyFiles.labels.path,
    paymentWords,
    labels.filter((rule): rule is Rule<(typeof paymentWords)[number]> =>
      paymentWords.some((kind) => kind === rule.kind),
    ),
  );
  const amounts = read('amounts', [...amountKinds, 'not_amount'] as const);
  const labelsOf = (field: (typeof fields)[number]): WordRule[] =>
    labels.filter(({ kind }) => kind === field);
  return {
    labels: Object.fromEntries(
      fields.map((field) => [field, labelsOf(field)]),
    ) as DocumentVocabulary['labels'],
    paymentTerms: payment.payment_words,
    paymentSentence: payment.payment_sentence,
    bankWords: payment.bank_words,
    amounts: amounts.filter((rule): rule is Rule<AmountKind> => rule.kind !== 'not_amount'),
    notAmount: patternsOf(
      vocabularyFiles.amounts.path,
      ['not_amount'],
      amounts.filter((rule): rule is Rule<'not_amount'> => rule.kind === 'not_amount'),
    ).not_amount,
    itemColumns: read('itemColumns', columns),
    parties: patternsOf(vocabularyFiles.parties.path, partyWords, read('parties', partyWords)),
    registrations: read('registrations', registrationKinds),
    sections: patternsOf(vocabularyFiles.sections.path, sectionKinds, read('sections', sectionKinds)),
    tillWords: read('till', tillKinds),
    countries: read('countries', [...new Set(rows.countries.map(([code]) => code!))]),
    places: rows.places.map((cells) => cells.at(-1)!),
    traditional: new Map(
      rows.traditional.flatMap((cells) =>
        (cells.at(-1)!.match(/../gu) ?? []).map((pair): [string, string] => {
          const [simplified, traditional] = pair;
          return [simplified!, traditional!];
        }),
      ),
    ),
  };
}
