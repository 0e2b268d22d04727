/**
 * Tells a value that would change what a query does, put into it as a number or inside quotes. A value is read as it is,
 * and from behind each of its quotes: there a string that the application opened may have ended.
 */

import type { SqlWords } from './sql-words.ts';
import { type SqlTokens, sqlTokens } from './tokens.ts';

export type SqlFinding =
  | 'union'
  | 'query'
  | 'tautology'
  | 'stacked'
  | 'comment'
  | 'blind'
  | 'clause'
  | 'glued';

type Rule = [finding: SqlFinding, pattern: RegExp];

/** `!*` and `(` before, then a value. */
const VALUE = '!*[(!a]*[1snvft]';

/** Holds wherever it stands: no prose has these shapes. */
const ANYWHERE: readonly Rule[] = [
  ['union', /U[k(]*E[k(]*(?:[1svat*]|[fX]\(|n[,.(]|$|[Cd]|[nk]*F)/u],
  ['query', /[(=,]\(*Ek*(?:[a*sv]|1(?:[),Fa=oCd&]|$)|[fX]\(|n[,.]|\(|t|n?F)/u],
  ['query', /Ek*\(*[fX]\(|^E\(+1/u],
  ['query', /E(?:k*a|[^E;nF]*[,(v1sa.f](?:n(?!n)|[^E;nF])*)F[n(fv]/u],
  ['query', /EnFn(?:\.n)?(?:[Cd;,U)]|B[1n]|W!*\(*n[=o])/u],
  ['tautology', /&!*\(*[1s]\)*=!*\(*[1snvfX(]/u],
  ['tautology', /&!*\(*(?:t|n\.?n?)\)*=\(*(?:[fXE]|\(E)/u],
  ['query', /f\((?:\(*E|f\(.*\)\)|1\)af?)/u],
  ['stacked', /D/u],
  ['stacked', /;\(*(?:[TD]|Ek*(?:[1sva*(]|[fX]\(|nF|n,))/u],
  ['stacked', /T(?:n\.?n?)*[n)]?(?:\([^)]*\))?(?:I?n\(|Ws?|n=|[1sv]=)/u],
  ['blind', /X(?:\.n)?\((?:\)|[1sv][),a]|1?$|[1s][Cd]|[fXE(tn,])/u],
  ['blind', /&!*\(*[fX]\(/u],
];

/** Behind a quote that may have closed the application's string. */
const AFTER_QUOTE: readonly Rule[] = [
  ['tautology', new RegExp(`^[)\\s]*&${VALUE}\\)*(?:[=oa&Cd;(]|$)`, 'u')],
  ['tautology', /^\)*&!*[(a!]*(?:[1stv]|[fXE]\(?|\(E|s$|$|[Cd])/u],
  ['tautology', /^\)*(?:=|o!*\(*(?:[1stv]|[fXE]|\(|$))/u],
  ['clause', /^\)*[a?]+\(*(?:[svtF]|[fX]\(|\(|E|1(?:$|[Cd]|a|s))/u],
  ['clause', /^\)*B(?:[1ft]|n(?:[,;Cd(B]|$)|\()/u],
  ['clause', /^\)*,\(*(?:[1sftv]|\(|E|[fX]\()/u],
  ['comment', /^\)*;?[Cd]$/u],
  ['comment', /^\)*;+$/u],
  ['union', /^\)*U[k(]*(?:E|$)/u],
  ['stacked', /^\)*(?:;+\(*[TD]|D|Tn+[;Cd])/u],
  // A word or two at the end are none: what stands behind them in the query has to be cut off.
  ['stacked', /^\)*;+\(*(?:E|n(?!n?$))/u],
  ['query', /^\)*(?:E[1va*(fXk]|I[sv])/u],
  ['query', /^\)*(?:An?)?W!*\(*[1n][=o]/u],
];

/** Behind a quote that prose may as well have closed. */
const AFTER_LATER_QUOTE: readonly Rule[] = [
  ['tautology', /^\)*&!*[(a!]*(?:[1s]\)*=|[fX]\(|E|\(E|t(?:C|$))/u],
  ['comment', /^\)*;?C$/u],
  ['union', /^\)*U[k(]*E/u],
  ['stacked', /^\)*;+\(*[TD]/u],
  ['clause', /^\)*B[1f]/u],
];

/** From the beginning, as where a number is expected. */
const AS_NUMBER: readonly Rule[] = [
  ['tautology', /^a*[fX]\(\(*[1s]=[1s],/u],
  ['tautology', /^a*[1st]\)*&!*[(a!]*(?:[1snvft]\)*[=o]|[fXE]\(?|\(E|[1s]\)*[Cd])/u],
  ['tautology', /^a*[1s]\)*&!*[(a!]*t/u],
  ['tautology', /^a*[1st]\)*&!*\(*1(?:a\(*1\)*){1,12}=/u],
  ['tautology', /^\)+&!*\(*[1snvft]/u],
  ['clause', /^a*[1t]\)*B(?:[1sf]|n(?:[,;Cd(]|$))/u],
  ['clause', /^a*[1t]\)*[oa]+!*\(*(?:E|X|f\(|v|t$)/u],
  ['clause', /^(?:[1t]!?=[snvft]|s=[1s]|[1s]o!|[1s]o1&1)/u],
  ['clause', /^B(?:[sf]|1(?:$|[,Cd;a=o])|n(?:\(|[=o]|Bf?[1n]))/u],
  ['union', /^a*(?:(?:[1st]a?)+\)*|\)+)U[k(]*(?:E|$)/u],
  ['union', /^U[k(]*E$/u],
  ['tautology', /^&!*[(a]*(?:t\)*[Cd]|[1s]\)*[Cd])/u],
  ['comment', /^a*1\)*;?[Cd]$/u],
  ['stacked', /^a*[1s]?\)*;+\(*[TDE]/u],
];

const equalSides = ({ kinds, words }: SqlTokens): boolean => {
  for (const found of kinds.matchAll(/&!?\(?(?:[1ns]=[1ns]|[1s]$)/gu)) {
    const at = found.index + found[0].length - 1;
    const other = kinds[at - 1] === '=' ? at - 2 : 0;
    if (words[at] === words[other] && (kinds[other] !== 'n' || words[at - 1] === '=')) return true;
  }
  return false;
};

const namesTable = ({ kinds, words }: SqlTokens, { tables }: SqlWords): boolean => {
  for (const { index, 0: found } of kinds.matchAll(/E[^EF;]{1,24}Fn|TF?n{1,2}/gu))
    if (tables.test(words[index + found.length - 1] as string)) return true;
  return false;
};

const first = (rules: readonly Rule[], kinds: string) =>
  rules.find(([, pattern]) => pattern.test(kinds))?.[0];

const MAX_QUOTES = 24;
const TOKENS = 600;
/** The rules there look at the beginning alone. */
const TOKENS_BEHIND_QUOTE = 40;

function behindQuotes(text: string, words: SqlWords): SqlFinding | undefined {
  const seen = new Set<string>();
  let looked = 0;
  for (let at = 0; at < text.length && looked < MAX_QUOTES; at += 1) {
    const quote = text[at] as string;
    if (quote !== "'" && quote !== '"' && quote !== '`') continue;
    looked += 1;
    const { kinds } = sqlTokens(text, { at: at + 1, most: TOKENS_BEHIND_QUOTE, words });
    const found = first(seen.has(quote) ? AFTER_LATER_QUOTE : AFTER_QUOTE, kinds);
    seen.add(quote);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A single word or number and a quote: what a tester sends first. */
const LONE_QUOTE = /^[\w@.-]{0,40}(?:\\?['"`]|%27){1,2}\)?$/u;

/** Marks alone, to break whatever holds them. */
const BREAKERS = /^(?=.{0,40}['"])(?=.{0,40}[()])[()'",.]{6,40}$/u;

/** Feet and inches. */
const FEET = /(?<![\w'"])\d{1,2}'\s?\d{1,2}"(?=[\s,;.)x-]|$)/gu;

/** One of each, to break whichever holds the value. */
const MIXED_QUOTES = /^[\w.@-]{0,30}(?:'[\w.-]{0,8}"|"[\w.-]{0,8}')[\w.-]{0,8}$/u;

/** Words and marks without which no rule can hold. */
const WORTH_READING =
  /['"`;]|\/\*|--|#|\b(?:select|union|and|or|xor|order|group|having|limit|sleep|benchmark|waitfor|exec|drop|insert|delete|update|procedure|is|like|in|between)\b|\|\||&&|\(/u;

/** `text` is lower case and decoded. Where `probes` is false, quotes without a query behind them say nothing, as in passwords. */
export function sqlInjection(
  original: string,
  probes: boolean,
  vocabulary: SqlWords,
): SqlFinding | undefined {
  const text = original.replace(FEET, '1');
  if (!WORTH_READING.test(text)) return undefined;
  const tokens = sqlTokens(text, { at: 0, most: TOKENS, words: vocabulary });
  const { kinds } = tokens;
  const found = first(ANYWHERE, kinds) ?? first(AS_NUMBER, kinds);
  if (found !== undefined) return found;
  if (equalSides(tokens)) return 'tautology';
  if (namesTable(tokens, vocabulary)) return 'query';
  if (
    tokens.glued &&
    (/[EUFWB&IT]/u.test(kinds) || tokens.words.some((word) => vocabulary.statements.has(word)))
  )
    return 'glued';
  if (probes && (LONE_QUOTE.test(text) || MIXED_QUOTES.test(text) || BREAKERS.test(text))) return 'comment';
  return behindQuotes(text, vocabulary);
}
