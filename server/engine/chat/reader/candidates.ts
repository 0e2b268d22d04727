/** Places that a field's value may stand at: the likeliest, those of its form, every number for a number. */
import type { Json } from '../../pack-files.ts';
import type { ReadingSettings } from './context.ts';
import { piecesOf } from './digit-groups.ts';
import type { ReadText } from './features.ts';
import { counted, hinted } from './hints.ts';
import { numberPlaces } from './number-places.ts';
import type { Place, Reading } from './reader.ts';
import { asksNumber, asksText } from './schemas.ts';
import { lengthOf } from './split.ts';
import { numberOf, type ValueWords } from './values.ts';
import { wordsOfKey } from './wording.ts';

interface NamedField {
  key: string;
  schema: Json;
}

/** The form that a field's values have by its name. */
export const namedForm = ({ key, schema }: NamedField, { kinds, values }: ReadingSettings) => {
  const told = String(schema.description ?? '');
  const [isDay, isTime] = [values.isoDate.test(told), values.clock.test(told)];
  const name =
    schema.format === 'date' || (isDay && !isTime)
      ? 'date'
      : schema.format === 'time' || (isTime && !isDay)
        ? 'time'
        : wordsOfKey(key);
  return asksText(schema) ? kinds.find((each) => each.key.test(name)) : undefined;
};

/** The best places of a field; of one whose values have a form, those of that form, whole. */
export function candidatesOf(
  { key, schema }: NamedField,
  reading: Reading,
  read: Pick<ReadText, 'text' | 'words' | 'known'>,
  settings: ReadingSettings,
  likeness: (words: string) => number = () => 0,
): Place[] {
  const { hints, values } = settings;
  const { text } = read;
  const name = wordsOfKey(key);
  const withHints = (places: readonly Place[]) => hinted(name, places, { reading, text, words: hints });
  const isMoney = settings.phrases.money.test(name);
  const isPiece = piecesOf(text, `${name} ${String(schema.description ?? '')}`, settings.digits);
  if (asksNumber(schema)) {
    const numbers = withNumbers(reading, text, values).filter((place) => !isPiece(place));
    // “half an hour” costs nothing.
    const isPrice = ({ gain, text: said }: Place) =>
      (gain ?? 0) >= priceGain || (numberOf(said, values) ?? 1) >= 1 || /\d/u.test(said);
    const priced = isMoney
      ? numbers.map((place) => withPrice(place, text, settings)).filter(isPrice)
      : numbers;
    return counted(withHints(priced), text, likeness);
  }
  const isText = asksText(schema);
  const kind = namedForm({ key, schema }, settings);
  const formed = [...(kind ? text.matchAll(kind.value) : [])].flatMap(({ 0: words, index }): Place[] => {
    const place = reading.within(index, index + words.length);
    return place ? [{ ...place, text: words, start: index, end: index + words.length, gain: formGain }] : [];
  });
  if (formed.length > 0) return withHints(formed);
  // An address of the net or of mail is nobody's name, and no town.
  const isOther = ({ text: words }: Place) => isText && /^(?:https?:|www\.)\S+$|^\S+@\S+\.\S+$/u.test(words);
  const fitting = reading.best.filter((place) => !isOther(place) && !(isMoney && isPiece(place)));
  const plain = withHints(fitting);
  const numbered = (plain.length > 0 ? plain : reading.best).map((place) => wholeNumber(place, text));
  if (!isText) return numbered;
  const places = numbered.map((number) => {
    const named = withOwner(
      wholeName(wholeWords(withInitial(titled(number, text, settings), text), read), text),
      text,
      settings,
    );
    return wholeAddress(
      name,
      withoutName(name, trimmed(inOneColumn(withoutMark(named, text), text), text, settings), text, settings),
      text,
      settings,
    );
  });
  return [
    ...places,
    ...places.flatMap((place) => quotedAround(place, text)),
    ...places
      .flatMap((place) => capitalsAround(place, text, settings))
      .map((place) => withoutName(name, trimmed(place, text, settings), text, settings)),
  ];
}

/** Log odds that an amount has its currency beside it, or two decimals. */
const priceGain = 2.5;

function withPrice(place: Place, text: string, { phrases }: ReadingSettings): Place {
  const isPriced =
    /[.,]\d{2}$/u.test(place.text) ||
    phrases.currencyBefore.test(text.slice(Math.max(0, place.start - mostAround), place.start)) ||
    phrases.currencyBehind.test(text.slice(place.end, place.end + mostAround));
  return isPriced ? { ...place, score: place.score + priceGain, gain: (place.gain ?? 0) + priceGain } : place;
}

/** “Haziq” of “Ungku Haziq came”: the whole run of words with capitals, but for a sentence's first word. */
function capitalsAround(place: Place, text: string, { capitals }: ReadingSettings): Place[] {
  if (!/^\p{Lu}/u.test(place.text) || lengthOf(place.text) > longestPerson) return [];
  const before = capitals.before.exec(text.slice(Math.max(0, place.start - mostAround), place.start))?.[0];
  const after = capitals.after.exec(text.slice(place.end, place.end + mostAround))?.[0];
  const first = place.start - (before?.length ?? 0);
  const isOpening = /(?:^|[.!?\n]\s*)$/u.test(text.slice(Math.max(0, first - 3), first));
  // “John Doe, 35”: an apposition tells a name from a sentence.
  const isApposed = /^\s?[,，(（]/u.test(text.slice(place.end + (after?.length ?? 0)));
  const lead = before && isOpening && !isApposed ? /^\S+ /u.exec(before)![0].length : 0;
  const [start, end] = [first + lead, place.end + (after?.length ?? 0)];
  if (start >= place.start && end === place.end) return [];
  if (lengthOf(text.slice(start, end)) > longestPerson) return [];
  return [{ ...place, text: text.slice(start, end), start, end, score: place.score + inCapitals }];
}

/** Log odds that a name is the whole of its words with capitals. */
const inCapitals = 1.5;

/** Log odds by which a value that has its field's form is told all the same. */
const formGain = 3;

const between = (place: Place, start: number, end: number, text: string): Place =>
  start === place.start && end === place.end ? place : { ...place, start, end, text: text.slice(start, end) };

/** With the letters before and behind it in Chinese that are one word with its first or last ones. */
function wholeWords(place: Place, { known, text, words }: Pick<ReadText, 'text' | 'words' | 'known'>): Place {
  let first = words.findIndex(({ end }) => end > place.start);
  let last = words.findLastIndex(({ start }) => start < place.end);
  const isOne = (at: number) =>
    words[at]?.kind === 'han' && words[at + 1]?.kind === 'han' && !!known[at] && known[at] === known[at + 1];
  if (first < 0 || last < first) return place;
  if (words[first]!.start === place.start) while (isOne(first - 1)) first -= 1;
  if (words[last]!.end === place.end) while (isOne(last)) last += 1;
  const [start, end] = [words[first]!.start, words[last]!.end];
  return between(place, Math.min(place.start, start), Math.max(place.end, end), text);
}

/** “Dr” or “Tan” of “Dr. Tan”: the name with its title. */
function titled(place: Place, text: string, { hints }: ReadingSettings): Place {
  const from = Math.max(0, place.start - mostAround);
  for (const { 0: name, index } of text.slice(from, place.end + mostAround).matchAll(hints.persons)) {
    const [start, end] = [from + index, from + index + name.length];
    const isPart = start <= place.start && place.end <= end && lengthOf(name) <= longestPerson;
    if (isPart) return between(place, start, end, text);
  }
  return place;
}

const longestPerson = 6;

/** “118 Kirkgate, Wakefield WF1”: an address goes on with names and codes behind commas. */
function wholeAddress(name: string, place: Place, text: string, { trim }: ReadingSettings): Place {
  const isWhole = !trim.address.test(name) || place.text !== text.slice(place.start, place.end);
  const owned = isWhole
    ? null
    : /^['’]s(?: \p{Lu}\p{L}+)+/u.exec(text.slice(place.end, place.end + mostAround));
  if (owned)
    return wholeAddress(name, between(place, place.start, place.end + owned[0].length, text), text, {
      trim,
    } as ReadingSettings);
  const rest = isWhole ? null : trim.addressRest.exec(text.slice(place.end, place.end + mostAround));
  const more = rest?.[0].replace(/(?<=\p{Ll}{3})\.\s.*$/su, '') ?? '';
  return more === '' ? place : between(place, place.start, place.end + more.length, text);
}

/** “Luigi's” of “a table at Luigi's tonight”: the name of a place that is its owner's. */
function withOwner(place: Place, text: string, { trim }: ReadingSettings): Place {
  const mark = /^\p{Lu}/u.test(place.text)
    ? trim.owner.exec(text.slice(place.end, place.end + mostAround))
    : null;
  return mark ? between(place, place.start, place.end + mark[0].length, text) : place;
}

/** “R” of “R. Kettering”: the name behind its first letter. */
function withInitial(place: Place, text: string): Place {
  if (!/(?<![\p{L}\d/-])\p{Lu}$/u.test(place.text)) return place;
  const rest = /^\.(?: ?\p{Lu}\.)* ?\p{Lu}[\p{L}'’-]+/u.exec(text.slice(place.end, place.end + mostAround));
  return rest ? between(place, place.start, place.end + rest[0].length, text) : place;
}

/** Without what stands behind a wide gap, in the next column or line, or behind a bracket that is not closed. */
function inOneColumn(place: Place, text: string): Place {
  if (place.text !== text.slice(place.start, place.end)) return place;
  const gap = /\S(?= {2,}\S|\s*[\t\u3000\n])/u.exec(place.text);
  const whole = gap ? between(place, place.start, place.start + gap.index + 1, text) : place;
  const open = /[(（][^()（）]*$/u.exec(whole.text);
  if (!open) return whole;
  const rest = /^[^()（）\n]{0,12}[)）]/u.exec(text.slice(whole.end));
  if (rest) return between(whole, whole.start, whole.end + rest[0].length, text);
  const before = whole.text.slice(0, open.index).trimEnd();
  return before === '' ? whole : between(whole, whole.start, whole.start + before.length, text);
}

/** Without the words around a value that are no part of it; an address alone where one stands within. */
function trimmed(place: Place, text: string, { trim }: ReadingSettings): Place {
  const address = lengthOf(place.text) < 8 ? addressWithin.exec(place.text) : null;
  if (address && address[0] !== place.text)
    return between(place, place.start + address.index, place.start + address.index + address[0].length, text);
  const isShort = lengthOf(place.text) <= longestTrimmed;
  const before = isShort ? (trim.before.exec(place.text)?.[0].length ?? 0) : 0;
  // “Ms Ferrand's grey car”: an owner, no place of hers.
  const isOwner =
    ownerSign.test(place.text) && !trim.owner.test(text.slice(place.end - 2, place.end + mostAround));
  const after = isOwner ? 2 : (trim.after.exec(place.text)?.[0].length ?? 0);
  if (place.text !== text.slice(place.start, place.end) || before + after >= place.text.length) return place;
  return between(place, place.start + before, place.end - after, text);
}

const ownerSign = /\p{L}['’]s$/u;

/** A sentence keeps its articles. */
const longestTrimmed = 5;

/** “lab technician position”, “ID rs6034464”: without the field's own name behind it in small letters, or before a number. */
function withoutName(key: string, place: Place, text: string, { trim }: ReadingSettings): Place {
  if (place.text !== text.slice(place.start, place.end)) return place;
  const names = key.split(' ').filter((word) => word.length > 1);
  const role = trim.role.exec(place.text);
  const isOwnRole = role && names.some((word) => role[0].toLowerCase().startsWith(word.slice(0, 5)));
  if (isOwnRole) return between(place, place.start + role[0].length, place.end, text);
  const [, before, first] = /^((\p{L}+)[ :：]+)(?=\S*\d)\S+$/u.exec(place.text) ?? [];
  const [, after, last] = /(?<=\S)( (\p{Ll}+))$/u.exec(place.text) ?? [];
  if (before && names.includes(first!.toLowerCase()))
    return between(place, place.start + before.length, place.end, text);
  // “ubat metformin”, “Tracking LX 220”: the name as a label, and small letters or numbers behind it.
  const [lead, label] = /^(\p{L}+) +(?=\p{Ll}|[\p{Lu}\d]+(?: |$)|\p{Lu}\p{L}* \d+$)/u.exec(place.text) ?? [];
  const rest = place.text.slice(lead?.length);
  const isValue = /\d/u.test(rest) || (/^\p{Ll}/u.test(rest) && !trim.before.test(rest));
  if (lead && isValue && names.includes(label!.toLowerCase()))
    return between(place, place.start + lead.length, place.end, text);
  return after && names.includes(last!) ? between(place, place.start, place.end - after.length, text) : place;
}

const addressWithin = /(?<=^|\s)[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}/u;

/** A number with what hangs on it: “014-2239087”, “2022/08/16”. */
function wholeNumber(place: Place, text: string): Place {
  const before = /(?:\d[-/.:\d]*[-/.:]|(?<![\p{L}\d])[a-z]+\d*-?)$/iu.exec(
    text.slice(Math.max(0, place.start - longestPart), place.start),
  );
  // “train” of “train.sh”, “larch-paper” of “larch-paper.example”: names go on behind a point.
  const tail = /[a-z\d]$/u.test(place.text)
    ? /^(?:[.-][a-z\d][\w-]*){0,4}\.[a-z\d]\w*(?![\w.])/u.exec(text.slice(place.end, place.end + longestPart))
    : null;
  if (tail)
    return {
      ...place,
      end: place.end + tail[0].length,
      text: text.slice(place.start, place.end + tail[0].length),
    };
  // “HH-90441-C”: letters are the code's too, where it has some.
  const isCode = /\p{Lu}/u.test(place.text) && /\d$/u.test(place.text);
  const after = (isCode ? /^(?:[-/.][\p{Lu}\d]+)+(?![\p{L}\d])/u : /^[-/.:][-/.:\d]*\d(?![\p{L}\d])/u).exec(
    text.slice(place.end, place.end + longestPart),
  );
  const start = before && /^\d/u.test(place.text) ? place.start - before[0].length : place.start;
  const end = after && /\d$/u.test(place.text) ? place.end + after[0].length : place.end;
  return start === place.start && end === place.end
    ? place
    : { ...place, start, end, text: text.slice(start, end) };
}

const longestPart = 24;

/** The words between the quotes around a place. */
function quotedAround(place: Place, text: string): Place[] {
  const from = Math.max(0, place.start - mostAround);
  const around = text.slice(from, place.end + mostAround);
  for (const { 0: all, 1: inner, index } of around.matchAll(
    /["“「《‘]([^"“”「」《》‘’\n]{1,80})["”」》’]|(?<![\p{L}\d])'([^'\n]{1,80})'(?![\p{L}\d])/gu,
  )) {
    const [start, end] = [from + index + 1, from + index + all.length - 1];
    const isSame = start === place.start && end === place.end;
    if (start < place.end && place.start < end && inner !== '')
      return isSame ? [] : [{ text: text.slice(start, end), start, end, score: place.score + inQuotes }];
  }
  return [];
}

const mostAround = 80;
/** Log odds that a value is the whole of what stands between quotes. */
const inQuotes = 1.5;

/** The best places, and every number of the text. */
function withNumbers({ best, within }: Reading, text: string, words: ValueWords): Place[] {
  const places = [...best];
  for (const { end, start } of numberPlaces(text, words)) {
    if (places.some((place) => place.start === start && place.end === end)) continue;
    const place = within(start, end);
    if (place) places.push({ ...place, text: text.slice(start, end), start, end });
  }
  return places;
}

/** “#50059”, “#PK-6620”: the mark is no part of a number; of a color it is. */
function withoutMark(place: Place, text: string): Place {
  const isCode = /^#(?=[\p{Lu}\d-]*\d)(?![\da-f]*[a-f][\da-f]*$)[\p{Lu}\d-]+$/iu.test(place.text);
  return isCode ? between(place, place.start + 1, place.end, text) : place;
}

/** With the last sign of a Chinese name that was cut: one sign, and nothing behind it. */
function wholeName(place: Place, text: string): Place {
  const isCut =
    lengthOf(place.text) <= 4 &&
    /^\p{Script=Han}+$/u.test(place.text) &&
    /^\p{Script=Han}(?:$|[\s,，.。、；;：:！？!?)）”’」』》])/u.test(text.slice(place.end)) &&
    !/[的了在是和与]$/u.test(text.slice(0, place.end + 1));
  return isCut ? { ...place, text: place.text + text[place.end], end: place.end + 1 } : place;
}

/** The place's words with the unit, the share sign or the multiplier behind them. */
export function measured(
  { end, text: said }: Place,
  text: string,
  { half, multipliers, percent, units }: ValueWords,
): string {
  const behind = text.slice(end, end + 2 * longestUnit);
  const halved = half.exec(behind)?.[0] ?? '';
  const words = said + halved;
  const after = behind.slice(halved.length, halved.length + longestUnit);
  const sign = percent.exec(after);
  if (sign && after.slice(0, sign.index).trim() === '') return words + after.slice(0, sign.index) + sign[0];
  const blank = /^\s*-?/u.exec(after)![0].length;
  const next = /^(?:\p{Script=Han}{1,2}|[a-z]+)/iu.exec(after.slice(blank))?.[0] ?? '';
  const isMultiplier = (form: string) =>
    (multipliers[form] ?? 0) >= 1000 && (form.length > 1 || /\p{Script=Han}/u.test(form));
  if (isMultiplier(next.toLowerCase()) || isMultiplier(next.slice(0, 1)))
    return words + after.slice(0, blank + (isMultiplier(next.toLowerCase()) ? next.length : 1));
  const unit = units
    .map(({ unit: pattern }) => pattern.exec(after.slice(blank)))
    .find((each) => each?.index === 0);
  return unit ? words + after.slice(0, blank + unit[0].length) : words;
}

const longestUnit = 16;
