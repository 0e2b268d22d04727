/**
 * Texts of the held-back templates, filled with held-back names, places, organizations and titles only. Run, it writes those of
 * every second template, which thresholds are not set on, for the bench: node held-back.ts --work DIR
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createChance } from '../../../test/support/documents/specimens/chance.ts';
import { expand, type Labelled, languages, readLines, withNoise } from './grammar.ts';
import { openSlots } from './slots.ts';

interface Folders {
  work: string;
  shared: string;
}

/** Each template `each` times; `template` is its place in the file of its language. */
export function heldBackTexts({ work, shared }: Folders, each: number): (Labelled & { template: number })[] {
  const sources = { lists: `${work}/lists.json`, corpora: `${work}/corpora`, shared };
  return languages.flatMap((language) => {
    const slots = openSlots(language, 'held', sources);
    const chance = createChance(97);
    return readLines(`held-back/${language}.txt`).flatMap((line, template) =>
      Array.from({ length: each }, () => ({
        ...withNoise(expand(line, language, slots, chance), chance),
        template,
      })),
    );
  });
}

if (import.meta.main) {
  const { values: folders } = parseArgs({
    options: {
      work: { type: 'string', default: '/tmp/shield-names' },
      shared: {
        type: 'string',
        default: new URL('../../../../shared/data', import.meta.url).pathname,
      },
    },
  });
  const lines = heldBackTexts(folders, 12)
    .filter(({ template }) => template % 2 === 1)
    .map(({ language, text, spans }) =>
      JSON.stringify({ language, text, spans: spans.map(({ start, end, kind }) => [start, end, kind]) }),
    );
  const target = new URL('../../../test/bench/moderation/names.jsonl', import.meta.url);
  writeFileSync(target, `${lines.join('\n')}\n`);
}
