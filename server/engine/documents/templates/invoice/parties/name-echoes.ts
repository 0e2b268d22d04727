/** Other lines that have a name say whose it is: who is to be paid, who is billed, who stands in the legal notice. */

import type { PlacedSegment } from '../../../fields/reading.ts';
import type { Features } from '../../../scoring/boosted-trees.ts';
import { documentWords } from '../../../vocabulary/words.ts';
import { linesWith, type PartyContext } from './party-context.ts';
import { isAddressLike } from './party-lines.ts';
import { flag, lineAbove } from './place-features.ts';

const maxEchoes = 3;

/** The words that introduce what begins at `from` in a line: those before it, or the line at its left, or above. */
function introduction(piece: PlacedSegment, from: number, { reading }: PartyContext): string {
  const before = piece.text.slice(0, from).trim();
  if (/\p{L}/u.test(before)) return before;
  const left = reading.rows[piece.row]!.pieces[piece.order - 1];
  return (left ?? lineAbove(piece, reading))?.text.trim() ?? '';
}

/** True for a label with its colon or without. */
const isLabel = (text: string, pattern: RegExp): boolean => pattern.test(text) || pattern.test(`${text}:`);

/** Kinds of other places that a name stands at, and of its own. */
export function echoFeatures(
  value: string,
  pieces: readonly PlacedSegment[],
  context: PartyContext,
): Features {
  const { payable, buyer_label, seller_label, notice_word } = documentWords().parties;
  const name = value.trim().toLowerCase();
  const first = pieces[0]!;
  const own = introduction(first, Math.max(0, first.text.toLowerCase().indexOf(name)), context);
  const found = { echoPayable: 0, echoBuyer: 0, echoSeller: 0, echoLegal: 0 };
  for (const at of linesWith(name, context)) {
    const piece = context.reading.pieces[at]!;
    const from = context.lowerLines[at]!.indexOf(name);
    if (from < 0 || pieces.includes(piece)) continue;
    const before = introduction(piece, from, context);
    const after = piece.text.slice(from + name.length);
    if (payable.test(before)) found.echoPayable++;
    if (isLabel(before, buyer_label)) found.echoBuyer++;
    if (isLabel(before, seller_label)) found.echoSeller++;
    if (isAddressLike(after) || notice_word.test(after)) found.echoLegal++;
  }
  return {
    behindPayable: flag(payable.test(own)),
    echoPayable: Math.min(maxEchoes, found.echoPayable),
    echoBuyer: Math.min(maxEchoes, found.echoBuyer),
    echoSeller: Math.min(maxEchoes, found.echoSeller),
    echoLegal: Math.min(maxEchoes, found.echoLegal),
  };
}
