/** `lokal man`: the manual page, made from the table of commands and their help. */
import { version } from '../../version.ts';
import type { Command, CommandEntry } from '../command.ts';

const help = `Usage: lokal man [--json]

Prints the manual page: \`lokal man | man -l -\` shows it, \`lokal man > lokal.1\` keeps it.`;

export const createManual = (commands: Record<string, CommandEntry>): Command => ({
  help,
  options: {},
  async run(input) {
    const page = await renderManual(commands);
    input.print({ page }, [page]);
  },
});

async function renderManual(commands: Record<string, CommandEntry>): Promise<string> {
  const sections = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]) => [
      `.SS lokal ${name}`,
      '.nf',
      escapeRoff((await load()).help),
      '.fi',
    ]),
  );
  return [
    `.TH LOKAL 1 "" "Lokal ${version}" "User Commands"`,
    '.SH NAME',
    'lokal \\- six inference services on your own machine',
    '.SH SYNOPSIS',
    '.B lokal',
    '.I COMMAND',
    '[options]',
    '.SH COMMANDS',
    ...sections.flat(),
    '.SH ENVIRONMENT',
    '.TP',
    '.B LOKAL_HOME',
    'moves the data folder.',
  ].join('\n');
}

/** Backslashes and leading dots are roff's own; without its preprocessor it reads ASCII alone. */
const escapeRoff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gm, '\\&$1')
    .replaceAll(
      /[^ -~\n]/gu,
      (sign) => `\\[u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
