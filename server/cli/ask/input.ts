/** Texts for a command: its operands, a file, or what is piped in; and a line that says it is at work. */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer, text as readAll } from 'node:stream/consumers';
import { whyUnread } from '../../read-failure.ts';
import { StartError } from '../../start-error.ts';
import { type CommandInput, UsageError } from '../command.ts';

export async function readInputFile(path: string): Promise<Buffer> {
  const isPiped = path === '-';
  const file = await (isPiped ? buffer(process.stdin) : readFile(path)).catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartError(`${path} ${whyUnread(error)}.`);
    },
  );
  if (file.length === 0) throw new StartError(`${isPiped ? 'What is piped in' : path} is empty.`);
  return file;
}

/** The text that is piped in; null at a terminal. */
export async function readPiped(): Promise<string | null> {
  if (process.stdin.isTTY) return null;
  const piped = (await readAll(process.stdin)).trim();
  return piped === '' ? null : piped;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The operands as one text; a lone `-`, as elsewhere, stands for what is piped in. */
export function operandText({ positionals }: CommandInput): string {
  const given = positionals.join(' ').trim();
  return given === '-' ? '' : given;
}

/** The operands as one text, else what is piped in. @throws UsageError when there is neither */
export async function readInputText(input: CommandInput): Promise<string> {
  const { positionals } = input;
  const given = operandText(input);
  // The name of a log would be judged in place of the log, and found harmless.
  const file = isFile(given) ? given : positionals.every(isFile) ? positionals[0] : undefined;
  if (file !== undefined) throw new UsageError(`${file} is a file; its text is piped in: < ${file}`);
  const found = given === '' ? await readPiped() : given;
  if (found === null) throw new UsageError('TEXT is missing: as operands, or piped in');
  return found;
}

/** Counts the seconds on a terminal while `work` goes on; elsewhere it says nothing. */
export async function withProgress<T>(label: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work;
  const startedAt = Date.now();
  const show = () => process.stderr.write(`\r${label} ${Math.round((Date.now() - startedAt) / 1000)} s`);
  const timer = setInterval(show, 1_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    process.stderr.write('\r\x1b[K');
  }
}
