/** Checks that no pattern can make, by the names that `valid` of pii.yml has for them. */
import ipaddr from 'ipaddr.js';
import { isPossiblePhoneNumber, isValidPhoneNumber } from 'libphonenumber-js/max';
import { isAadhaar } from '../../identifiers/aadhaar.ts';
import { isChineseId } from '../../identifiers/chinese-id.ts';
import { isIban } from '../../identifiers/iban.ts';
import { passesLuhn } from '../../identifiers/luhn.ts';
import { isMyKad } from '../../identifiers/mykad.ts';
import { isNationalInsurance } from '../../identifiers/national-insurance.ts';
import { isNhsNumber } from '../../identifiers/nhs.ts';
import { isNik } from '../../identifiers/nik.ts';
import { isNric } from '../../identifiers/nric.ts';
import type { NameWords } from './name-words.ts';

type PiiCheck = (found: string) => boolean;

const countDigits = (found: string): number => found.replace(/\D/g, '').length;

/** First digits and lengths that card schemes use. */
function isCard(found: string): boolean {
  const digits = found.replace(/\D/g, '');
  return (
    /^(?:4|5[0-8]|2[2-7]|3[0-9]|6|1800|2131|9)/.test(digits) &&
    !/^(\d)\1+$/.test(digits) &&
    passesLuhn(digits)
  );
}

/** A full address; `::` and version numbers are none. */
function isAddress(found: string): boolean {
  return (
    found.length > 3 &&
    (ipaddr.IPv4.isValidFourPartDecimal(found) || (ipaddr.IPv6.isValid(found) && /[\da-f]/i.test(found)))
  );
}

/** Random-looking enough for a secret: letters and digits mixed, few repeats. */
function looksRandom(found: string): boolean {
  return /\d/.test(found) && /[a-z]/i.test(found) && new Set(found).size >= Math.min(10, found.length / 2);
}

/** A Malaysian street alone is a place; with a house number or a postcode it is somebody's address. */
function isMalayAddress(found: string): boolean {
  return /^(?:No|Lot|Unit|Blok|PT|Batu)\b/.test(found)
    ? /\d/.test(found)
    : /^\d|\b\d{5}\b|^\P{N}{9,40} \d{1,4}[A-Z]?$/u.test(found);
}

const checks = {
  aadhaar: isAadhaar,
  bank_account: (found) => countDigits(found) >= 8 && countDigits(found) <= 17,
  card: isCard,
  chinese_id: isChineseId,
  chinese_phone: (found) => isValidPhoneNumber(found, 'CN'),
  iban: isIban,
  ip_address: isAddress,
  ipv6_address: (found) => found.length > 7 && isAddress(found),
  malay_address: isMalayAddress,
  malaysian_phone: (found) => isValidPhoneNumber(found, 'MY'),
  mykad: isMyKad,
  national_insurance: isNationalInsurance,
  nhs_number: isNhsNumber,
  nik: isNik,
  nric: isNric,
  phone_length: (found) => countDigits(found) >= 7 && countDigits(found) <= 15,
  possible_phone: (found) => isPossiblePhoneNumber(found.replace('(0)', '')),
  random: looksRandom,
} satisfies Record<string, PiiCheck>;

const nameChecks = {
  begins_given: (words, found) => words.beginsGiven(found),
  chinese_name: (words, found) => words.isChineseName(found),
  given_name: (words, found) => words.beginsGiven(found) && words.isName(found),
  name: (words, found) => words.isName(found),
} satisfies Record<string, (words: NameWords, found: string) => boolean>;

type PiiCheckName = keyof typeof checks | keyof typeof nameChecks;
export const piiCheckNames = [...Object.keys(checks), ...Object.keys(nameChecks)] as PiiCheckName[];

export const piiCheck = (name: PiiCheckName, words: NameWords): PiiCheck =>
  name in nameChecks
    ? (found) => nameChecks[name as keyof typeof nameChecks](words, found)
    : checks[name as keyof typeof checks];
