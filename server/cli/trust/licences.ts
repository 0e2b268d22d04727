/** `lokal licences`: what of other people is in Lokal, and under which licences. */
import { findFolders } from '../../config.ts';
import { parseNotices, readNotices } from '../../licences.ts';
import { type Command, table, UsageError } from '../command.ts';

const help = `Usage: lokal licences [NAME] [--all]

Every part of other people in Lokal with its licence. With NAME its notices and the full text; --all prints all of them, as
THIRD-PARTY-NOTICES.txt holds them. Parts under the LGPL or the MPL come with an offer of their source.

  --json   print one line of JSON
  --help   this text`;

export const licences: Command = {
  help,
  options: { all: { type: 'boolean' } },
  async run({ values, positionals: [name], print }) {
    const text = readNotices(findFolders().root);
    if (values.all === true) return print({ text }, [text]);
    const sections = parseNotices(text);
    if (name === undefined) {
      const parts = sections
        .flatMap((section) => section.parts)
        .sort((a, b) => a.name.localeCompare(b.name, 'en'));
      const rows = parts.map((part) => [part.name, part.version, part.licence]);
      return print({ data: parts }, table([['PART', 'VERSION', 'LICENCE'], ...rows]));
    }
    const named = sections.filter(({ parts }) => parts.some((part) => part.name === name));
    if (named.length === 0) throw new UsageError(`there is no part called “${name}”`);
    print(
      { sections: named },
      named.map((section) => section.text),
    );
  },
};
