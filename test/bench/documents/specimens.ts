/**
 * Drawn passports, visas and identity cards of invented people, clean, scanned and photographed, every fifth at a turn of
 * 90, 180 or 270 degrees: how many MRZs are read exactly, and how many numbers and names of cards.
 */
import { type Capture, captured } from '../../support/documents/specimens/camera.ts';
import { cardKinds, drawIdentityCard } from '../../support/documents/specimens/identity-cards.ts';
import { mrzFormats } from '../../support/documents/specimens/mrz-lines.ts';
import { drawTravelDocument } from '../../support/documents/specimens/travel-documents.ts';
import { progress, rounded } from '../measure.ts';
import { part } from './data.ts';
import type { Add } from './judge.ts';
import { parse } from './parse.ts';

const captures: Capture[] = ['clean', 'scan', 'photo'];
const turns = [90, 180, 270] as const;

const takenAs = (seed: number) => ({
  capture: captures[seed % captures.length]!,
  turn: seed % 5 === 0 ? turns[(seed / 5) % turns.length]! : (0 as const),
  seed,
});

const seedsOf = (quick: boolean): number[] =>
  quick ? [1, 2, 3] : part(Array.from({ length: 60 }, (_, index) => index + 1));

/** Share of MRZs read to the last character. */
export async function measureMrzs(add: Add, quick: boolean): Promise<number> {
  const seeds = seedsOf(quick);
  let right = 0;
  for (const seed of seeds) {
    const format = mrzFormats[(7 * seed) % mrzFormats.length]!;
    const { canvas, truth } = drawTravelDocument(seed, format, seed % 2 ? 11 : 8);
    const { fields } = await parse(await captured(canvas, takenAs(seed)));
    const exact = fields.mrz?.value === truth.lines.join('\n');
    if (exact) right++;
    else progress(`${format} ${seed}: ${String(fields.mrz?.value ?? 'no MRZ')}`);
    add(fields.document_number, (value) => value === truth.number);
    add(fields.birth_date, (value) => value === truth.birthDate);
    add(fields.surname, (value) => value === truth.surname);
  }
  return rounded(right / seeds.length);
}

/** Shares of cards whose number, and whose name, is exact. */
export async function measureCards(add: Add, quick: boolean): Promise<{ number: number; name: number }> {
  const seeds = seedsOf(quick);
  const right = { number: 0, name: 0 };
  let named = 0;
  for (const seed of seeds) {
    const kind = cardKinds[seed % cardKinds.length]!;
    const { canvas, truth } = drawIdentityCard(seed, kind, seed % 2 ? 12 : 9);
    const { fields } = await parse(await captured(canvas, takenAs(seed)));
    if (fields.number?.value === truth.number) right.number++;
    add(fields.number, (value) => value === truth.number);
    if (kind === 'mykad-back') continue;
    named++;
    if (fields.name?.value === truth.name) right.name++;
    else progress(`${kind} ${seed}: ${String(fields.name?.value ?? 'no name')} for ${truth.name}`);
    add(fields.name, (value) => value === truth.name);
  }
  return { number: rounded(right.number / seeds.length), name: rounded(right.name / Math.max(1, named)) };
}
