/** Prints totals of the corpora, counts by family where something is wrong, and misses of those that may be read: node test/bench/threat-blind/show.ts [--misses] */
import { openThreatEngine } from '../../support/threat-engine.ts';
import { type BlindSet, blindRows, corpora, tally } from './score.ts';

const misses = process.argv.includes('--misses');
const engine = await openThreatEngine();
for (const set of ['attacks', 'ordinary'] as BlindSet[])
  for (const corpus of corpora) {
    const { raised, rows, families } = await tally(
      engine,
      blindRows(set, corpus),
      misses && corpus !== 'unseen'
        ? ({ id, family, text }, isRaised, titles) => {
            if (isRaised !== (set === 'attacks'))
              console.log(`--- ${id} ${family}\n${text}\n  => ${titles.join(' | ') || 'nothing'}`);
          }
        : undefined,
    );
    console.log(`=== ${set} ${corpus}: ${raised} of ${rows} (${((100 * raised) / rows).toFixed(1)} %)`);
    const wrong = Object.entries(families).filter(([, [up, all]]) => (set === 'attacks' ? up < all : up > 0));
    console.log(wrong.map(([family, [up, all]]) => `${family} ${up}/${all}`).join(', '));
  }
