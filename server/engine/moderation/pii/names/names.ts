import { fromRules, type PiiMatch } from '../match.ts';
import {
  givenNames,
  initial,
  isChineseName,
  isName,
  notInPlace,
  person,
  surname,
  word,
} from './name-lists.ts';
import { findNamesBeside, findRepeated } from './names-context.ts';
import { findLocalNames } from './names-local.ts';

const title =
  "(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Sir|Madam|Encik|En|Puan|Pn|Cik|Tuan|Datuk|Dato['’]?|Datin|Tan Sri|Tun|Haji|Hajah|Ustaz|Cikgu)\\.?";

function startsGiven(found: string): boolean {
  return givenNames.has((found.split(' ')[0] ?? '').toLowerCase());
}

const findPersons = fromRules([
  {
    kind: 'name',
    pattern: new RegExp(
      `(?:[Mm]y (?:full )?name is|[Mm]y name['’]s|[Nn]ama (?:penuh )?saya(?: ialah)?|[Nn]ame ?:|NAME ?:|[Nn]ama(?: [Pp]enuh)? ?:|[Pp]artner['’]s name|[Cc]all(?:s|ed)? me|[Pp]anggil saya|known as)\\s{1,6}(?:${title} )?(?<value>${person})`,
      'dgu',
    ),
    score: 0.6,
    valid: isName,
    group: 'value',
  },
  {
    kind: 'name',
    pattern: new RegExp(
      `(?:\\b[Ii](?:['’]m| am)|[Tt]his is|[Ss]aya) (?<value>${word}(?: (?:${initial} )?${word}){1,3})`,
      'dgu',
    ),
    score: 0.5,
    valid: isName,
    group: 'value',
  },
  {
    kind: 'name',
    pattern: new RegExp(`(?<!\\p{L})${notInPlace}${title} (?<value>${person})`, 'dgu'),
    score: 0.45,
    valid: isName,
    group: 'value',
  },
  {
    kind: 'name',
    pattern: new RegExp(`(?<!\\p{L})${word} ${initial} ${word}`, 'dgu'),
    score: 0.4,
    valid: isName,
  },
  {
    // A greeting, and the first line of an address.
    kind: 'name',
    pattern: new RegExp(
      `(?:\\b(?:Hi|Hello|Hey|Dear|Hai|Salam)|您好|你好),? (?<value>${person})(?=[,.!\\n:])`,
      'dgu',
    ),
    score: 0.4,
    valid: isName,
    group: 'value',
  },
  {
    kind: 'name',
    pattern: new RegExp(
      `(?:^|\\n)[> ]{0,3}(?<value>${word} (?:${initial} )?${word}(?: ${word})?) {0,3}\\n{1,2}[> ]{0,4}(?=\\d)`,
      'dgu',
    ),
    score: 0.45,
    valid: isName,
    group: 'value',
  },
  {
    // Somebody who speaks, lives or is spoken of as a person is.
    kind: 'name',
    pattern: new RegExp(
      `(?<!\\p{L})(?<value>${person})(?= (?:said|says|told|asked|asks|replied|explained|lives|lived|shouted|listed|wrote|married|kata|berkata|tinggal)\\b)`,
      'dgu',
    ),
    score: 0.35,
    valid: isName,
    group: 'value',
  },
  {
    kind: 'name',
    pattern: new RegExp(
      `\\b(?:named|directed by|starring|sung by|written by|singer|producer|author|songwriter|partner|wife|husband|guardian|account (?:of|is)|says|said|bernama|heard|by) (?<value>${word} (?:${initial} )?${word}(?: ${word})?)`,
      'dgu',
    ),
    score: 0.35,
    valid: isName,
    group: 'value',
  },
  {
    kind: 'name',
    pattern: new RegExp(`(?<!\\p{L})${person}`, 'dgu'),
    score: 0.35,
    valid: (found) => startsGiven(found) && isName(found),
  },
  {
    kind: 'name',
    pattern: new RegExp(
      `(?:我叫|我是|姓名[:：是]?|名字[叫是:：]+|本人|联系人[:：]?)\\s{0,3}(?<value>${surname}\\p{Script=Han}{1,2})(?!\\p{Script=Han}{0,1}[国城市])`,
      'dgu',
    ),
    score: 0.6,
    valid: isChineseName,
    group: 'value',
  },
  {
    kind: 'name',
    pattern: new RegExp(`(?<value>${surname}\\p{Script=Han}{0,2})(?:先生|女士|小姐|太太|老师|医生)`, 'dgu'),
    score: 0.4,
    valid: isChineseName,
    group: 'value',
  },
]);

/** Persons' names. A name alone is no exposure (0.35 to 0.45): it counts when the text says whose it is or joins it to other data. */
export function findNames(text: string): PiiMatch[] {
  const found = [...findPersons(text), ...findNamesBeside(text), ...findLocalNames(text)];
  return [...found, ...findRepeated(text, found)];
}
