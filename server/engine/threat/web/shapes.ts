/** Attacks told by the shape of a value rather than by its words: one reading per language, several findings. */
import type { Level } from '../types.ts';
import { type MarkupFinding, markupInjection } from './markup.ts';
import type { RequestPart, WebValue } from './request/web-request.ts';
import { type SqlFinding, sqlInjection } from './sql/injection.ts';
import type { WebKnowledge } from './web-knowledge.ts';

export interface PayloadShape {
  id: string;
  title: string;
  level: Level;
  ttps: string[];
}

const sql = (id: string, title: string, level: Level): PayloadShape => ({
  id: `web-sqli-${id}`,
  title: `SQL injection: ${title}`,
  level,
  ttps: ['T1190'],
});

const SQL: Readonly<Record<SqlFinding, PayloadShape>> = {
  union: sql('union', 'UNION SELECT', 'high'),
  query: sql('select-from', 'query text in a parameter', 'high'),
  tautology: sql('tautology', 'condition added to the query', 'high'),
  stacked: sql('stacked', 'stacked statement', 'critical'),
  comment: sql('comment', 'quote closed and rest cut off', 'high'),
  blind: sql('blind', 'time or error based probing', 'critical'),
  clause: sql('clause', 'clause after a closed value', 'high'),
  glued: sql('glued', 'comments in place of spaces', 'high'),
};

const xss = (id: string, title: string, level: Level): PayloadShape => ({
  id: `web-xss-${id}`,
  title: `Cross-site scripting: ${title}`,
  level,
  ttps: ['T1190', 'T1059.007'],
});

const MARKUP: Readonly<Record<MarkupFinding, PayloadShape>> = {
  element: xss('tag', 'active element', 'high'),
  handler: xss('handler', 'event handler', 'high'),
  'script-url': xss('script-url', 'script in a URL or style', 'high'),
  breakout: xss('attribute', 'broken out of an attribute', 'medium'),
  directive: xss('directive', 'server-side include or conditional comment', 'high'),
};

/** Part headers and whole documents are syntax; negotiated headers quote as a matter of course. */
const SYNTAX: ReadonlySet<RequestPart> = new Set(['file', 'xml']);

/** Comments inside words are how filters are passed; those between words are then missed as spaces. */
const joined = (text: string) =>
  text
    .replace(/\/\*[^*]{0,256}\*\//gu, '')
    .replace(/\bunion(?=all|distinct|select)|\ball(?=select)|\bselect(?=\d)/gu, '$& ');

/** Comments to the end of a line, in a value of several lines. */
const COMMENT_LINE = /(?:#|--)[^\n]{0,128}\n/gu;

type Known = Pick<WebKnowledge, 'sql' | 'parameters'>;

/** A value as the SQL it may be: with its comments gone, and as it is. */
function sqlOf(value: WebValue, text: string, { sql: words, parameters }: Known): SqlFinding | undefined {
  const { lines } = value;
  const probes = !parameters.passwords.test(value.name);
  const uncommented = lines === '' ? '' : lines.replace(COMMENT_LINE, ' ').replace(/\s+/gu, ' ');
  return (
    (text.includes('/*') ? sqlInjection(joined(text), probes, words) : undefined) ??
    (uncommented.length < lines.length ? sqlInjection(uncommented, probes, words) : undefined) ??
    sqlInjection(text, probes, words)
  );
}

export function shapesOf(value: WebValue, known: Known): PayloadShape[] {
  if (SYNTAX.has(value.place)) return [];
  const text = value.place === 'path' ? value.plain.replaceAll('+', ' ') : value.plain;
  const found: PayloadShape[] = [];
  // Between the parameters of a whole query quotes meet that mean nothing.
  const isWhole = value.place === 'query';
  const injection = isWhole ? undefined : sqlOf(value, text, known);
  if (injection !== undefined) found.push(SQL[injection]);
  const markup = isWhole && !text.includes('<') ? undefined : markupInjection(text);
  if (markup !== undefined) found.push(MARKUP[markup]);
  return found;
}
