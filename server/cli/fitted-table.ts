/** Tables for a terminal: no line is wider than it, cells that do not fit go on below. Pure, but for the terminal's width. */

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const gap = 2;
/** Narrower columns break words into letters. */
const leastColumn = 6;

/** Columns of the terminal; where the output goes to a file or a pipe, of a usual one. */
export const terminalWidth = (): number => Math.max(process.stdout.columns ?? 100, 20);

/** Without control characters, by which words of a document or a log might steer the terminal; what goes to a file keeps them. */
export const steersNothing = (text: string, isTerminal = process.stdout.isTTY): string =>
  isTerminal ? text.replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd') : text;

const widthOf = (char: string): number => (/\p{M}/u.test(char) ? 0 : wide.test(char) ? 2 : 1);
export const cellWidth = (text: string): number => [...text].reduce((sum, char) => sum + widthOf(char), 0);
export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(width - cellWidth(text), 0));

/** Lines of at most `width`, broken between words, and within such as are longer. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line.replaceAll(/\s+/g, ' ').trim(), width));
}

function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => pieces(each, width))) {
    if (line !== '' && cellWidth(line) + 1 + cellWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function pieces(word: string, width: number): string[] {
  const parts = [''];
  for (const char of word) {
    if (cellWidth(parts.at(-1)! + char) > width) parts.push('');
    parts[parts.length - 1] += char;
  }
  return parts;
}

/** The widest columns give way first. Null: not even narrow ones fit. */
function fitColumns(rows: readonly (readonly string[])[], width: number): number[] | null {
  const count = largest(rows.map((row) => row.length));
  const natural = Array.from({ length: count }, (_, column) =>
    largest(rows.map((row) => largest((row[column] ?? '').split('\n').map(cellWidth)))),
  );
  const room = width - gap * (count - 1);
  const fitted = (most: number) => natural.map((each) => Math.min(each, most));
  let most = largest(natural);
  while (most > leastColumn && sum(fitted(most)) > room) most -= 1;
  return sum(fitted(most)) > room ? null : fitted(most);
}

/** Rows may be more than a call takes arguments. */
const largest = (values: number[]): number => values.reduce((most, value) => Math.max(most, value), 0);
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** The rows as lines of at most `width`; a table of too many columns has a line or more a row, its cells parted by bars. */
export function fittedTable(rows: readonly (readonly string[])[], width = terminalWidth()): string[] {
  if (rows.length === 0) return [];
  const columns = fitColumns(rows, width);
  if (!columns) return rows.flatMap((row) => wrap(row.join(' | '), width));
  return rows.flatMap((row) => {
    const cells = columns.map((column, index) => wrap(row[index] ?? '', column));
    const height = largest(cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((lines, index) => pad(lines[line] ?? '', columns[index] ?? 0))
        .join(' '.repeat(gap))
        .trimEnd(),
    );
  });
}
