/** Sentences and log lines with known indicators, and with things that only look like them. */
import { createHash } from 'node:crypto';
import type { IndicatorType } from '../../../server/engine/threat/types.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';

export interface Labelled {
  text: string;
  /** `type value` in canonical form. */
  expected: string[];
}

const WORDS = [
  'kopi',
  'harbor',
  'sunrise',
  'metro',
  'cedar',
  'pixel',
  'lantern',
  'quartz',
  'saffron',
  'delta',
];
const ENDINGS = ['com', 'net', 'info', 'ru', 'cn', 'my', 'co.uk', 'com.my', 'xyz', 'top', 'io'];

const domain = (r: Random) => `${r.pick(WORDS)}-${r.pick(WORDS)}${r.int(1, 99)}.${r.pick(ENDINGS)}`;
const ip = (r: Random) =>
  `${r.pick([45, 91, 103, 141, 185, 203])}.${r.int(1, 254)}.${r.int(1, 254)}.${r.int(1, 254)}`;
const defang = (text: string, r: Random) =>
  text.replace('http', 'hxxp').replaceAll('.', r.pick(['[.]', '(.)', '[dot]', '{.}']));
const hash = (kind: 'md5' | 'sha1' | 'sha256', r: Random) => createHash(kind).update(r.hex(16)).digest('hex');
const name = (r: Random) => r.pick(['aisyah', 'weiming', 'ravi', 'svc_backup', 'jsmith', 'mei.lin']);

type Make = (r: Random) => [text: string, expected: [IndicatorType, string][]];

const MAKERS: readonly Make[] = [
  (r) => {
    const d = domain(r);
    return [`The implant beacons to ${defang(d, r)} every hour.`, [['domain', d]]];
  },
  (r) => {
    const d = domain(r);
    const u = `https://${d}/${r.hex(6)}/load.bin`;
    return [
      `Payload was fetched from ${defang(u, r)}.`,
      [
        ['url', u],
        ['domain', d],
      ],
    ];
  },
  (r) => {
    const a = ip(r);
    return [`C2 server ${defang(a, r)} answered on port 443.`, [['ip', a]]];
  },
  (r) => {
    const a = ip(r);
    const u = `http://${a}:8080/gate.php`;
    return [
      `GET ${u} seen in proxy log`,
      [
        ['url', u],
        ['ip', a],
      ],
    ];
  },
  (r) => {
    const h = hash('sha256', r);
    return [`SHA256: ${h}`, [['sha256', h]]];
  },
  (r) => {
    const h = hash('md5', r);
    return [`MD5 (dropper) = ${h.toUpperCase()}`, [['md5', h]]];
  },
  (r) => {
    const h = hash('sha1', r);
    return [`sample ${h} uploaded by a partner`, [['sha1', h]]];
  },
  (r) => {
    const c = `CVE-20${r.int(15, 25)}-${r.int(1000, 48_000)}`;
    return [`The attacker exploited ${c} in the gateway.`, [['cve', c]]];
  },
  (r) => {
    const d = domain(r);
    const e = `billing@${d}`;
    return [`Phishing sent by ${e.replace('@', r.pick(['@', '[@]', '(at)']))} on Monday`, [['email', e]]];
  },
  (r) => {
    const p = `C:\\Users\\Public\\${r.pick(WORDS)}\\${r.hex(5)}.exe`;
    return [`Dropped file ${p}`, [['file_path', p]]];
  },
  (r) => {
    const p = `/tmp/.${r.hex(4)}/${r.pick(WORDS)}`;
    return [`binary at ${p} was running`, [['file_path', p]]];
  },
  (r) => {
    const k = `Software\\Microsoft\\Windows\\CurrentVersion\\Run\\${r.pick(WORDS)}`;
    return [`Persistence: HKEY_CURRENT_USER\\${k}`, [['registry_key', `HKCU\\${k}`]]];
  },
  (r) => {
    const m = Array.from({ length: 6 }, () => r.hex(2)).join(':');
    return [`lease for ${m} renewed`, m === '00:00:00:00:00:00' ? [] : [['mac', m]]];
  },
  (r) => {
    const u = name(r);
    const a = ip(r);
    return [
      `Mar  4 09:12:44 web01 sshd[811]: Failed password for ${u} from ${a} port 51811 ssh2`,
      [
        ['user', u],
        ['ip', a],
      ],
    ];
  },
  (r) => {
    const p = `${r.pick(WORDS)}.exe`;
    return [`The process ${p} injected code`, [['process', p]]];
  },
  () => [
    'Ransom to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa or bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    [
      ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
      ['bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ],
  ],
  (r) => [
    `Agent version ${r.int(1, 9)}.${r.int(0, 9)}.${r.int(0, 9)}.${r.int(0, 200)} started, Chrome/${r.int(90, 133)}.0.0.0`,
    [],
  ],
  (r) => [
    `request ${r.hex(8)}-${r.hex(4)}-4${r.hex(3)}-a${r.hex(3)}-${r.hex(12)} took ${r.int(1, 900)} ms`,
    [],
  ],
  (r) => [`trace_id=${r.hex(32)} span_id=${r.hex(16)} ok`, []],
  () => ['Built with Node.js and ASP.NET; see readme.md, run.sh and main.rs', []],
  () => ['at 12:34:56 the job std::move finished, ratio 3.14, load 0.12 0.08 0.05', []],
  () => ['{"user.name":"x1","event.id":"9","process.name":"y"}', [['user', 'x1']]],
];

export function labelledTexts(seed: number, count: number): Labelled[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const parts = Array.from({ length: random.int(1, 4) }, () => random.pick(MAKERS)(random));
    const expected = new Set(parts.flatMap(([, list]) => list.map(([type, value]) => `${type} ${value}`)));
    return { text: parts.map(([text]) => text).join('\n'), expected: [...expected] };
  });
}
