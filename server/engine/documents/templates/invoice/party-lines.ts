/** Kinds of lines of a letterhead or a receipt's head: titles, contacts, beginnings and ends of addresses. */

import { words } from '../../vocabulary/words.ts';

export const isTitle = (line: string): boolean => words().parties.title.test(line.trim());
export const isMostlyDigits = (line: string): boolean =>
  line.replace(/\D/g, '').length > 0.4 * line.replace(/\s/g, '').length;

/** True if a line may begin an address by itself. */
export const isAddressLike = (line: string): boolean =>
  words().parties.address_sign.test(line) ||
  words().parties.unit_number.test(line) ||
  words().parties.street_and_number.test(line);

/** True if a line begins with the number of a house or unit. */
export const beginsWithHouse = (line: string): boolean =>
  words().parties.unit_number.test(line) ||
  words().parties.house_word.test(line) ||
  /^\d{1,4}\s?[A-Z]?[,\s]/.test(line);

export const isUnitNumber = (line: string): boolean => words().parties.unit_number.test(line);

/** True if a line ends the address above it. */
export const endsAddress = (line: string): boolean =>
  words().parties.contact.test(line) ||
  isTitle(line) ||
  words().parties.address_end.test(line.trim()) ||
  words().parties.seller_label.test(line) ||
  words().parties.buyer_label.test(line) ||
  /\d{1,2}:\d{2}/.test(line) ||
  (words().parties.other_label.test(line) && !words().parties.address_sign.test(line)) ||
  (/\d[.,]\d{2}\b/.test(line) && words().amounts.some(({ pattern }) => pattern.test(line)));

/** `Thank you for shopping with …`: not a name, whoever it names. */
export const isGreeting = (line: string): boolean =>
  words().parties.greeting.test(line) && !words().parties.company.test(line);
