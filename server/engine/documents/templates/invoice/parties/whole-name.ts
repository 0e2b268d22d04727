/** A chosen name with the lines that belong to it: its trade above or below, and the rest of what is set in the same large print. */

import type { PlacedSegment } from '../../../fields/reading.ts';
import { documentWords } from '../../../vocabulary/words.ts';
import type { PartyContext } from './party-context.ts';
import { nameOnly, ownWords } from './party-name.ts';
import { isPlainLine, type LineRun, lineAbove, nextLine } from './place-features.ts';

/** Lines of one name are at most so many font sizes apart, and of sizes that differ so little. */
const maxGap = 1.7;
/** Lines that go on with a name by their words may stand further apart. */
const maxGapOfWords = 2.6;
const likeSize = 1.06;
/** Sizes of recognized print are those of its ink, which depends on its letters. */
const likeRecognized = 1.2;
/** Print so many times as large as most is a name's alone. */
const largePrint = 1.35;

function tellsTrade(text: string): boolean {
  const { trade, shop, body } = documentWords().parties;
  return trade.test(text) || shop.test(text) || body.test(text);
}

/** Words of two letters join a trade to itself, as in `Estación de Servicio`. */
const isOnlyTrade = (text: string): boolean =>
  tellsTrade(text) && ownWords(text.replace(/(?<!\p{L})\p{L}{2}(?!\p{L})/gu, ' ')) === 0;

const isOneTrade = (text: string): boolean => !/\s/.test(text.trim()) && isOnlyTrade(text);

function areOne(above: PlacedSegment, below: PlacedSegment): boolean {
  const [small, large] = [above.size, below.size].sort((a, b) => a - b) as [number, number];
  const isBold = ({ words }: PlacedSegment): boolean => words.every(({ bold }) => bold);
  const isSeen = above.words.some(({ source }) => source !== 'text_layer');
  return large < (isSeen ? likeRecognized : likeSize) * small && isBold(above) === isBold(below);
}

const isNear = (above: PlacedSegment, below: PlacedSegment, gap = maxGap): boolean =>
  above.page === below.page && below.baseline - above.baseline < gap * Math.max(above.size, below.size);

/** A line that begins so goes on with the name above it: `E NIPOTI S.A.S.`, `& Sons`. */
const joint = /^(?:&|(?:and|und|et|e|y|i|en|dan|og|och|ja)(?=\s))/iu;
/** A firm of persons in Italian goes on so below its own name, in whatever print: `di Pietro Masini & C. S.a.s.` */
const ofPersons = /^(?:d(?:i|el|ella|ei)|D(?:I|EL|ELLA|EI)(?=\P{Ll}*$))\s(?=\p{Lu})/u;
const bracketedNumber = /^[(（][A-Z]{0,4}[\d-]{6,}(?:-?[A-Z])?[)）]$/;
/** Lines above that a name may begin on. */
const maxLinesUp = 3;

/** The longest text between a name and its legal form, as `– Turismo Rural,`. */
const maxBeforeForm = 32;

/** A part of a line with the legal form that stands behind it there: `X – Hotelaria` of `X – Hotelaria, Lda. · Rua Y 1`. */
export function withForm(run: LineRun): LineRun {
  const { company } = documentWords().parties;
  const line = run.pieces.length === 1 ? run.pieces[0]!.text : '';
  const at = line.indexOf(run.value);
  if (at < 0 || company.test(run.value)) return run;
  const from = at + run.value.length;
  const rest = line.slice(from);
  const form = company.exec(rest);
  if (!form || !/^[\s,.]|^$/.test(rest.slice(0, 1))) return run;
  const between = rest.slice(0, form.index);
  // Right behind a dash it begins a notice of the law.
  if (/^\s[–-]\s$/.test(between) || between.length > maxBeforeForm || /[\d·|•;:：]/.test(between)) return run;
  // A comma parts a name from its form, a dash from its trade; other words are of somebody else.
  if (!/^[\s,.]*$|^\s[–-]\s[^,]*,?\s*$/.test(between)) return run;
  const end = form.index + form[0].length;
  const value = `${run.value}${rest.slice(0, end)}${rest[end] === '.' ? '.' : ''}`;
  return { ...run, value: value.trim() };
}

/** The run with the lines that go on with it; `taken` are those of the other party and of addresses. */
export function wholeName(found: LineRun, context: PartyContext, taken: ReadonlySet<PlacedSegment>): LineRun {
  const { reading, facts, size } = context;
  const run = withForm(found);
  if (run.features.part !== 0 || run.pieces.length > 2) return run;
  const [first, last] = [run.pieces[0]!, run.pieces.at(-1)!];
  const mayJoin = (piece: PlacedSegment | undefined): piece is PlacedSegment => {
    const line = piece && facts.get(piece);
    return Boolean(line && isPlainLine(line) && !line.company && !line.onlyLabel && !taken.has(piece!));
  };
  const [above, below] = [lineAbove(first, reading), nextLine(last, reading)];
  const near = { above: above && isNear(above, first), below: below && isNear(last, below) };
  const isLarge = (piece: PlacedSegment): boolean => piece.size > largePrint * size;
  const joined = (pieces: PlacedSegment[]): LineRun => ({
    ...run,
    pieces,
    value: nameOnly(pieces.map(({ text }) => text).join(' ')),
  });
  if (joint.test(run.value)) {
    const whole = [...run.pieces];
    for (let line = 0; line < maxLinesUp; line++) {
      const over = lineAbove(whole[0]!, reading);
      if (!over || !isNear(over, whole[0]!, maxGapOfWords) || !mayJoin(over) || !areOne(over, whole[0]!))
        break;
      whole.unshift(over);
    }
    return joined(whole);
  }
  if (ofPersons.test(run.value) && mayJoin(above)) {
    const isCompany = documentWords().parties.company.test(run.value);
    const goesOn = isCompany ? near.above : isNear(above, first, maxGapOfWords) && areOne(above, first);
    if (goesOn) return joined([above, ...run.pieces]);
  }
  // A registration number in brackets stands under the whole name.
  const under = below && nextLine(below, reading);
  if (
    under &&
    bracketedNumber.test(under.text.trim()) &&
    mayJoin(below) &&
    isNear(last, below, maxGapOfWords) &&
    areOne(last, below)
  )
    return joined([...run.pieces, below]);
  // One word that tells the trade, in the same print: `Nonna Bettina's` over `Trattoria`.
  const isTradeBelow = below && isOneTrade(below.text) && isNear(last, below, maxGapOfWords);
  if (isTradeBelow && mayJoin(below) && areOne(last, below) && !tellsTrade(run.value))
    return joined([...run.pieces, below]);
  if (near.below && mayJoin(below) && areOne(last, below) && (isLarge(last) || isOnlyTrade(run.value)))
    return joined([...run.pieces, below]);
  if (!near.above || !mayJoin(above)) return run;
  const isTradeOver = isOnlyTrade(above.text) && !tellsTrade(run.value);
  if (isTradeOver || isOnlyTrade(run.value) || (isLarge(first) && areOne(above, first)))
    return joined([above, ...run.pieces]);
  return run;
}
