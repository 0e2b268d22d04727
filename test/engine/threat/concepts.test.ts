/** Words of one meaning: single words, beginnings, phrases and Chinese. */
import { expect, test } from 'vitest';
import { Concepts, loadConcepts, wordTokens } from '../../../server/engine/threat/text/concepts.ts';
import { guardPack } from '../../support/threat-engine.ts';

const concepts = new Concepts([
  ['steal', 'stole|exfil*|mencuri|窃取'],
  ['night', 'night|凌晨|tengah malam'],
  ['ended', 'last day|hari akhir*'],
]);
const of = (text: string) => concepts.of(wordTokens(text));

test.each([
  ['he stole it at night', ['steal', 'night']],
  ['exfiltrated on his last day, at last', ['steal', 'ended']],
  ['tengah malam, hari akhirnya', ['night', 'ended']],
  ['凌晨三点窃取资料', ['night', 'steal']],
  ['nightly, stolen', []],
])('%s', (text, expected) => {
  expect(of(text)).toEqual(expected);
});

test('a run of letters without end costs no more than a word', () =>
  expect(of(`exfil${'a'.repeat(500_000)}`)).toEqual(['steal']));

test('the pack tells of one event in several languages by the same meanings', async () => {
  const table = await loadConcepts({ folder: guardPack });
  const meanings = (text: string) => new Set(table.of(wordTokens(text)));
  const told = [
    'at midnight a former employee downloaded all customer data',
    'tengah malam bekas kakitangan muat turun semua data pelanggan',
    '半夜离职员工下载了全部客户资料',
    'nachts hat ein ehemaliger mitarbeiter sämtliche kundendaten heruntergeladen',
    'cette nuit un ancien salarié a téléchargé toutes les données clients',
  ].map(meanings);
  for (const meaning of ['night', 'former', 'staff', 'copy', 'mass', 'customerdata'])
    expect(told.map((all) => all.has(meaning))).toEqual([true, true, true, true, true]);
});
