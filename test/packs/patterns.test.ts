/** Expressions of the packs' tables run on texts of strangers: none may cost more than their length, whatever the text. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readSettings } from '../../server/engine/chat/reader/settings.ts';
import { readVocabulary } from '../../server/engine/documents/vocabulary/read-vocabulary.ts';
import { loadPiiKnowledge } from '../../server/engine/moderation/pii/pii-knowledge.ts';
import { loadSentenceRules } from '../../server/engine/moderation/sentence-rules.ts';
import { loadAnomalyWords } from '../../server/engine/threat/anomalies/anomaly-words.ts';
import { loadLogSources } from '../../server/engine/threat/readers/log-sources.ts';
import { loadTextSignatures } from '../../server/engine/threat/text/text-signatures.ts';
import { loadWebKnowledge } from '../../server/engine/threat/web/web-knowledge.ts';

const packs = new URL('../../models/packs/', import.meta.url);
const pack = (name: string) => ({ folder: fileURLToPath(new URL(name, packs)) });
const NativeRegExp = RegExp;

/** Texts that quantifiers go on over: one sign, and signs in turn. */
const units = ['a', 'A', '7', '@', '.', '-', ' ', '一', 'a.', '7-', 'Ab ', 'a, '];

const quantified = /[*+]|\{\d+,\}/u;
const literal = /\\.|\[(?:\\.|[^\]\\])*\]/gu;
/** Without one of these an expression looks at a bounded number of signs from each place. */
const isOpen = ({ source }: RegExp): boolean => quantified.test(source.replace(literal, 'x'));

const made = new Map<string, RegExp>();
beforeAll(async () => {
  const recording = new Proxy(RegExp, {
    construct(target, [source, flags = '']: [string | RegExp, string?]) {
      const regex = new target(source, flags);
      made.set(`${regex}`, new target(regex.source, flags.replace(/[gy]/gu, '')));
      return regex;
    },
  });
  vi.stubGlobal('RegExp', recording);
  try {
    await readVocabulary(pack('parse-starter'));
    await loadPiiKnowledge(pack('shield-starter'));
    await loadSentenceRules(pack('shield-starter'), new Map());
    await loadTextSignatures(pack('guard-starter'));
    await loadWebKnowledge(pack('guard-starter'));
    await loadAnomalyWords(pack('guard-starter'));
    await loadLogSources(pack('guard-starter'));
    readSettings(JSON.parse(readFileSync(new URL('lingua-starter/reader.json', packs), 'utf8')));
  } finally {
    vi.unstubAllGlobals();
  }
});
afterAll(() => made.clear());

/** Processor time: a machine with other work, or a pause, changes nothing. */
function costOf(regex: RegExp, text: string, tries = 1): number {
  const costs = Array.from({ length: tries }, () => {
    const { user, system } = process.cpuUsage();
    regex.test(text);
    const spent = process.cpuUsage({ user, system });
    return spent.user + spent.system;
  });
  return Math.min(...costs);
}

const filled = (unit: string, length: number): string => unit.repeat(length / unit.length);

/** Looks from each letter to the end of them all. */
const quadratic = new NativeRegExp(String.raw`\w+@`, 'u');

/** Texts twice as long that cost three times as much; what is dear beside a quadratic one, each time, is measured with care. */
function explosionsOf(regexes: Iterable<RegExp>): string[] {
  const dear = costOf(quadratic, filled('a', 5_000), 3) / 5;
  return [...regexes].flatMap((regex) => {
    // The first looks of an expression compile it, once for each width of letters.
    for (const short of ['a', 'a', '一', '一']) regex.test(short);
    return units
      .filter((unit) => costOf(regex, filled(unit, 5_000)) > dear)
      .filter((unit) => costOf(regex, filled(unit, 5_000), 5) > dear)
      .filter((unit) => costOf(regex, filled(unit, 10_000), 3) > 3 * costOf(regex, filled(unit, 5_000), 3))
      .map((unit) => `${JSON.stringify(unit)}: ${regex}`);
  });
}

test('no expression of a pack explodes', { timeout: 240_000 }, () => {
  const open = [...made.values()].filter(isOpen);
  expect(open.length).toBeGreaterThan(250);
  expect(explosionsOf(open)).toEqual([]);
});

test('one that does is told', { timeout: 60_000 }, () => {
  const mail = /\b([\w.+-]+@[\w-]+(?:\.[\w-]+)+)\b/u;
  expect(explosionsOf([mail, /\ba+\b/u])).toEqual(units.slice(8, 10).map((unit) => `"${unit}": ${mail}`));
});
