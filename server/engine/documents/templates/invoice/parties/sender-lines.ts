/** Parts of one line that say who and where: names behind owners' labels, sender's lines above windows, legal notices. */

import { documentWords } from '../../../vocabulary/words.ts';
import { withoutAsides } from './party-address.ts';
import { isAddressLike } from './party-lines.ts';

/** A part of a line, and what of the line speaks for it. */
export interface LinePart {
  text: string;
  /** It stood behind a label that names the firm, as `Licensee: X`. */
  owned: boolean;
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

/** Names that a line may hold beside the whole of it. */
export function namesInLine(text: string): LinePart[] {
  const owner = documentWords().parties.owner_label.exec(text);
  const rest = owner ? text.slice(owner[0].length) : text;
  const found: LinePart[] = owner && /\p{L}/u.test(rest) ? [{ text: rest, owned: true, at: 0 }] : [];
  if (behindLabel.test(text)) found.push({ text: text.replace(behindLabel, ''), owned: false, at: 0 });
  const parts = partsOf(rest);
  if (parts.length > 1)
    for (const [at, part] of parts.entries())
      if (!isAddressLike(part))
        found.push({ text: part.replace(noticeTail, ''), owned: owner !== null, at: at + 1 });
  const comma = rest.indexOf(',');
  if (comma > 0 && isAddressLike(rest.slice(comma)))
    found.push({ text: rest.slice(0, comma), owned: owner !== null, at: 1 });
  const number = bracketedNumber.exec(rest);
  if (number && number.index > 0 && isAddressLike(rest.slice(number.index + number[0].length)))
    found.push({ text: rest.slice(0, number.index), owned: owner !== null, at: 1 });
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
  const whole = addressOnly(text);
  const lines = found.map(addressOnly).filter((line) => line !== whole && isAddressLike(line));
  return [...new Set(lines)];
}
