/** A chosen address with the line between it and its name that belongs to it: a street, a house that has a name, or in whose care it is. */

import type { PlacedSegment } from '../../../fields/reading.ts';
import { documentWords } from '../../../vocabulary/words.ts';
import { maxSizes } from './address-candidates.ts';
import { type LineFacts, type PartyContext, postcode } from './party-context.ts';
import { type LineRun, lineAbove, nextLine } from './place-features.ts';

/** Lines of one block are at most so many font sizes apart. */
const maxGap = 2;

export const isNear = (above: PlacedSegment, below: PlacedSegment): boolean =>
  above.page === below.page && below.baseline - above.baseline < maxGap * Math.max(above.size, below.size);

/** True for a line that tells in whose care letters are: it is of the address, whomever it names. */
export const isCareOf = ({ text }: PlacedSegment): boolean =>
  documentWords().parties.care_of.test(text.trim());

/** True for a line that tells who owns the firm above it: `Inh. M. Beck`. */
const isOwner = ({ text }: PlacedSegment): boolean => documentWords().parties.owner_label.test(text.trim());

/** The name above a line that tells in whose care letters are, or who owns the firm, where that was taken for the name; else the run as it is. */
export function withoutCareOf(run: LineRun, { reading, facts }: PartyContext): LineRun {
  const [first] = run.pieces;
  if (run.pieces.length !== 1 || !first || !(isCareOf(first) || isOwner(first))) return run;
  const above = lineAbove(first, reading);
  const line = above && facts.get(above);
  if (!above || !line || !isNear(above, first)) return run;
  const isNobody = [line.title, line.label, line.onlyLabel, line.contact, line.heading, line.priced];
  if (isNobody.includes(true)) return run;
  return { ...run, pieces: [above], value: above.text.trim() };
}

/** A postcode that begins a line that goes on, as the end of an address that was broken before it: a number alone may be of a till. */
const codeFirst = /^(?:\d{4,6}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})(?=[.,;]|\s+\p{L})/u;
/** Letters between an address and the end of its line: a town or state. */
const maxTail = 24;

/** An address without a postcode with the one that the next line begins with. */
function withCodeBelow(run: LineRun, { reading }: PartyContext): LineRun {
  const last = run.pieces.at(-1);
  const below = last && nextLine(last, reading);
  const code = below && isNear(last, below) && codeFirst.exec(below.text)?.[0];
  if (!code || postcode.test(run.value)) return run;
  const { text } = last;
  const at = text.lastIndexOf(run.value.slice(-8));
  const tail = at < 0 ? null : text.slice(at + run.value.slice(-8).length);
  // Behind the address stands no more than a town.
  if (tail === null || tail.length > maxTail || !/^[\p{L}\s,.'-]*$/u.test(tail)) return run;
  return { ...run, pieces: [...run.pieces, below], value: `${run.value}${tail} ${code}` };
}

/** The address of whom `name` tells, with what of it stands on other lines; `taken` are lines of the other party. */
export const wholeAddress = (...[run, name, context, taken]: Parameters<typeof fromItsFirstLine>): LineRun =>
  withCodeBelow(fromItsFirstLine(run, name, context, taken), context);

/** True for a line that may be of an address: nothing else is told by it. */
const mayBePlace = (line: LineFacts): boolean => {
  const { title, label, contact, phone, registration, priced, company, honorific, attention } = line;
  return ![title, label, contact, phone, registration, priced, company, honorific, attention].includes(true);
};

/** A postcode with its town: the street stands above. */
const onlyCode =
  /^(?:\p{Lu}{1,2}-)?(?:\d{4,6}(?:-\d{3})?|\d{3} \d{2}|\d{2}-\d{3}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})(?![\p{L}\d])\D*$/u;

/** Lines between a name and a postcode that are the street, the house and the town. */
const maxStreet = 3;

/** An address that begins with its postcode, with the lines above it up to the name. */
function withStreet(
  run: LineRun,
  name: LineRun,
  { reading, facts }: PartyContext,
  taken: ReadonlySet<PlacedSegment>,
): LineRun {
  const above: PlacedSegment[] = [];
  for (let first = run.pieces[0]!; above.length <= maxStreet; first = above[0]!) {
    const over = lineAbove(first, reading);
    if (!over || taken.has(over) || !isNear(over, first)) return run;
    if (name.pieces.includes(over)) break;
    if (above.length === maxStreet || !mayBePlace(facts.get(over)!)) return run;
    above.unshift(over);
  }
  const value = [...above.map(({ text }) => text.trim()), run.value].join(' ');
  return { ...run, pieces: [...above, ...run.pieces], value };
}

function fromItsFirstLine(
  run: LineRun,
  name: LineRun,
  context: PartyContext,
  taken: ReadonlySet<PlacedSegment>,
): LineRun {
  const { reading, facts } = context;
  const [first] = run.pieces;
  const above = first && run.features.part === 0 ? lineAbove(first, reading) : undefined;
  if (!first || !above || !isNear(above, first)) return run;
  if (taken.has(above) || name.pieces.includes(above)) return run;
  if (onlyCode.test(run.value)) return withStreet(run, name, context, taken);
  const line = facts.get(above)!;
  const isHouse = (line.building || line.address) && mayBePlace(line);
  // A line of a sign may look like a street.
  if (above.size > maxSizes * first.size || (!isHouse && !isCareOf(above))) return run;
  const over = lineAbove(above, reading);
  if (!over || !name.pieces.includes(over) || !isNear(over, above)) return run;
  return { ...run, pieces: [above, ...run.pieces], value: `${above.text.trim()} ${run.value}` };
}
