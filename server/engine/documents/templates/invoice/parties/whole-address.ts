/** A chosen address with the line between it and its name that belongs to it: a street, a house that has a name, or in whose care it is. */

import type { PlacedSegment } from '../../../fields/reading.ts';
import { documentWords } from '../../../vocabulary/words.ts';
import type { PartyContext } from './party-context.ts';
import { type LineRun, lineAbove } from './place-features.ts';

/** Lines of one block are at most so many font sizes apart. */
const maxGap = 2;

const isNear = (above: PlacedSegment, below: PlacedSegment): boolean =>
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

/** The address of whom `name` tells; `taken` are lines of the other party. */
export function wholeAddress(
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
  const line = facts.get(above)!;
  const { title, label, contact, phone, registration, priced, company, honorific, attention } = line;
  const isOther = [title, label, contact, phone, registration, priced, company, honorific, attention];
  const isHouse = (line.building || line.address) && !isOther.includes(true);
  if (!isHouse && !isCareOf(above)) return run;
  const over = lineAbove(above, reading);
  if (!over || !name.pieces.includes(over) || !isNear(over, above)) return run;
  return { ...run, pieces: [above, ...run.pieces], value: `${above.text.trim()} ${run.value}` };
}
