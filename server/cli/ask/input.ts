/** Texts for a command: its operands, a file, or what is piped in; and a line that says it is at work. */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
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

/** The operands as one text; empty where it is to be piped in. @throws UsageError where they name a file */
function givenText(input: CommandInput): string {
  const { positionals } = input;
  const given = operandText(input);
  // The name of a log would be judged in place of the log, and found harmless.
  const file = isFile(given) ? given : positionals.every(isFile) ? positionals[0] : undefined;
  if (file !== undefined) throw new UsageError(`${file} is a file; its text is piped in: < ${file}`);
  return given;
}

const missing = () => new UsageError('TEXT is missing: as operands, or piped in');

/** The operands as one text, else what is piped in. @throws UsageError when there is neither */
export async function readInputText(input: CommandInput): Promise<string> {
  const given = givenText(input);
  const found = given === '' ? await readPiped() : given;
  if (found === null) throw missing();
  return found;
}

/** The text of `readInputText` as it comes, so that it may be of any length. @throws UsageError when there is none */
export function streamInputText(input: CommandInput): AsyncIterable<string> {
  const given = givenText(input);
  if (given !== '') return Readable.from([given]);
  if (process.stdin.isTTY) throw missing();
  return streamPiped();
}

async function* streamPiped(): AsyncGenerator<string> {
  let isBlank = true;
  const decoder = new TextDecoder();
  for await (const bytes of process.stdin) {
    const piece = decoder.decode(bytes as Buffer, { stream: true });
    isBlank &&= piece.trim() === '';
    yield piece;
  }
  yield decoder.decode();
  if (isBlank) throw missing();
}

/** Writes over the line it wrote before, on a terminal; elsewhere it says nothing. */
export function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
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
