/** Receipts and invoices written by hand as plain text: columns are places, the first character of a line its print. */

import { readFileSync } from 'node:fs';
import { type Print, Sheet } from './generated/sheet.ts';

export interface WrittenPaper {
  country: string;
  sheet: Sheet;
  /** As printed; the total as a number, dates as ISO 8601. */
  truth: Record<string, string | number>;
}

const size = 9;
/** Width of a column in points, and of a character that takes two. */
const columnWidth = 0.52 * size;
const wide = /[\u2e80-\u9fff\uff00-\uffef]/;
const prints: Record<string, Print> = {
  '|': {},
  '*': { bold: true },
  '!': { size: 1.7 * size, bold: true },
  '.': { size: 0.8 * size },
};

const columnsOf = (text: string): number =>
  [...text].reduce((sum, char) => sum + (wide.test(char) ? 2 : 1), 0);

/** Runs of a line with their columns; one that has grown pushes the next to the right. */
function runsOf(line: string, fill: (text: string) => string): { text: string; column: number }[] {
  let free = 0;
  return [...line.matchAll(/\S+(?: \S+)*/gu)].flatMap(({ 0: written, index }) => {
    const text = fill(written);
    if (text === '') return [];
    const column = Math.max(free, columnsOf(line.slice(0, index)));
    free = column + columnsOf(text) + 2;
    return [{ text, column }];
  });
}

/** Text in which names and places are blanks to fill in. */
export interface WrittenForm {
  country: string;
  paper(fill?: (text: string) => string): WrittenPaper;
}

function toForm(text: string): WrittenForm {
  const [header = '', body = ''] = text.split(/^---\n/mu);
  const [country = '', ...fields] = header.trim().split('\n');
  const paper: WrittenForm['paper'] = (fill = (written) => written) => {
    const truth = Object.fromEntries(
      fields.map((field) => {
        const [name = '', value = ''] = field.split(/: (.*)/su);
        return [name, name === 'total' ? Number(value) : fill(value)];
      }),
    );
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, sign = '', centered = '', rest = ''] = /^(.)(\^?)(.*)$/u.exec(line) ?? [];
        return { print: prints[sign] ?? {}, isCentered: centered !== '', written: rest };
      })
      .map(({ written, ...line }) => ({ ...line, written, runs: runsOf(written, fill) }))
      .filter(({ written, runs }) => written.trim() === '' || runs.length > 0);
    const ends = lines.flatMap(({ runs }) => runs.map((run) => run.column + columnsOf(run.text)));
    const margin = 30;
    const sheet = new Sheet(Math.max(...ends) * columnWidth + 2 * margin, { margin, size, leading: 1.4 });
    for (const { print, isCentered, runs } of lines) {
      for (const run of runs)
        if (isCentered) sheet.at(run.text, sheet.width / 2, { ...print, align: 'center' });
        else sheet.at(run.text, margin + columnWidth * run.column, print);
      sheet.down(1, Math.max(size, print.size ?? size));
    }
    return { country, sheet, truth };
  };
  return { country, paper };
}

export const writtenForms = (file: URL): WrittenForm[] =>
  readFileSync(file, 'utf8').split(/^=== /mu).slice(1).map(toForm);

export const writtenPapers = (kind: 'invoices' | 'receipts'): WrittenPaper[] =>
  writtenForms(new URL(`../../fixtures/documents/written-${kind}.txt`, import.meta.url)).map((form) =>
    form.paper(),
  );
