/** Parts of one line that say who and where: names behind owners' labels, sender's lines above windows, legal notices. */

import { documentWords } from '../../../vocabulary/words.ts';
import { withoutAsides } from './party-address.ts';
import { isAddressLike } from './party-lines.ts';

/** A part of a line, and what of the line speaks for it. */
export interface LinePart {
  text: string;
  /** It stood behind a label that names the firm, as `Licensee: X`. */
  owned: boolean;
  /** Whom the label before it names. */
  label: 'buyer' | 'seller' | null;
  /** Number of the part in its line; the whole has none. */
  at: number;
}

/** `Operated by: X` names X. */
const behindLabel = /^[\p{L} ]{2,24}[:：]\s*(?=[\p{L}\d])/u;
const separators = /\s+[-–·•|*]\s+|\s*[|·•]\s*/;
const maxParts = 8;
/** Legal notices of a firm, behind its name. */
const noticeTail =
  /[\s,;(-]*(?:\b(?:au\s+capital|with\s+(?:a\s+)?capital|registered\s+(?:in|office)|siret|siren|rcs|ust-?id|kvk|vat|tva|btw|gst|sst|nip|cif|nif|p\.?\s?iva|hrb|e-?mail|www\.|reg\.?\s*no)\b|\bwww\.).*$/iu;
const bracketedNumber = /\s*[([][^)\]]*\d{4}[^)\]]*[)\]]\s*/;

const partsOf = (text: string): string[] => text.split(separators).slice(0, maxParts);

/** `X GmbH - Street 1 - 12345 Town`: the sender, above the window of the addressee or in the foot. */
export function isSenderLine(text: string): boolean {
  const [name = '', ...rest] = partsOf(text);
  return rest.some(isAddressLike) && /\p{L}/u.test(name) && !/[:：]/.test(name);
}

/** `Bill to: X`, `M/s X`, `Name: X`: what stands behind a label on its line. */
function behindLabels(text: string): LinePart[] {
  const { buyer_label, seller_label } = documentWords().parties;
  const labels = [
    ['buyer', buyer_label],
    ['seller', seller_label],
    [null, behindLabel],
  ] as const;
  return labels.flatMap(([label, pattern]) => {
    const rest = text.slice(pattern.exec(text)?.[0].length ?? text.length).trim();
    return /\p{L}/u.test(rest) ? [{ text: rest, owned: false, label, at: 0 }] : [];
  });
}

/** Names that a line may hold beside the whole of it. */
export function namesInLine(text: string): LinePart[] {
  const owner = documentWords().parties.owner_label.exec(text);
  const rest = owner ? text.slice(owner[0].length) : text;
  const ofRest = { owned: owner !== null, label: null };
  const found: LinePart[] = owner && /\p{L}/u.test(rest) ? [{ ...ofRest, text: rest, at: 0 }] : [];
  found.push(...behindLabels(text));
  const parts = partsOf(rest);
  if (parts.length > 1)
    for (const [at, part] of parts.entries())
      if (!isAddressLike(part)) found.push({ ...ofRest, text: part.replace(noticeTail, ''), at: at + 1 });
  const beforeNotice = rest.replace(noticeTail, '');
  if (parts.length === 1 && beforeNotice !== rest && !isAddressLike(beforeNotice))
    found.push({ ...ofRest, text: beforeNotice.replace(/[.\s]+$/, ''), at: 1 });
  const comma = rest.indexOf(',');
  if (comma > 0 && isAddressLike(rest.slice(comma)))
    found.push({ ...ofRest, text: rest.slice(0, comma), at: 1 });
  const number = bracketedNumber.exec(rest);
  if (number && number.index > 0 && isAddressLike(rest.slice(number.index + number[0].length)))
    found.push({ ...ofRest, text: rest.slice(0, number.index), at: 1 });
  const known = new Set([text]);
  return found.filter((part) => !known.has(part.text) && known.add(part.text));
}

/** A line of an address without telephone, mail and numbers of registers behind it. */
export const addressOnly = (line: string): string => withoutAsides(line).replace(noticeTail, '').trim();

/** Addresses that a line may hold behind a name, number or label. */
export function addressesInLine(text: string): string[] {
  const parts = partsOf(text);
  const found = parts.flatMap((_, from) =>
    parts.slice(from).map((_each, length) => parts.slice(from, from + length + 1).join(', ')),
  );
  const comma = text.indexOf(',');
  if (comma > 0) found.push(text.slice(comma + 1));
  const number = bracketedNumber.exec(text);
  if (number) found.push(text.slice(number.index + number[0].length));
  if (behindLabel.test(text)) found.push(text.replace(behindLabel, ''));
  for (const { index, 0: sign } of text.matchAll(/[.;,]\s+/g)) {
    const rest = text.slice(index + sign.length);
    if (documentWords().parties.address_label.test(rest)) found.push(rest);
  }
  const whole = addressOnly(text);
  const lines = found.map(addressOnly).filter((line) => line !== whole && isAddressLike(line));
  return [...new Set(lines)];
}
