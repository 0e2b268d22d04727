/** The learnt judge of words: what it reads, what it finds where no rule speaks, and what it must not lower. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EnginePack } from '../../../server/engine/engine.ts';
import { loadKnowledge } from '../../../server/engine/threat/knowledge.ts';
import { loadConcepts } from '../../../server/engine/threat/text/concepts.ts';
import { isJudged, readLearnt, writeLearnt } from '../../../server/engine/threat/text/learnt.ts';
import { guardPack, knowledge, never, openThreatEngine, readEvents } from '../../support/threat-engine.ts';

const engine = await openThreatEngine();
const analyze = (text: string) => engine.methods.analyze({ text }, never);

describe('weights', () => {
  test('survive writing and reading', () => {
    const weights = new Float64Array(256).fill(0.5);
    const judge = readLearnt(writeLearnt(weights, { bias: -1, threshold: 0.75 }));
    expect(judge.threshold).toBe(0.75);
    expect(judge.probability('one two three')).toBeGreaterThan(judge.probability(''));
    expect(judge.probability('')).toBeCloseTo(1 / (1 + Math.exp(1 - 0.15 * 0.5)), 5);
  });

  test.each([
    ['empty', new Uint8Array()],
    ['cut off', writeLearnt(new Float64Array(256), { bias: 0, threshold: 1 }).subarray(0, 100)],
    ['of another kind', new Uint8Array(276)],
    ['without figures', writeLearnt(new Float64Array(256), { bias: Number.NaN, threshold: 1 })],
  ])('%s are refused', (_, bytes) => {
    expect(() => readLearnt(bytes)).toThrow('not of the expected form');
  });
});

test('older weights of a pack without meanings are read without the starter’s', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lokal-guard-'));
  try {
    const weights = Float64Array.from({ length: 256 }, (_, at) => at - 128);
    const bytes = writeLearnt(weights, { bias: 0, threshold: 0.5 });
    writeFileSync(join(folder, 'learnt.bin'), bytes);
    const { learnt } = await loadKnowledge({
      folder,
      starter: { folder: guardPack, manifest: {} as EnginePack['manifest'] },
    });
    const text = 'at midnight a former employee downloaded all customer data';
    expect(learnt.probability(text)).toBe(readLearnt(bytes).probability(text));
    const meanings = await loadConcepts({ folder: guardPack });
    expect(learnt.probability(text)).not.toBe(readLearnt(bytes, meanings).probability(text));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('prose', () => {
  test.each([
    'sticky note: the payroll mailbox was opened from Romania with a replayed session cookie, tokens not revoked',
    'ransom note in every folder of the HR drive and users cannot open their documents',
    '凌晨三点有人用离职员工的账号下载了全部客户资料',
  ])('an attack that is told is found: %s', async (text) => {
    expect(['medium', 'high', 'critical']).toContain((await analyze(text)).severity);
  });

  test.each([
    'printer on floor 3 shows an error again, toner replaced by the vendor',
    'weekly backup of the HR drive finished in 40 minutes, restore test on Friday',
    'pencetak tingkat 3 sudah dibaiki, terima kasih',
  ])('everyday work is not: %s', async (text) => {
    expect(['informational', 'low']).toContain((await analyze(text)).severity);
  });
});

test('a word of lessons hides no lure', async () => {
  const lure =
    'Join our webinar: open the device login page, enter the code QX7K-2PLM and sign in with your staff account at once, the code dies in ten minutes.';
  expect(knowledge.signatures.teaches(lure)).toBe(true);
  expect((await analyze(lure)).severity).toBe('medium');
  expect((await analyze('Join our webinar on passwords on Thursday at ten.')).severity).toBe('informational');
});

test('a finding by words alone tells its source and its probability', async () => {
  const text =
    'someone replayed a session cookie of Lisa with another browser and reads the mailbox of the accountant';
  const { findings } = await analyze(text);
  const learnt = findings.find(({ source }) => source === 'learnt');
  expect(learnt).toMatchObject({ ruleId: 'learnt-words', level: 'medium', ttps: [] });
  expect(learnt?.confidence).toBeCloseTo(knowledge.learnt.probability(text, []), 2);
});

test('everyday words around a command do not hide it', async () => {
  const padding =
    'weekly backup of the HR drive finished in 40 minutes, printer on floor 3 repaired. '.repeat(4);
  expect(['high', 'critical']).toContain(
    (await analyze(`${padding}vssadmin delete shadows /all /quiet`)).severity,
  );
});

test('logs, requests and what was stopped are left to rules', () => {
  const judged = (text: string) => isJudged(text, readEvents(text));
  expect(judged('user cannot print')).toBe(true);
  expect(judged('GET /a?b=c HTTP/1.1\nHost: example.com')).toBe(false);
  expect(judged('product=EDR event=detection name="Trojan" action=quarantined status=resolved')).toBe(false);
  expect(judged('one line of words\n'.repeat(40))).toBe(false);
  expect(judged('word '.repeat(2000))).toBe(false);
});
