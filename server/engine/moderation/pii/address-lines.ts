/** Addresses over several lines: what a street's pattern found grows by the lines of its block. Pure. */
import type { PiiMatch } from './match.ts';

const areas =
  'Jalan|Jln\\.?|Lorong|Lrg\\.?|Taman|Tmn\\.?|Kampung|Kg\\.?|Persiaran|Lebuh|Lebuhraya|Bandar|Desa|Seksyen|Section|Mukim|Medan|Off|Kawasan|Pusat|Bukit|(?:SS|USJ|PJU|PJS|BU|TTDI) ?\\d';
const parts =
  'No\\.? ?\\d|Lot|Unit|Blok|Block|Level|Tingkat|Floor|\\d{1,2}(?:st|nd|rd|th) Floor|Suite|Ste\\.?|Apt\\.?|Apartment|Flat|Room|#|Menara|Wisma|Plaza|Kompleks|Kondominium|Pangsapuri|Residensi|P\\.? ?O\\.? ?Box|Peti Surat|\\d{1,5}[A-Z]?,';
const regions =
  'Malaysia|Johor|Kedah|Kelantan|Melaka|Malacca|Negeri Sembilan|Pahang|Perak|Perlis|Penang|Pulau Pinang|Sabah|Sarawak|Selangor|Terengganu|(?:W\\.?P\\.? |Wilayah Persekutuan )?(?:Kuala Lumpur|Labuan|Putrajaya)|Singapore|Singapura|Brunei|Indonesia|Thailand|China|Hong Kong|Taiwan|India|Australia|United Kingdom|U\\.?K\\.?|England|Scotland|Ireland|Germany|France|Netherlands|Canada|United States|U\\.?S\\.?A\\.?|中国|马来西亚|新加坡';

const partLine = new RegExp(`^(?:${areas}|${parts})`, 'u');
const regionLine = new RegExp(`^(?:(?:${regions})(?:, ?)?){1,3}\\.?$`, 'u');
const townWord = "\\p{Lu}[\\p{L}'’-]*\\.?";
const postcodeLine = new RegExp(
  `^(?:[A-Z]{1,2}-)?\\d{4,6},? (?:${townWord},? ?){1,5}$|^(?:${townWord},? ){1,5}(?:\\d{5}(?:-\\d{4})?|\\d{6}|[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}),?(?: (?:${regions}))?\\.?$`,
  'u',
);
/** Of Malaysia, whose lines begin with the postcode: enough to begin an address with. */
const townLine = /^\d{5},? (?:\p{Lu}[\p{L}'’-]*,? ?){1,4}\.?$/u;
const hanLine = /^[\p{Script=Han}\d（）()A-Za-z -]{2,40}(?:室|楼|层|栋|幢|号|座|单元|区|镇|村|里|省|市)$/u;
const plainLine = new RegExp(`^(?:(?:${townWord}|[\\w#/-]*\\d[\\w/-]*|&|[(][^)]*[)]),? ?){1,7}$`, 'u');
const otherData =
  /[:：@]|\b(?:invoice|invois|date|tarikh|total|jumlah|tel|phone|telefon|fax|ref|order|pesanan|account|akaun|ic|page|e-?mail|customer|amount|qty|reg|tax|gst|sst|due|from|to)\b|\d\.\d{2}\b/i;

const mostLines = 5;

interface Line {
  start: number;
  end: number;
  text: string;
}

function linesOf(text: string): Line[] {
  return [...text.matchAll(/[^\n]+|(?<=\n)(?=\n)/g)].map(({ 0: found, index }) => {
    const start = index + (found.length - found.trimStart().length);
    return { start, end: start + found.trim().length, text: found.trim() };
  });
}

const may = ({ text }: Line): boolean => text.length <= 70 && !otherData.test(text) && plainLine.test(text);
const isPart = ({ text }: Line): boolean => text.length <= 70 && !otherData.test(text) && partLine.test(text);

/** Index of the last line of the block that begins with line `at`. */
function lastLine(lines: readonly Line[], at: number): number {
  let last = at;
  let ended = postcodeLine.test(lines[at]!.text);
  for (let next = at + 1; next < lines.length && next <= at + mostLines; next++) {
    const line = lines[next]!;
    if (hanLine.test(line.text) && /\p{Script=Han}/u.test(lines[at]!.text)) last = next;
    else if (regionLine.test(line.text)) last = next;
    else if (!ended && postcodeLine.test(line.text) && !otherData.test(line.text)) {
      last = next;
      ended = true;
    } else if (!ended && isPart(line)) last = next;
    else if (ended || !may(line)) break;
  }
  return last;
}

function firstLine(lines: readonly Line[], at: number): number {
  let first = at;
  while (first > 0 && at - first < mostLines - 1) {
    const line = lines[first - 1]!;
    const goesOn = line.text.endsWith(',') && /\d/.test(line.text) && may(line);
    if (!goesOn && !isPart(line)) break;
    first--;
  }
  return first;
}

/**
 * Addresses grown over the lines of their block, and blocks of which only the line with the postcode tells. A street that
 * stays alone, without a number, is a place.
 */
export function overLines(text: string, found: readonly PiiMatch[]): PiiMatch[] {
  const lines = linesOf(text);
  const towns = lines
    .filter((line) => townLine.test(line.text) && !otherData.test(line.text))
    .map(({ start, end }): PiiMatch => ({ kind: 'address', start, end, score: streetScore }));
  return [...found, ...towns].map((match) => {
    const [start, end] = grow(text, lines, match);
    const grew = text.slice(start, end).includes('\n');
    if (match.score > streetScore) return { ...match, start, end };
    return { kind: grew ? 'address' : 'place', start, end, score: grew ? blockScore : streetScore };
  });
}

/** A street or a town alone; a block of lines. */
const streetScore = 0.3;
const blockScore = 0.7;

function grow(text: string, lines: readonly Line[], match: PiiMatch): [start: number, end: number] {
  let { start, end } = match;
  // A British postcode's second half, behind the first that was read as a word.
  end += /^(?:\d[A-Z\d]?)? ?\d[A-Z]{2}\b/.exec(text.slice(end, end + 8))?.[0].length ?? 0;
  const top = lines.findIndex((line) => line.start <= start && start <= line.end);
  let bottom = lines.findIndex((line) => line.start <= end && end <= line.end);
  // A street's pattern takes a label's first word on the next line for a town.
  for (; bottom > top && otherData.test(lines[bottom]!.text); bottom--) end = lines[bottom - 1]!.end;
  const [head, foot] = [lines[top], lines[bottom]];
  if (foot && /^[\s.,;，。]*$/.test(text.slice(end, foot.end)))
    end = Math.max(end, lines[lastLine(lines, bottom)]!.end);
  if (head && start === head.start) start = lines[firstLine(lines, top)]!.start;
  return [start, end - (/[\s.,;，。]*$/.exec(text.slice(start, end))?.[0].length ?? 0)];
}
