/** Machine-readable zones of invented travellers with right check digits, in every form of ICAO Doc 9303. */

import { checkDigit } from '../../../../server/engine/documents/mrz/mrz-check.ts';
import type { MrzFormat } from '../../../../server/engine/documents/mrz/mrz-layouts.ts';
import type { Chance } from './chance.ts';
import { inventTraveller, type Traveller } from './people.ts';

export interface MrzTruth extends Traveller {
  format: MrzFormat;
  lines: string[];
  issuer: string;
  number: string;
  nationality: string;
  /** YYYY-MM-DD. */
  birthDate: string;
  expiryDate: string;
}

export const mrzFormats: MrzFormat[] = ['TD3', 'TD1', 'TD2', 'MRV-A', 'MRV-B'];

/** Utopia and the codes that Doc 9303 reserves for organizations: no country is portrayed. */
const issuers = ['UTO', 'XOM', 'XXA', 'UNO', 'XPO', 'D<<', 'EUE'];
const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ';

const two = (value: number): string => String(value).padStart(2, '0');
const fill = (text: string, length: number): string => text.padEnd(length, '<').slice(0, length);
const coded = (text: string): string => text.replace(/[ '-]/g, '<');
const short = (date: string): string => date.slice(2).replaceAll('-', '');
const checked = (text: string): string => text + checkDigit(text);

function inventNumber(chance: Chance): string {
  const shape = chance.below(3);
  if (shape === 0) return chance.pick([...letters]) + chance.digits(8);
  if (shape === 1) return chance.digits(9);
  return chance.pick([...letters]) + chance.pick([...letters]) + chance.digits(6);
}

function inventDates(chance: Chance): { birthDate: string; expiryDate: string } {
  const date = (year: number): string => `${year}-${two(1 + chance.below(12))}-${two(1 + chance.below(28))}`;
  return { birthDate: date(1945 + chance.below(65)), expiryDate: date(2027 + chance.below(9)) };
}

interface Facts {
  code: string;
  issuer: string;
  names: string;
  number: string;
  birth: string;
  sex: string;
  expiry: string;
  optional: string;
}

function threeLines({ code, issuer, names, number, birth, sex, expiry, optional }: Facts): string[] {
  const first = fill(`${code}${issuer}${checked(fill(number, 9))}${optional}`, 30);
  const [born, until] = [checked(birth), checked(expiry)];
  const composite = checkDigit(`${first.slice(5)}${born}${until}${fill('', 11)}`);
  return [first, `${fill(`${born}${sex}${until}${issuer}`, 29)}${composite}`, fill(names, 30)];
}

function twoLines(facts: Facts, length: 44 | 36, visa: boolean): string[] {
  const { code, issuer, names, number, birth, sex, expiry, optional } = facts;
  const parts = [checked(fill(number, 9)), checked(birth), checked(expiry)] as const;
  const head = `${parts[0]}${issuer}${parts[1]}${sex}${parts[2]}`;
  const first = fill(`${code}${issuer}${names}`, length);
  if (visa) return [first, fill(`${head}${optional}`, length)];
  const rest = length === 44 ? checked(fill(optional, 14)) : fill(optional, 7);
  return [first, `${head}${rest}${checkDigit(parts.join('') + rest)}`];
}

const codes: Record<MrzFormat, readonly string[]> = {
  TD3: ['P<', 'P<', 'PD', 'PM'],
  TD1: ['I<', 'ID', 'AC', 'C<'],
  TD2: ['I<', 'ID'],
  'MRV-A': ['V<', 'VA'],
  'MRV-B': ['V<'],
};

export function inventMrz(chance: Chance, format: MrzFormat): MrzTruth {
  const traveller = inventTraveller(chance);
  const issuer = chance.pick(issuers);
  const number = inventNumber(chance);
  const dates = inventDates(chance);
  const given = traveller.givenNames === '' ? '' : `<<${coded(traveller.givenNames)}`;
  const facts: Facts = {
    code: chance.pick(codes[format]),
    issuer,
    names: `${coded(traveller.surname)}${given}`,
    number,
    birth: short(dates.birthDate),
    sex: traveller.sex,
    expiry: short(dates.expiryDate),
    optional: chance.happens(0.5) ? chance.digits(format === 'TD2' ? 6 : 11) : '',
  };
  const lines =
    format === 'TD1'
      ? threeLines(facts)
      : twoLines(facts, format === 'TD3' || format === 'MRV-A' ? 44 : 36, format.startsWith('MRV'));
  const nationality = issuer.replaceAll('<', '');
  return { ...traveller, ...dates, format, lines, issuer: nationality, nationality, number };
}
