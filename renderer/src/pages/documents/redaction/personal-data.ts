/** Personal data that the moderation service recognized in the text of a page, back at its places on the page. Pure. */
import type { PageLines } from '../../../../../server/api/console/console.ts';
import type { SafetyResult } from '../../../../../server/api/services/moderations.ts';
import type { Target } from './redaction-plan.ts';

type Line = PageLines['lines'][number];
type Box = number[];
export type PersonalDataSpan = SafetyResult['results'][number]['spans'][number];

interface PlacedWord {
  from: number;
  to: number;
  line: number;
  bbox: Box;
}

/** A text that one request takes, and where its words stand. */
export interface TextPiece {
  page: number;
  text: string;
  words: PlacedWord[];
}

/** The service takes 32 KB of UTF-8, and no character of ours takes more than three bytes of it. */
const longestPiece = 10_000;

/** Cut between lines. A line of its own that is longer stays whole, and is refused by the service. */
export function toPieces(page: number, lines: readonly Line[]): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (const [line, { words, text }] of lines.entries()) {
    let piece = pieces.at(-1);
    if (!piece || piece.text.length + text.length > longestPiece) {
      piece = { page, text: '', words: [] };
      pieces.push(piece);
    }
    for (const word of words) {
      const from = piece.text.length;
      piece.text += `${word.text} `;
      piece.words.push({ from, to: from + word.text.length, line, bbox: word.bbox });
    }
    piece.text = `${piece.text.trimEnd()}\n`;
  }
  return pieces;
}

const union = (boxes: readonly Box[]): Box => [
  Math.min(...boxes.map(([x0 = 0]) => x0)),
  Math.min(...boxes.map(([, y0 = 0]) => y0)),
  Math.max(...boxes.map(([, , x1 = 0]) => x1)),
  Math.max(...boxes.map(([, , , y1 = 0]) => y1)),
];

/** Offered, not chosen: on most papers they say nothing of a person. */
const seldomPersonal = new Set(['organization', 'place', 'date', 'job_title']);

/** A target for each line that a span runs over; words are painted whole. */
export function toPersonalTargets(piece: TextPiece, spans: readonly PersonalDataSpan[]): Target[] {
  return spans
    .filter(({ category }) => category === 'pii_exposure')
    .flatMap(({ start, end, kind = 'personal_data' }) => {
      const words = piece.words.filter(({ from, to }) => from < end && to > start);
      return [...Map.groupBy(words, ({ line }) => line)].map(([line, held]): Target => {
        const [from, to] = [Math.max(start, held[0]!.from), Math.min(end, held.at(-1)!.to)];
        return {
          id: `pii:${piece.page}:${line}:${from}`,
          label: kind,
          page: piece.page,
          bbox: union(held.map(({ bbox }) => bbox)),
          text: piece.text.slice(from, to),
          personal: !seldomPersonal.has(kind),
        };
      });
    });
}

const inside = ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: Box, [a0 = 0, b0 = 0, a1 = 0, b1 = 0]: Box): boolean => {
  const [x, y] = [(a0 + a1) / 2, (b0 + b1) / 2];
  return x >= x0 && x <= x1 && y >= y0 && y <= y1 && a1 - a0 <= (x1 - x0) * 1.05;
};

/** Words of headings and labels of business papers, in the three languages; a text of nothing else is no person's. */
const labelWords = new Set(
  `tax invoice receipt quotation statement delivery order note proforma credit debit official original copy page number no
  date due issued issue bill billed to from ship sold by for and of the total subtotal sub amount balance paid payment terms
  bank account name address phone tel fax email website registration reg company customer client supplier vendor buyer seller
  description item items quantity qty unit price rate discount sst gst vat service charge currency reference ref purchase po
  invois resit cukai tarikh jumlah kepada daripada nama alamat nombor bil bayaran akaun pelanggan harga kuantiti keterangan
  swift code iban tin signature authorised authorized signatory received prepared approved attention attn remarks`
    .split(/\s+/)
    .filter(Boolean),
);

/** “TAX INVOICE”, “Invoice Date”, “Bill To:”: what a paper says of itself. */
export function isLabelText(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.length > 0 && !/\d/.test(text) && words.every((word) => labelWords.has(word));
}

/** Both, but what was found lies in no box of `fields`, which are painted with their own words. */
export const withPersonal = (fields: readonly Target[], found: readonly Target[]): Target[] => [
  ...fields,
  ...found.filter(
    (target) =>
      !isLabelText(target.text) &&
      !fields.some(({ page, bbox }) => page === target.page && inside(bbox, target.bbox)),
  ),
];
