/** Letters, statements and forms of labels with values, family by family: how a label stands to its value is a family's own. */

import { type Chance, createChance } from '../specimens/chance.ts';
import { inventFirm } from './parties.ts';
import { inventDay, isHeldBack, printDay } from './receipts.ts';
import { Sheet } from './sheet.ts';

export interface PairsPaper {
  family: number;
  sheet: Sheet;
  /** Values as printed, by label as printed. */
  pairs: Record<string, string>;
}

const people = [
  'Aminah Yusof',
  'Tan Wei Ling',
  'R. Kumar',
  'Greta Olsen',
  'Marek Zima',
  'Ivo Brandt',
  'Chen Jing',
  'Lucía Pardo',
];
const labels: Record<string, { names: string[]; value: (chance: Chance) => string }> = {
  name: {
    names: ['Name', 'Full Name', 'Account Holder', 'Applicant', 'Nama', 'Kontoinhaber', '姓名', 'Patient'],
    value: (chance) => chance.pick(people),
  },
  reference: {
    names: ['Our Ref', 'Reference No.', 'File No', 'No. Rujukan', 'Aktenzeichen', '编号', 'Policy Number'],
    value: (chance) => `${chance.pick(['KL', 'AB', 'PR'])}/${chance.digits(4)}/${chance.digits(2)}`,
  },
  date: {
    names: ['Date', 'Statement Date', 'Tarikh', 'Datum', '日期', 'Issued on'],
    value: (chance) => printDay(inventDay(chance), 3),
  },
  account: {
    names: ['Account No', 'Account Number', 'No. Akaun', 'Kontonummer', 'Customer No.', '账号'],
    value: (chance) => `${chance.digits(4)} ${chance.digits(4)} ${chance.digits(2)}`,
  },
  status: {
    names: ['Status', 'Marital Status', 'Type of cover', 'Payment method', 'Jenis'],
    value: (chance) => chance.pick(['Active', 'Single', 'Third party', 'Direct debit', 'Bulanan']),
  },
  department: {
    names: ['Department', 'Branch', 'Occupation', 'Jabatan', 'Abteilung', 'Course'],
    value: (chance) =>
      chance.pick(['Records', 'Kuching Utara', 'Civil engineer', 'Marine Biology', 'Klaim Motor']),
  },
  period: {
    names: ['Period', 'Billing period', 'Tempoh', 'Zeitraum'],
    value: (chance) => `${printDay(inventDay(chance), 0)} - ${printDay(inventDay(chance), 0)}`,
  },
  amount: {
    names: ['Opening balance', 'Amount due', 'Premium', 'Baki', 'Betrag'],
    value: (chance) => `${chance.below(9)},${chance.digits(3)}.${chance.digits(2)}`,
  },
  phone: {
    names: ['Telephone', 'Phone', 'No. Telefon', 'Mobile', 'Telefon'],
    value: (chance) => `+60 1${chance.digits(1)}-${chance.digits(3)} ${chance.digits(4)}`,
  },
};

type Style =
  | 'colon'
  | 'column'
  | 'spaced colons'
  | 'plain'
  | 'two columns'
  | 'leaders'
  | 'stacked'
  | 'grid'
  | 'bilingual';
const styles: Style[] = [
  'colon',
  'column',
  'spaced colons',
  'plain',
  'two columns',
  'leaders',
  'stacked',
  'grid',
  'bilingual',
];

export function makePairs(family: number, seed: number): PairsPaper {
  const style = createChance(31_000 + family);
  const chance = createChance(300_000 * (family + 1) + seed);
  const sheet = new Sheet(595, {
    margin: style.pick([45, 60, 75]),
    size: style.pick([9, 10, 11]),
    leading: style.pick([1.35, 1.6, 1.9]),
    top: 60,
  });
  const kind = styles[family % styles.length]!;
  const firm = inventFirm('gb', chance);
  if (style.happens(0.7))
    sheet
      .line(firm.name, 'left', { size: 15, bold: true })
      .line(firm.address.join(', '), 'left', { size: 8 })
      .down(1.5);
  if (style.happens(0.6))
    sheet
      .line(
        style.pick(['STATEMENT OF ACCOUNT', 'APPLICATION FORM', 'POLICY SCHEDULE', 'MAKLUMAT PEMOHON']),
        style.pick(['left', 'center']),
      )
      .down(1);
  const kinds = Object.keys(labels).filter(() => style.happens(0.75));
  const rows = kinds.map((key): [string, string] => [
    style.pick(labels[key]!.names),
    labels[key]!.value(chance),
  ]);
  const bold = isHeldBack(family) ? false : style.happens(0.5);
  const [left, gap] = [sheet.margin, style.pick([110, 140, 180])];
  const gridGap = 170;
  switch (kind) {
    case 'colon':
      for (const [label, value] of rows) sheet.line(`${label}: ${value}`, 'left');
      break;
    case 'column':
      for (const [label, value] of rows)
        sheet
          .at(`${label}:`, left, { bold })
          .at(value, left + gap)
          .down();
      break;
    case 'spaced colons':
      for (const [label, value] of rows)
        sheet
          .at(label, left, { bold })
          .at(':', left + gap)
          .at(value, left + gap + 12)
          .down();
      break;
    case 'plain':
      for (const [label, value] of rows)
        sheet
          .at(label, left, { bold })
          .at(value, left + gap)
          .down();
      break;
    case 'two columns':
      for (let at = 0; at < rows.length; at += 2) {
        for (const [side, [label, value]] of rows.slice(at, at + 2).entries())
          sheet
            .at(`${label}${style.happens(1) ? ':' : ''}`, left + side * 255, { bold })
            .at(value, left + side * 255 + 105);
        sheet.down();
      }
      break;
    case 'leaders':
      for (const [label, value] of rows) sheet.at(`${label} ${'.'.repeat(12)} ${value}`, left).down();
      break;
    case 'stacked':
      for (const [label, value] of rows) {
        sheet
          .at(label, left, { size: sheet.size - 2, bold })
          .down(1, sheet.size)
          .at(value, left)
          .down(1.5);
      }
      break;
    case 'grid':
      for (let at = 0; at < rows.length; at += 3) {
        const part = rows.slice(at, at + 3);
        for (const [column, [label]] of part.entries())
          sheet.at(label, left + gridGap * column, { size: sheet.size - 2, bold });
        sheet.down(1, sheet.size);
        for (const [column, [, value]] of part.entries()) sheet.at(value, left + gridGap * column);
        sheet.down(1.6);
      }
      break;
    case 'bilingual':
      for (const [label, value] of rows)
        sheet
          .at(`${label} / ${chance.pick(['Butiran', 'Angaben', 'Détails'])} :`, left)
          .at(value, left + gap + 60)
          .down();
      break;
  }
  sheet.down(2);
  if (style.happens(0.5))
    for (const line of [
      'This letter was made by a computer and needs no signature.',
      'Please keep it with your papers and tell us of any change within',
      'fourteen days of receiving it.',
    ])
      sheet.line(line, 'left');
  return { family, sheet, pairs: Object.fromEntries(rows) };
}
