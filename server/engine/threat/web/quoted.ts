/**
 * Code that somebody writes about. Into a search box and a text people paste commands and queries whole; an attack there has to
 * break out of something first, and begins with the mark that does.
 */
import { BUILD_STEP, type WebValue } from './request/web-request.ts';

/** Names of parameters that hold what people search for, and what they say. */
const SEARCH_NAME =
  /^(?:q|qs|query|s|search\w{0,12}|kw|keywords?|terms?|wd|word|topic|buscar?|busqueda|consulta|cari|carian)$/iu;
const TEXT_NAME =
  /^(?:texts?|messages?|msg|body|comments?|content|desc(?:ription)?|notes?|title|subject|question|answer|bio|about|feedback|review|post|prompt|caption|summary|mensaje|comentarios?|mesej|komen|ulasan|tajuk|soalan)$/iu;

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
/** Fields in which editors, notebooks and pipelines send code as a matter of course. */
const EDITOR_NAME =
  /^(?:sql|sql_\w{1,12}|raw_?sql|cell|code|source|script|run|snippet|html|markdown|md|template|filter|expr(?:ession)?|formula|diff|patch|body_html|content_html|rendered|raw|yaml|notebook|statement|stmt)$/iu;
/** Of a heading, a list or what a mail answers to. */
const MARK = /^(?:#{1,6}|[*>-]) (?=\p{L})/u;

/** Words looked for as one. */
const PHRASE = /(?<![^\s(:])"[^"]*"(?=$|[\s)])/gu;

/** Words before a mark: prose that speaks of code. */
const SPEAKS = /^(?:(?:[\p{L}\d]{1,24}[,:]? ){3,}|\p{Script=Han}{4})/u;
const ACTIVE = /<\/script|\bon\w{3,20}\s?=|src\s?=|javascript:/iu;
/** A statement as a person writes one: from its first word, with nothing closed before. */
const STATEMENT =
  /^[\s(]*(?:select|with|insert|update|delete|create|alter|explain|show|df|import|from|def|print|echo|curl|npm|pip|git|docker|make|cd|ls|cat|python|node|go|cargo|set [-+]\w|export|apt|apk|mvn|gradle|yarn|pnpm|npx|pytest|helm|kubectl|terraform|package \w|func(?:tion)? \w|fn \w|class \w|public |using \w|const \w|let \w|var \w|async |<|#|\/\/|\{|\$?[a-z_]\w* ?[=(.])/iu;

/** A step of a pipeline runs what it is given; these no build needs. */
const NO_BUILD =
  /\/dev\/(?:tcp|udp)\/|\/etc\/(?:passwd|shadow)|\bn(?:c|cat)\b.{0,80}\d|169\.254\.169\.254|^[^\p{L}\d./$#@]/iu;

/** A whole script as a file holds it: nothing is broken out of. */
const SCRIPT = /^#! ?\/[\w/]+ ?\w*[ \n]/u;

/** People are told to put marks into these. */
export const PASSWORD_NAME = /pass|pwd|clave|contrase|laluan|secret/iu;
const IN_PASSWORDS =
  /^web-(?:rce-(?:expansion|shell-glob|history)|php-(?:variable|call)|sqli-(?:piece|condition)|ldap-filter|ssti-|xpath-)/u;

const CJK = /[\u3400-\u9fff]{2}/u;

/** Pictures, styles and scripts of a page. */
const PAGE_PART = /\.(?:css|m?js|svg|png|jpe?g|gif|webp|avif|ico|woff2?|map)$/iu;

/** A path that leaves one folder, only to enter it again or for a part of a page: a relative link put behind its own page's address. */
export function staysInside({ place, decoded, layers }: WebValue): boolean {
  if (place !== 'path' || layers > 1 || !/^[\w./-]+$/u.test(decoded)) return false;
  const parts = decoded.split('/');
  const up = parts.indexOf('..');
  if (up <= 0 || up !== parts.lastIndexOf('..') || parts[up - 1] === '') return false;
  return parts[up - 1] === parts[up + 1] || PAGE_PART.test(decoded);
}

/** Tells which findings of a value are quotations; undefined where the value is no prose. */
export function quotations(value: WebValue): ((id: string) => boolean) | undefined {
  const { place, name } = value;
  const plain = value.markup.trimStart().replace(MARK, '');
  if (place === 'value' && name === BUILD_STEP)
    return NO_BUILD.test(plain) ? undefined : (id) => EDITED.test(id);
  if (place === 'value' && EDITOR_NAME.test(name) && STATEMENT.test(plain))
    return (id) => EDITED.test(id) || (id === 'web-xss-tag' && !ACTIVE.test(plain));
  if (place === 'value' && (EDITOR_NAME.test(name) || TEXT_NAME.test(name)) && SCRIPT.test(plain))
    return (id) => EDITED.test(id) || ERROR_TEXT.test(id);
  const isSearch = SEARCH_NAME.test(name);
  if (PASSWORD_NAME.test(name)) return (id) => IN_PASSWORDS.test(id);
  if (
    (place !== 'value' && place !== 'referer') ||
    !(isSearch || TEXT_NAME.test(name)) ||
    SECOND_COMMAND.test(plain)
  )
    return undefined;
  const rest = plain.replace(ENCLOSED, ' ').trimStart();
  if (!plain.startsWith(rest.slice(0, 1)) || !(WORDS.test(rest) || CJK.test(rest))) return undefined;
  const speaks = SPEAKS.test(plain);
  return (id) =>
    QUOTABLE.test(id) ||
    (isSearch &&
      (ERROR_TEXT.test(id) || (id === 'web-sqli-union' && !/\bunion\b/u.test(plain.replace(PHRASE, ' '))))) ||
    (speaks && (id === 'web-sqli-tautology' || (id === 'web-xss-tag' && !ACTIVE.test(plain))));
}
