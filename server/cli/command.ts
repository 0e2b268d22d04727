/** A command of `lokal`: its form, and how it speaks. */
import type { ParseArgsConfig } from 'node:util';
import { cellWidth, pad } from './fitted-table.ts';

export interface Command {
  /** The whole help text, usage first. */
  help: string;
  options: NonNullable<ParseArgsConfig['options']>;
  run(input: CommandInput): Promise<void>;
}

/** A line of the table of commands (commands.ts). */
export interface CommandEntry {
  /** One line, for the list of commands. */
  summary: string;
  /** Written behind its name in that list. */
  operand?: string;
  load: () => Promise<Command>;
  /** Operands it takes; where the first one is an action, by that action (absent: any number). */
  operands: number | 'any' | Record<string, number>;
}

export interface CommandInput {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  positionals: string[];
  /** `lines` for a person, or with --json the value as one line of JSON. */
  print(value: unknown, lines: string[]): void;
}

/** The command line was wrong; the command ends with code 2. */
export class UsageError extends Error {}

export const text = (value: CommandInput['values'][string]): string | undefined =>
  typeof value === 'string' ? value : undefined;

const usualLast = 50;

/** Lines that `--last N` asks for. @throws UsageError */
export function lastOf({ values }: CommandInput): number {
  const last = Number(text(values.last) ?? usualLast);
  if (!Number.isSafeInteger(last) || last < 1) throw new UsageError('--last is a whole number from 1');
  return last;
}

/** Values of an option, with commas or by repeating it where it may be. @throws UsageError where an item is empty */
export function texts({ values }: CommandInput, name: string): string[] | undefined {
  const value = values[name];
  if (value === undefined || typeof value === 'boolean') return undefined;
  const items = [value].flat().flatMap((each) =>
    String(each)
      .split(',')
      .map((item) => item.trim()),
  );
  if (items.includes('')) throw new UsageError(`--${name} has an empty item`);
  return items;
}

/** @throws UsageError when the positional is absent, or empty as the path of an unset variable: it would be this folder */
export function required(input: CommandInput, index: number, name: string): string {
  const value = input.positionals[index];
  if (value === undefined) throw new UsageError(`${name} is missing`);
  if (value === '') throw new UsageError(`${name} is empty`);
  return value;
}

/** The action that the first operand names. @throws UsageError listing them */
export function actionOf<T>(actions: Record<string, T>, { positionals: [given] }: CommandInput): T {
  const names = Object.keys(actions)
    .join(', ')
    .replace(/, (?=\w+$)/, ' or ');
  if (given === undefined) throw new UsageError(`${names} is missing`);
  const action = Object.hasOwn(actions, given) ? actions[given] : undefined;
  if (!action) throw new UsageError(`“${given}” is not ${names}`);
  return action;
}

/** Columns as wide as their widest cell. */
export function table(rows: string[][]): string[] {
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map((row) => cellWidth(row[column] ?? '')))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
