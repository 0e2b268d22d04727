/** Prints totals of both halves, counts by family where something is wrong, and the dev half's misses: node test/bench/threat-blind/show.ts [--misses] */
import { openThreatEngine } from '../../support/threat-engine.ts';
import { type BlindSet, blindRows, tally } from './score.ts';

const misses = process.argv.includes('--misses');
const engine = await openThreatEngine();
for (const set of ['attacks', 'ordinary'] as BlindSet[])
  for (const half of ['dev', 'unseen'] as const) {
    const { raised, rows, families } = await tally(
      engine,
      blindRows(set).filter((row) => row.half === half),
      ({ id, family, text }, isRaised, titles) => {
        if (misses && isRaised !== (set === 'attacks'))
          console.log(`--- ${id} ${family}\n${text}\n  => ${titles.join(' | ') || 'nothing'}`);
      },
    );
    console.log(`=== ${set} ${half}: ${raised} of ${rows} (${((100 * raised) / rows).toFixed(1)} %)`);
    const wrong = Object.entries(families).filter(([, [up, all]]) => (set === 'attacks' ? up < all : up > 0));
    console.log(wrong.map(([family, [up, all]]) => `${family} ${up}/${all}`).join(', '));
  }
