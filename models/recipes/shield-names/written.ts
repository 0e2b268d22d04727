/**
 * Texts by authors who never saw the recipe, with their marks: `kind<TAB>text`, ⏎ for a line's end, `[PER:…]` and its like. They mark
 * no bare years and days, which templates do: such tokens are neither learnt nor counted.
 */
import { readFileSync } from 'node:fs';
import type { Chance } from '../../../test/support/documents/specimens/chance.ts';
import { kinds, type Labelled, type Language, type Slots } from './grammar.ts';

/** A text in pieces: what is in no entity, and entities with the name of their slot. */
type Pieces = { text: string; slot?: string; isOther?: boolean }[];

export interface Written extends Labelled {
  pieces: Pieces;
  /** Bare years and days. */
  undecided: { start: number; end: number }[];
}

const bareTime =
  /(?<![\p{L}\p{N}/.-])(?:1[0-9]|20)\d\d(?![\p{L}\p{N}/-])年?|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|\b(?:January|February|March|April|June|July|August|September|October|November|December|Isnin|Selasa|Rabu|Khamis|Jumaat|Sabtu|Ahad|Januari|Februari|Mac|Mei|Jun|Julai|Ogos|Oktober|Disember)\b|(?:星期|周|礼拜)[一二三四五六日天]|[今去明前]年/gu;

export function toWritten(line: string, language: Language): Written {
  const marked = line.slice(line.indexOf('\t') + 1).replaceAll('⏎', '\n');
  const pieces = marked.split(/(\[(?:PER|ORG|LOC|DATE|JOB):[^\]]*\])/u).flatMap((part) => {
    const [, slot, text] = /^\[([A-Z]+):([^\]]*)\]$/u.exec(part) ?? [];
    return slot && text ? [{ slot, text }] : part === '' ? [] : [{ text: part }];
  });
  return toText(pieces, language);
}

function toText(pieces: Pieces, language: Language): Written {
  const spans: Labelled['spans'] = [];
  let text = '';
  for (const { slot, text: said, isOther = false } of pieces) {
    // The authors like persons whose names are words: 高兴 is no name elsewhere.
    const hidden = slot === 'PER' && !isOther;
    if (slot) spans.push({ start: text.length, end: text.length + said.length, kind: kinds[slot]!, hidden });
    text += said;
  }
  const undecided = [...text.matchAll(bareTime)]
    .map(({ 0: found, index }) => ({ start: index, end: index + found.length }))
    .filter(({ start, end }) => !spans.some((span) => span.start < end && start < span.end));
  return { language, text, spans, pieces, undecided };
}

/** Every fourth block of forty lines, the same in parallel files, can be left out of training. */
export const isLeftOut = (at: number): boolean => Math.floor(at / 40) % 4 === 3;

/** Every tenth text of `written-next`, the same in parallel files, is never learnt: it is reported on. */
export const isKeptBack = (at: number): boolean => at % 10 === 9;

export const readWritten = (path: string | URL, language: Language): Written[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => toWritten(line, language));

/** The text of others: persons, organizations, places and dates in the form of those whose place they take; some stay. */
export function withOthers({ pieces, language }: Written, slots: Slots, chance: Chance): Written {
  const others = new Map<string, string>();
  const other = ({ slot, text }: Pieces[number]): Pieces[number] => {
    if (!slot) return { text };
    const key = `${slot} ${text}`;
    if (!others.has(key)) others.set(key, chance.happens(0.85) ? likeIt(slot, text, slots, chance) : text);
    return { slot, text: others.get(key)!, isOther: others.get(key) !== text };
  };
  return toText(pieces.map(other), language);
}

const hanName = /^\p{Script=Han}+$/u;
const hanPlaceEnd = /(?:自治区|自治州|街道|大道|社区|[省市区县镇乡村路街巷山江河湖岛港])$/u;
const mostTries = 8;

function likeIt(slot: string, text: string, slots: Slots, chance: Chance): string {
  if (slot === 'DATE') return /\p{N}.*\p{N}/u.test(text) ? withOtherDigits(text, chance) : text;
  if (slot === 'JOB' && chance.happens(0.5)) return text;
  const isHan = hanName.test(text);
  for (let tries = 0; tries < mostTries; tries++) {
    const asNamed = isHan ? hanPerson : person;
    const other = slot === 'PER' ? asNamed(text, slots, chance) : slots(slot, chance).replace(/^the /iu, '');
    if (other === '' || (isHan && slot === 'LOC' && !hanName.test(other))) continue;
    // Mark stays Mark in a Chinese text.
    if (slot === 'PER' && isHan !== hanName.test(other)) continue;
    return inCaseOf(text, isHan && slot === 'LOC' ? withEndOf(text, other) : other);
  }
  return text;
}

/** As many words: one or several. */
function person(text: string, slots: Slots, chance: Chance): string {
  if (!text.includes(' ')) return slots(chance.happens(0.7) ? 'PERF' : 'PERL', chance);
  const found = slots('PER', chance);
  return found.includes(' ') ? found : '';
}

/** 张 stays a surname, 小张 and 阿明 keep their first character, two characters stay two. */
function hanPerson(text: string, slots: Slots, chance: Chance): string {
  const fresh = slots('PER', chance);
  if (!hanName.test(fresh) || fresh.length < 2 || fresh.length > 4) return '';
  if (text.length === 1) return chance.happens(0.6) ? fresh[0]! : text;
  if (/^[小老阿]/u.test(text) && text.length < 4)
    return text[0] + (chance.happens(0.5) ? fresh[0]! : fresh.slice(1));
  if (text.length === 2) return chance.happens(0.5) ? fresh.slice(0, 2) : fresh.slice(-2);
  return fresh;
}

function withEndOf(text: string, found: string): string {
  const end = hanPlaceEnd.exec(text)?.[0];
  return end && text.length > end.length + 1 ? found.replace(/[省市区县镇村]$/u, '') + end : found;
}

function inCaseOf(text: string, found: string): string {
  if (text === text.toLowerCase()) return found.toLowerCase();
  return text === text.toUpperCase() && text.length > 3 ? found.toUpperCase() : found;
}

/** 14 June 2019 becomes 12 June 2016: digits after the first of each number change. */
const withOtherDigits = (text: string, chance: Chance): string =>
  text.replaceAll(/(?<=\p{N})\d/gu, () => String(chance.below(10)));
