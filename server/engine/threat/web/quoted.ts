/**
 * Code that somebody writes about. Into a search box and a text people paste commands and queries whole; an attack there has to
 * break out of something first, and begins with the mark that does.
 */

import type { ParameterNames } from './parameter-names.ts';
import { BUILD_STEP, type WebValue } from './request/web-request.ts';

/** Quoted or bracketed text in code is no prose. */
const ENCLOSED = /\([^()]*\)|"[^"]*"|'[^']*'|`[^`]*`|\{[^{}]*\}/gu;
const WORDS = /^[\p{L}\d./~$@_:-][^;|&`]{0,200}[ \n][-$./~]{0,2}\p{L}{2}/u;
/** A single word and then another command. */
const SECOND_COMMAND = /^\S{0,40}(?: ?(?:[;|\n]|&&|\$\()|`)/u;

/** Findings that a whole command, call, query or path bears out without any breaking out. */
const QUOTABLE =
  /^web-(?:rce-|php-(?:call|variable|directive)|java-class|ssti-|xss-script$|lfi-|scan-|ssrf-internal|sqli-(?:select-from|system|function|condition|piece|stacked)|protocol-mail|protocol-header-injection|session-)/u;
/** Findings that code in an editor bears out. */
const EDITED =
  /^web-(?:rce-|php-(?:call|variable|directive)|ssti-|sqli-(?:select-from|union|function|condition|piece|query)|lfi-|nosql-|xss-(?:script$|attribute)|protocol-header-injection|leak-)/u;
const ERROR_TEXT = /^web-leak-/u;
/** An error as a server writes it, from its name on. */
const ANSWERED = /^\S{1,80}: /u;
/** Of a heading, a list or what a mail answers to. */
const MARK = /^(?:#{1,6}|[*>-]) (?=\p{L})/u;

/** Words looked for as one. */
const PHRASE = /(?<![^\s(:])"[^"]*"(?=$|[\s)])/gu;

/** The same in front, with nothing but the name of a file or words behind it. */
const LEADING_PHRASE =
  /^"(?:[\p{L}\d]{2,24}(?: [\p{L}\d'.:-]{1,24}){1,8}|(?:\/[\w.-]{1,24}){1,6})" (?=[\p{L}\d/._: -]{2,80}$)/u;
/** An element named among words, which neither closes nor does anything. */
const TAG_AND_WORDS = /^<\/?[a-z]\w{0,12}>(?: [\p{L}\d.,?'-]{1,24}){2,12}\??$/iu;

/** Words before a mark: prose that speaks of code. */
const SPEAKS = /^(?:(?:[\p{L}\d]{1,24}[,:]? ){3,}|\p{Script=Han}{4})/u;
const ACTIVE = /<\/script|\bon\w{3,20}\s?=|src\s?=|javascript:/iu;
/** A statement as a person writes one: from its first word, with nothing closed before. */
const STATEMENT =
  /^[\s(]*(?:select|with|insert|update|delete|create|alter|explain|show|df|import|from|def|print|echo|curl|npm|pip|git|docker|make|cd|ls|cat|python|node|go|cargo|set [-+]\w|export|apt|apk|mvn|gradle|yarn|pnpm|npx|pytest|helm|kubectl|terraform|package \w|func(?:tion)? \w|fn \w|class \w|public |using \w|const \w|let \w|var \w|async |<|#|\/\/|\{|\$?[a-z_]\w* ?[=(.])/iu;

/** A table laid out or changed, and nothing behind it. */
const ONE_CHANGE =
  /^(?:alter table [\w.`"]{1,80} (?:add|modify|change|rename|alter column)|create (?:table|index|view)) [^;]{1,2000};?\s{0,8}$/iu;

/** A step of a pipeline runs what it is given; these no build needs. */
const NO_BUILD =
  /\/dev\/(?:tcp|udp)\/|\/etc\/(?:passwd|shadow)|\bn(?:c|cat)\b.{0,80}\d|169\.254\.169\.254|^[^\p{L}\d./$#@]/iu;

/** A whole script as a file holds it: nothing is broken out of. */
const SCRIPT = /^#! ?\/[\w/]+ ?\w*[ \n]/u;

/** Marks that passwords are made of. */
const IN_PASSWORDS =
  /^web-(?:rce-(?:expansion|shell-glob|history)|php-(?:variable|call)|sqli-(?:piece|condition)|ldap-filter|ssti-|xpath-)/u;

/** The same, where a quote is followed by enough of it, no word of a query, no blank, nothing compared, and no end of a comment. */
const QUOTES_IN_PASSWORDS = /^web-sqli-(?:comment|tautology|clause)$/u;
const STRONG =
  /^(?=(?:[^\p{L}\d]*[\p{L}\d]){7})(?!.*(?:\b(?:x?or|and|not|is|in|union|select|r?like|drop|insert|update|delete|exec|having|sleep|waitfor|where|null|true)\b|\s|\/\*|\|\||&&|=\s?['"\d]|[<>]\s?['"]))(?!.*(?:--|#|;|\/\*)\W{0,4}$)/iu;

const CJK = /[\u3400-\u9fff]{2}/u;

/** Pictures, styles and scripts of a page. */
const PAGE_PART = /\.(?:css|m?js|svg|png|jpe?g|gif|webp|avif|ico|woff2?|map)$/iu;

/** A link to a part of a page, from its folder or the one above. */
const PAGE_LINK = /^(?:\.{1,2}\/){1,2}[\w-][\w/-]*\.(?:css|m?js|svg|png|jpe?g|gif|webp|avif|ico|woff2?)$/iu;

/** A path that leaves one folder, only to enter it again or for a part of a page: a relative link put behind its own page's address. */
export function staysInside({ place, decoded, layers }: WebValue): boolean {
  if (place === 'value' && layers <= 1 && PAGE_LINK.test(decoded)) return true;
  if (place !== 'path' || layers > 1 || !/^[\w./ ()-]+$/u.test(decoded)) return false;
  const parts = decoded.split('/');
  const up = parts.indexOf('..');
  if (up <= 0 || up !== parts.lastIndexOf('..') || parts[up - 1] === '') return false;
  return parts[up - 1] === parts[up + 1] || PAGE_PART.test(decoded);
}

/** A query in the language of GraphQL that takes variables. */
const WITH_VARIABLES = /^\s{0,8}(?:query|mutation|subscription)\b[^({]{0,100}\(\s{0,8}\$\w/u;
/** A variable declared with its type, and one that stands for a value. */
const VARIABLE = /\$\w{1,60}(?=\s{0,4}:\s{0,4}\[?[A-Z])|(?<=:\s{0,4})\$\w{1,60}(?=\s{0,4}[,)}\]\s])/gu;
const DOLLAR_WORD = /\$\w/u;

/** Names of its own that a query declares are no operators of a database, when nothing else in it begins like one. */
export const onlyDeclares = ({ place, decoded }: WebValue): boolean =>
  place === 'value' && WITH_VARIABLES.test(decoded) && !DOLLAR_WORD.test(decoded.replace(VARIABLE, ''));

/** Tells which findings of a value are quotations; undefined where the value is no prose. */
export function quotations(value: WebValue, names: ParameterNames): ((id: string) => boolean) | undefined {
  const { place, name } = value;
  const plain = value.markup.trimStart().replace(MARK, '');
  if (place === 'value' && name === BUILD_STEP)
    return NO_BUILD.test(plain) ? undefined : (id) => EDITED.test(id);
  if (place === 'value' && names.editors.test(name) && STATEMENT.test(plain))
    return (id) =>
      EDITED.test(id) ||
      (id === 'web-xss-tag' && !ACTIVE.test(plain)) ||
      (id === 'web-sqli-stacked' && ONE_CHANGE.test(plain));
  if (place === 'value' && (names.editors.test(name) || names.texts.test(name)) && SCRIPT.test(plain))
    return (id) => EDITED.test(id) || ERROR_TEXT.test(id);
  const isSearch = names.searches.test(name);
  if (names.passwords.test(name)) {
    const isStrong = STRONG.test(value.decoded);
    return (id) => IN_PASSWORDS.test(id) || (isStrong && QUOTES_IN_PASSWORDS.test(id));
  }
  if (
    (place !== 'value' && place !== 'referer') ||
    !(isSearch || names.texts.test(name)) ||
    SECOND_COMMAND.test(plain)
  )
    return undefined;
  if (isSearch && TAG_AND_WORDS.test(plain)) return (id) => QUOTABLE.test(id) || id === 'web-xss-tag';
  // Words looked for as one, in front, are words.
  const isPhrased = isSearch && LEADING_PHRASE.test(plain);
  const rest = (isPhrased ? plain.replace(LEADING_PHRASE, 'phrase of ') : plain)
    .replace(ENCLOSED, ' ')
    .trimStart();
  if (
    !(isPhrased || plain.startsWith(rest.slice(0, 1))) ||
    !(WORDS.test(rest) || CJK.test(rest) || isPhrased)
  )
    return undefined;
  const speaks = SPEAKS.test(plain);
  return (id) =>
    QUOTABLE.test(id) ||
    (speaks && ERROR_TEXT.test(id) && !ANSWERED.test(plain)) ||
    (isSearch &&
      (ERROR_TEXT.test(id) || (id === 'web-sqli-union' && !/\bunion\b/u.test(plain.replace(PHRASE, ' '))))) ||
    (speaks && (id === 'web-sqli-tautology' || (id === 'web-xss-tag' && !ACTIVE.test(plain))));
}
