/** Text files: Markdown's headings, lists and tables where they stand, paragraphs between blank lines otherwise. */

import { isHead } from '../../tables/heads.ts';
import type { Flow, FlowPart, FlowText } from '../flow.ts';
import { codeBlock, emptyFlow, heading, paragraph, plainCell } from '../flow.ts';

/** Marks of Markdown within a line, taken away where the file is Markdown. */
const unmarked = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)([^\n]*?\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, '$1')
    .replace(/(?<!`)`([^`\n]+)`(?!`)/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+.!|<>-])/g, '$1');

const isTableRule = (line: string | undefined): boolean =>
  /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line ?? '') && (line ?? '').includes('|');

const toCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => unmarked(cell.replaceAll('\\|', '|').trim()));

/** YAML before the text, between lines of three dashes: its lines. */
const frontMatter = /^\uFEFF?---[ \t]*\n([\w-]+[ \t]*:[\s\S]{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;

const isIndented = (line: string | undefined): boolean => /^(?: {4}|\t)\s*\S/.test(line ?? '');

export function readPlainText(source: string): Flow {
  const whole = source.replace(/\r\n?/g, '\n');
  const matter = frontMatter.exec(whole);
  const text = whole.slice(matter?.[0].length ?? 0);
  const lines = text.split('\n');
  const isMarkdown =
    matter !== null ||
    /^#{1,6}\s+\S/m.test(text) ||
    /\n\s*\|?\s*:?-{3,}:?\s*\|/.test(text) ||
    /^(?:```|~~~)/m.test(text);
  const plain = (line: string): string => (isMarkdown ? unmarked(line) : line);
  const parts: FlowPart[] = matter ? [paragraph(matter[1]!)] : [];
  let open: string[] = [];
  /** Goes on in the lines below it, up to a blank one. */
  let last: FlowText | null = null;
  const close = (): void => {
    const held = open.map((line) => plain(line.trimEnd())).join(isMarkdown ? ' ' : '\n');
    if (held.trim() !== '') parts.push(paragraph(held.replace(/^\n+|\s+$/g, '')));
    open = [];
  };
  for (let at = 0; at < lines.length; at++) {
    // A quote is read as what it quotes.
    const line = isMarkdown ? lines[at]!.replace(/^ {0,3}(?:> ?)+/, '') : lines[at]!;
    const before: FlowText | null = last;
    last = null;
    const title = isMarkdown ? /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line) : null;
    const item = /^(\s*)(?:([-*+•●▪])|(\d{1,6}[.)]))\s+(\S.*)$/.exec(line);
    if (isMarkdown && /^\s*(```|~~~)/.test(line)) {
      close();
      const fence = line.trim().slice(0, 3);
      const code: string[] = [];
      while (++at < lines.length && !lines[at]!.trim().startsWith(fence)) code.push(lines[at]!);
      if (code.length > 0) parts.push(codeBlock(code.join('\n')));
    } else if (
      isMarkdown &&
      !before &&
      open.length === 0 &&
      parts.at(-1)?.kind !== 'item' &&
      isIndented(line)
    ) {
      const code = [line];
      while (isIndented(lines[at + 1])) code.push(lines[++at]!);
      parts.push(codeBlock(code.map((row) => row.replace(/^(?: {4}|\t)/, '')).join('\n')));
    } else if (line.trim() === '') close();
    else if (title) {
      close();
      parts.push(heading(plain(title[2]!), title[1]!.length));
    } else if (isMarkdown && open.length > 0 && /^\s*(?:=+|-+)\s*$/.test(line)) {
      const held = plain(open.join(' ').trim());
      open = [];
      parts.push(heading(held, line.includes('=') ? 1 : 2));
    } else if (isMarkdown && isTableRule(lines[at + 1]) && line.includes('|')) {
      close();
      const rows = [toCells(line)];
      for (at += 2; at < lines.length && lines[at]!.includes('|') && lines[at]!.trim() !== ''; at++)
        rows.push(toCells(lines[at]!));
      at--;
      const isHeaded = isHead(rows[0] ?? []);
      parts.push({ kind: 'table', rows: rows.map((row) => row.map(plainCell)), isHeaded });
    } else if (item) {
      close();
      const [, indent = '', bullet, number, told = ''] = item;
      const [, tick, rest = told] = (bullet && /^\[([ xX])\]\s+(\S.*)$/.exec(told)) || [];
      const marker = tick ? (tick === ' ' ? '☐' : '☑') : number;
      const level = Math.min(8, Math.floor(indent.replaceAll('\t', '    ').length / 2));
      last = { kind: 'item', text: plain(rest), level, ...(marker ? { marker } : {}) };
      parts.push(last);
    } else if (isMarkdown && before) {
      before.text += ` ${plain(line.trim())}`;
      last = before;
    } else open.push(line);
  }
  close();
  const flow = emptyFlow();
  flow.sections.push({ kind: 'text', parts });
  return flow;
}
