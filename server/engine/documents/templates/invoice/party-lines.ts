/** What the lines of a letterhead or a receipt's head are: titles, contacts, beginnings and ends of addresses. */

import { amountRules, buyerLabels, companyWords, sellerLabels } from './invoice-words.ts';

export const contact =
  /\b(?:tin|tel|telephone|fax|phone|mobile|whatsapps?|tél|e-?mail|www|http|gst|sst|vat|tva|btw|iban|bic|swift|co\.?\s*reg|reg\.?\s*no|company\s*no|roc|hotline|h\/p|kvk|nip|siret|site\s*(?:web|internet)|website|ust-?id)\b|\bsite\s*[:：]|care\s?line|@(?=\w+\.)/i;
const title =
  /^\W*(?:(?:simplified\s+)?tax\s+invoice|invoice|receipt|official\s+receipt|cash\s*(?:bill|sales?|receipt)|bill|invois|inbois|resit|rechnung|facture|factuur|faktura|发票|sales|welcome|reprint|copy|duplicate|posted|paid|original|guest\s+check|page\b.*|seite\b.*)\W*$/i;
export const otherLabel = /^[\p{L} ./'’-]{2,24}\s*[:：]/u;
export const addressSign =
  /\b(?:no\.?(?=\d|\b)|lot|jalan|jln|jl|lorong|taman|tmn|persiaran|kampung|kg|bandar|seksyen|section|floor|level|unit|block|blok|blk|street|st\.|road|rd|avenue|ave|rue|straße|str\.|weg|ul\.|plaza|wisma|menara|p\.?o\.?\s*box|cedex|batu|mukim|pusat|town|desa|suite|mall)\b|\d{4,6}\b|路|街|号|省|市|區|区/i;
/** `A-16-1,`, `F.K06,`, `LG226,`, `12,`: what a unit or house is called, before a comma. */
const unitNumber = /^[A-Z]{0,3}[-.]{0,2}[A-Z\d]*\d[\w.-]*\s*,\s*\p{L}|^[A-Z]{1,2}-[A-Z\d]{1,3}-\d{1,3}\b/iu;
/** `12 High Street`, `Weena 664`: a house number before or behind the street. */
const streetAndNumber = /^\d+\s?[A-Z]?[,\s]\s?\p{L}|^\p{L}[\p{L} .'-]{2,}\s\d{1,4}\s?[a-zA-Z]?$/u;
const houseWord = /^(?:no|lot|unit|block|blok|blk|level|suite|floor)\b\.?\s?[\w.-]*\d/i;

export const isTitle = (line: string): boolean => title.test(line.trim());
export const isMostlyDigits = (line: string): boolean =>
  line.replace(/\D/g, '').length > 0.4 * line.replace(/\s/g, '').length;

/** Whether a line may begin an address by itself. */
export const isAddressLike = (line: string): boolean =>
  addressSign.test(line) || unitNumber.test(line) || streetAndNumber.test(line);

/** Whether a line begins with the number of a house or unit. */
export const beginsWithHouse = (line: string): boolean =>
  unitNumber.test(line) || houseWord.test(line) || /^\d{1,4}\s?[A-Z]?[,\s]/.test(line);

export const isUnitNumber = (line: string): boolean => unitNumber.test(line);

export const addressEnd =
  /^(?:served|cashier|counter|table|terminal|pos|bill|(?:tax\s+)?invoice|inv|receipt|rcpt|order|trn|doc|ref|date|time|rechnung|page|seite|attn|resit|tarikh|waiter|slip|mid|tid)\b/i;

/** Whether a line ends the address above it. */
export const endsAddress = (line: string): boolean =>
  contact.test(line) ||
  isTitle(line) ||
  addressEnd.test(line.trim()) ||
  sellerLabels.test(line) ||
  buyerLabels.test(line) ||
  /\d{1,2}:\d{2}/.test(line) ||
  (otherLabel.test(line) && !addressSign.test(line)) ||
  (/\d[.,]\d{2}\b/.test(line) && amountRules.some(({ pattern }) => pattern.test(line)));

/** `Thank you for shopping with …`: not a name, whoever it names. */
export const isGreeting = (line: string): boolean =>
  /^\W*(?:tq|thanks?|welcome|terima\s+kasih|selamat)\b/i.test(line) && !companyWords.test(line);
