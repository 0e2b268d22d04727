/** The firm behind a trading name, where the paper tells it: `X is a trading name of Y Ltd`, `Y Ltd t/a X`, or `Operated by Y Ltd` below the sign. */

import type { PlacedSegment } from '../../../fields/reading.ts';
import { documentWords } from '../../../vocabulary/words.ts';
import { type PartyContext, plain } from './party-context.ts';
import { isTitle } from './party-lines.ts';
import { endOfForm, nameOnly, ownWords } from './party-name.ts';
import { isPlainLine, type LineRun, lineAbove, nextLine } from './place-features.ts';

/** A name ends here where no legal form says so. */
const endOfName = /\s*[([;|·•]|,\s|\.\s+(?=\p{Lu})|\s[–-]\s|\.?$/u;
/** A legal form stands at most so far behind the beginning of its name. */
const maxName = 70;
/** Lines between a sign and the line that tells its owner. */
const maxLinesBelow = 3;
/** Letters that two spellings of a trading name share at least. */
const minAlike = 5;

/** The name that a text begins with; null where neither a legal form nor a number of a register says that it is a firm's. */
function firmAt(text: string): string | null {
  const { company, notice_word } = documentWords().parties;
  const form = company.exec(text);
  const end = endOfName.exec(text)!;
  const rest = text.slice(end.index);
  const whole = text.slice(0, endOfForm(text) ?? (form ? form.index + form[0].length : 0));
  if (form && whole.length < maxName && !/[;|·•]|\.\s+\p{Lu}\p{Ll}{2}/u.test(text.slice(0, form.index)))
    // The stop behind a whole word ends its sentence, behind a short one it is of the form.
    return nameOnly(whole).replace(/(?<=\p{L}{5})\.$/u, '');
  const isRegistered = /^\s*\(?[\p{L}\s.:-]{0,16}\d{5}/u.test(rest) || notice_word.exec(rest)?.index === 0;
  return isRegistered && end.index > 2 ? nameOnly(text.slice(0, end.index)) : null;
}

/** True for one name however it is spelled, or the beginning of it. */
function areAlike(one: string, other: string): boolean {
  const [short, long] = [plain(one), plain(other)].sort((a, b) => a.length - b.length) as [string, string];
  return short.length >= Math.min(minAlike, long.length) && long.includes(short);
}

/** The text of a line with the line below it, where a sentence may go on. */
const goingOn = (piece: PlacedSegment, { reading }: PartyContext): string =>
  `${piece.text} ${nextLine(piece, reading)?.text ?? ''}`.trim();

/** The line stands right below the name. */
function isBelow(piece: PlacedSegment, name: LineRun, { reading }: PartyContext): boolean {
  let above: PlacedSegment | undefined = piece;
  for (let line = 0; above && line < maxLinesBelow; line++) {
    above = lineAbove(above, reading);
    if (above && name.pieces.includes(above)) return true;
  }
  return false;
}

/** The firm whom a line tells to trade under a name. */
function firmOf(piece: PlacedSegment, name: LineRun, context: PartyContext): string | null {
  const { trading_name_of, trading_as } = documentWords().parties;
  const text = goingOn(piece, context);
  const of = trading_name_of.exec(text);
  if (of && of.index < piece.text.length) {
    const before = text.slice(0, of.index);
    const isOfName = /\p{L}/u.test(before) ? areAlike(before, name.value) : isBelow(piece, name, context);
    return isOfName ? firmAt(text.slice(of.index + of[0].length)) : null;
  }
  const as = trading_as.exec(piece.text);
  if (!as || !areAlike(piece.text.slice(as.index + as[0].length), name.value)) return null;
  const before = piece.text.slice(0, as.index).trim();
  const told = /\p{L}/u.test(before) ? before : (lineAbove(piece, context.reading)?.text ?? '');
  if (isTitle(told) || /[:：]\s*$/.test(told)) return null;
  return nameOnly(told.replace(/^.*[.;]\s+(?=\p{Lu}[\p{Ll}\d])/u, ''));
}

/** Letters between a name and the legal form that another line tells of it. */
const maxToForm = 24;

/** Small letters, each at the place of its own: of İ there would be two. */
const smallLetters = (text: string): string => text.replaceAll('İ', 'i').toLowerCase();

/** The name with its legal form, as another line has it: `Kowal Gardens` of `Kowal Gardens Ltd, 10 Mill Lane`. */
function withFormIn(piece: PlacedSegment, name: LineRun, context: PartyContext): string | null {
  const { text } = piece;
  const at = smallLetters(text).indexOf(smallLetters(name.value));
  if (at < 0 || name.pieces.includes(piece) || context.buyer.has(piece)) return null;
  if (/[\p{L}\d]\s*$/u.test(text.slice(0, at)) && !/\p{Ll}\s$/u.test(text.slice(0, at))) return null;
  const behind = text.slice(at + name.value.length);
  const form = documentWords().parties.company.exec(behind);
  if (!form || form.index > maxToForm || !/^[\s,]/.test(behind)) return null;
  // Right behind a dash the form begins a notice of the law, behind a comma and words it is of somebody else.
  return /^\s[–-]\s$|^\s*,.*\p{L}|[\d·|•;:：]|\p{Ll}{3,}\s.*\s\p{Ll}{2,}\s/u.test(behind.slice(0, form.index))
    ? null
    : firmAt(text.slice(at));
}

/** The firm that trades under a chosen name which has no legal form; null where the paper tells none. */
export function legalName(name: LineRun, context: PartyContext): LineRun | null {
  const { company } = documentWords().parties;
  if (company.test(name.value)) return null;
  for (const piece of context.reading.pieces) {
    const firm = firmOf(piece, name, context) ?? withFormIn(piece, name, context);
    const isOther = firm !== null && (company.test(firm) || !areAlike(firm, name.value));
    if (isOther && /\p{L}{2}/u.test(firm)) return { ...name, pieces: [piece], value: firm };
  }
  return null;
}

/** Lines of a name and its address are at most so many font sizes apart. */
const maxOverAddress = 2.2;

/**
 * The firm right above the address of a sign that stands elsewhere, where their block tells a number of a register or of taxes: money
 * goes to it, as a logo alone names nobody.
 */
export function firmOverAddress(name: LineRun, address: LineRun, context: PartyContext): LineRun | null {
  const { company, trade } = documentWords().parties;
  const [first] = address.pieces;
  const over = first && address.features.part === 0 ? lineAbove(first, context.reading) : undefined;
  if (!first || !over || company.test(name.value) || context.buyer.has(over)) return null;
  const [own, sign] = [context.blocks.get(over), context.blocks.get(name.pieces[0]!)];
  const isNear = first.baseline - over.baseline < maxOverAddress * Math.max(first.size, over.size);
  if (!isNear || !own?.notice || own.block === sign?.block || !isPlainLine(context.facts.get(over)!))
    return null;
  const isFirm = (company.test(over.text) || trade.test(over.text)) && ownWords(over.text) > 0;
  return isFirm ? { ...name, pieces: [over], value: nameOnly(over.text) } : null;
}
