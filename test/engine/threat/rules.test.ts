/** Both gates of the Sigma project for our own rules: each finds its sample, none speaks over ordinary logs. */

import { beforeAll, describe, expect, test } from 'vitest';
import { loadAttackTable } from '../../../server/engine/threat/attack/table.ts';
import type { ThreatEngine } from '../../../server/engine/threat/engine.ts';
import { RuleSet } from '../../../server/engine/threat/rule-set.ts';
import { parseRules } from '../../../server/engine/threat/sigma/parse-rule.ts';
import { BENIGN_KINDS, benignLog } from '../../support/logs/benign.ts';
import { createRandom } from '../../support/logs/random.ts';
import { rawRequest } from '../../support/logs/web.ts';
import {
  guardPack,
  knowledge,
  never,
  openThreatEngine,
  ruleFiles,
  samples,
} from '../../support/threat-engine.ts';

let engine: ThreatEngine;
beforeAll(async () => {
  engine = await openThreatEngine();
});

test('every rule file of the pack compiles', () => {
  expect(engine.info.ruleErrors).toEqual([]);
});

test('techniques: at least sixty, all in the table', () => {
  const table = loadAttackTable(guardPack);
  const tags = ruleFiles(`${guardPack}/rules`).flatMap(({ text }) =>
    parseRules(text).flatMap((rule) => rule.tags),
  );
  const ids = new Set(
    tags.filter((tag) => /^attack\.t\d/u.test(tag)).map((tag) => tag.slice(7).toUpperCase()),
  );
  for (const id of ids) expect(table.find(id)?.id, id).toBe(id);
  expect(ids.size).toBeGreaterThanOrEqual(60);
  const tactics = new Set([...ids].flatMap((id) => table.find(id)?.tactics ?? []));
  expect(tactics.size).toBeGreaterThanOrEqual(12);
});

test('every sample has a near one over which its rule is silent', () => {
  expect(samples().flatMap(({ rule, not }) => (not === undefined ? [rule] : []))).toEqual([]);
});

test('every detection rule has a sample', async () => {
  const named = new Set(samples().map((sample) => sample.id));
  // Rules that speak through a sequence alone are run in web-sequences.test.ts.
  const watched = new Set(
    ruleFiles(`${guardPack}/rules`)
      .flatMap(({ text }) => parseRules(text))
      .flatMap((rule) =>
        rule.kind === 'correlation' && !rule.correlation.generate ? rule.correlation.rules : [],
      ),
  );
  const without = (await engine.methods.rules()).filter(
    (rule) => rule.kind === 'detection' && !named.has(rule.id) && !watched.has(rule.id),
  );
  expect(without.map((rule) => rule.file)).toEqual([]);
});

test.each(samples().map((sample) => [sample.rule, sample] as const))(
  '%s finds its sample',
  async (_, sample) => {
    const { findings } = await engine.methods.analyze({ text: sample.text }, never);
    expect(findings.map((finding) => finding.ruleId)).toContain(sample.id);
  },
);

test.each(samples().flatMap(({ rule, id, not }) => (not === undefined ? [] : [[rule, id, not] as const])))(
  '%s is silent over its false example',
  async (_, id, text) => {
    const { findings } = await engine.methods.analyze({ text }, never);
    expect(findings.map((finding) => finding.ruleId)).not.toContain(id);
  },
);

test('a folder that is named like that of a scanner excuses nothing', async () => {
  const thread = async (folder: string) => {
    const event = {
      EventID: 8,
      Channel: 'Microsoft-Windows-Sysmon/Operational',
      SourceImage: `C:\\${folder}\\Microsoft\\Windows Defender\\Platform\\4.18\\MsMpEng.exe`,
      TargetImage: 'C:\\Windows\\System32\\lsass.exe',
      GrantedAccess: '0x1400',
    };
    const { findings } = await engine.methods.analyze({ text: JSON.stringify(event) }, never);
    return findings.map(({ title }) => title).filter((title) => /thread/iu.test(title));
  };
  expect(await thread('ProgramData')).toEqual([]);
  expect(await thread('Users\\Public')).not.toEqual([]);
});

test('every expression of our rules is one that RE2 takes', () => {
  const rules = new RuleSet();
  expect(rules.add(ruleFiles(`${guardPack}/rules`), 'imported').errors).toEqual([]);
});

describe('benign logs', () => {
  test.each(Object.keys(BENIGN_KINDS).flatMap((kind) => [1, 2, 3, 4].map((seed) => [kind, seed] as const)))(
    '%s, seed %i',
    async (kind, seed) => {
      const { findings, severity } = await engine.methods.analyze(
        { text: benignLog(kind, seed, 32_000) },
        never,
      );
      expect(findings.map((finding) => finding.title)).toEqual([]);
      expect(severity).toBe('informational');
    },
  );

  test('requests of a shop', async () => {
    const random = createRandom(11);
    for (let i = 0; i < 30; i += 1) {
      const { findings } = await engine.methods.analyze({ text: rawRequest(random) }, never);
      expect(findings.map((finding) => finding.title)).toEqual([]);
    }
  });
});

test('every rule of ours has a title in Malay and Chinese, and no other', async () => {
  const titles = new Set((await engine.methods.rules()).map(({ title }) => title));
  const { rules } = knowledge.texts.titles;
  expect([...rules.keys()].toSorted()).toEqual([...titles].toSorted());
  for (const names of rules.values()) for (const name of names) expect(name).not.toBe('');
});

test('a finding is named and described in the language asked for, its rule’s own title beside', async () => {
  const text = 'rundll32.exe C:\\Windows\\System32\\comsvcs.dll, MiniDump 624 C:\\Users\\Public\\l.dmp full';
  const { findings } = await engine.methods.analyze({ text, language: 'zh' }, never);
  const [finding] = findings.filter(({ title }) => title === 'Memory of LSASS is dumped');
  expect(finding?.translation).toEqual({
    title: 'LSASS 内存被转储',
    description: 'LSASS 保存着所有已登录者的凭据。',
  });
  const english = await engine.methods.analyze({ text, language: 'en' }, never);
  expect(english.findings.some(({ translation }) => translation)).toBe(false);
});

test('every description of a rule of ours stands in Malay and Chinese', async () => {
  const text = 'id=1%27%20UNION%20SELECT%20password%20FROM%20users';
  const own = ruleFiles(`${guardPack}/rules`)
    .flatMap((file) => parseRules(file.text))
    .flatMap(({ description }) => description ?? []);
  const known = [...knowledge.texts.titles.descriptions.keys()];
  expect(known.toSorted()).toEqual([...new Set(own)].toSorted());
  const { findings } = await engine.methods.analyze(
    { text: `GET /?${text} HTTP/1.1`, language: 'ms' },
    never,
  );
  expect(findings[0]?.translation?.title).toBe('Suntikan SQL: UNION SELECT');
});
