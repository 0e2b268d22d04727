/** Kinds of lines of a letterhead or a receipt's head: titles, contacts, beginnings and ends of addresses. */

import { documentWords } from '../../../vocabulary/words.ts';

/** True for the title of a paper, in two languages too: `FAKTURA / Invoice`. */
export const isTitle = (line: string): boolean =>
  line.split('/').every((part) => documentWords().parties.title.test(part.trim()));
export const isMostlyDigits = (line: string): boolean =>
  line.replace(/\D/g, '').length > 0.4 * line.replace(/\s/g, '').length;

/** True if a line may begin an address by itself. */
export const isAddressLike = (line: string): boolean =>
  documentWords().parties.address_sign.test(line) ||
  documentWords().parties.unit_number.test(line) ||
  documentWords().parties.street_and_number.test(line);

/** True if a line begins with the number of a house or unit. */
export const beginsWithHouse = (line: string): boolean =>
  documentWords().parties.unit_number.test(line) ||
  documentWords().parties.house_word.test(line) ||
  /^\d{1,4}\s?[A-Z]?[,\s]/.test(line);

export const isUnitNumber = (line: string): boolean => documentWords().parties.unit_number.test(line);

/** True if a line ends the address above it. */
export const endsAddress = (line: string): boolean =>
  documentWords().parties.contact.test(line) ||
  isTitle(line) ||
  documentWords().parties.address_end.test(line.trim()) ||
  documentWords().parties.seller_label.test(line) ||
  documentWords().parties.buyer_label.test(line) ||
  /\d{1,2}:\d{2}/.test(line) ||
  (documentWords().parties.other_label.test(line) && !documentWords().parties.address_sign.test(line)) ||
  (/\d[.,]\d{2}\b/.test(line) && documentWords().amounts.some(({ pattern }) => pattern.test(line)));

/** `Thank you for shopping with …`: not a name, whoever it names. */
export const isGreeting = (line: string): boolean =>
  documentWords().parties.greeting.test(line) && !documentWords().parties.company.test(line);
