/** The report as one page to read and to print; it loads nothing. */
import type { Signed } from '../signing/document.ts';
import { fingerprint } from '../signing/keys.ts';
import type { Digest } from './hashes.ts';
import { figures, type OfflineReport } from './prove.ts';

const escapeHtml = (value: unknown): string =>
  String(value).replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!,
  );

const table = (heads: string[], rows: unknown[][]): string =>
  rows.length === 0
    ? '<p>None.</p>'
    : `<table><tr>${heads.map((head) => `<th>${escapeHtml(head)}</th>`).join('')}</tr>${rows
        .map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
        .join('')}</table>`;

const digests = (all: Digest[]): string =>
  table(
    ['What', 'Files', 'Bytes', 'SHA-256 of the list of hashes'],
    all.map((each) => [each.name, each.files, each.bytes, each.sha256]),
  );

const style =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}' +
  'table{border-collapse:collapse;width:100%}th,td{border:1px solid #bbb;padding:.25rem .5rem;text-align:left;' +
  'vertical-align:top;overflow-wrap:anywhere}.yes{color:#05602b}.no{color:#a40000}';

const method = [
  'Lokal ran in a network namespace of its own whose one device is the loopback device. Every address there is was routed to that device, so that a packet to any host was carried and seen by a packet socket; a stand-in answered every name look-up and noted the name. Packets that found no way were taken from the kernel’s own counters. The browser resolved no names, since it looks up some of its own; what the pages asked for was taken from its debugging port.',
  'All files but those of a throw-away data folder, home and temporary folder were read-only. What was found outside the data folder is listed.',
  'It ran twice: as it is, with engine hosts that the kernel denies network, programs and foreign files; and with hosts that are free, so that what they would try is seen as well.',
];

export function toPage(report: Signed<OfflineReport>): string {
  const { attempts, files_outside, services, sandboxed_hosts } = figures(report);
  const lines: [string, unknown][] = [
    ['Attempts to reach anything but this machine, look-ups included', attempts],
    ['Files written outside the data folder', files_outside],
    ['Services that answered', `${services} of 6`],
    ['Engine hosts confined by the kernel', `${sandboxed_hosts} of 6`],
    [
      'Interface shown in a browser',
      report.interface.shown ? 'yes' : `no: ${report.interface.reason ?? 'not asked for'}`,
    ],
    ['Lokal', report.version],
    ['System', report.platform],
    ['From, to (UTC)', `${report.began}, ${report.ended}`],
  ];
  const steps = report.runs.flatMap(({ confined, services: answers, steps: done }) => [
    ...answers.map((each) => [
      each.service,
      confined ? 'confined' : 'free',
      each.status === 200 ? 'answered' : `status ${each.status}`,
      each.pack ?? '',
    ]),
    ...done.map((each) => [
      each.name,
      confined ? 'confined' : 'free',
      each.ok ? 'done' : 'failed',
      each.detail ?? '',
    ]),
  ]);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Lokal: offline proof</title><style>${style}</style>
<h1>Offline proof of Lokal ${escapeHtml(report.version)}</h1>
<p class="${report.passed ? 'yes' : 'no'}"><strong>${report.passed ? 'Passed: nothing tried to leave this machine.' : 'Failed.'}</strong></p>
${report.failures.length > 0 ? `<ul>${report.failures.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>` : ''}
${table(['Figure', 'Value'], lines)}
<h2>How it was done</h2>${method.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}
<h2>Attempts</h2>${table(
    ['After (ms)', 'Kind', 'To'],
    report.attempts.map((each) => [each.at_ms, each.kind, each.target]),
  )}
<h2>Files outside the data folder</h2>${table(
    ['File'],
    report.files_outside.map((file) => [file]),
  )}
<h2>What was used</h2>${table(['Step', 'Hosts', 'Result', 'Detail'], steps)}
<h2>Program</h2>${digests(report.program)}<h2>Packs</h2>${digests(report.packs)}
<h2>Signature</h2><p>Signed on ${escapeHtml(report.signature.signed)} by ${escapeHtml(report.signature.signer)}, key fingerprint
${escapeHtml(fingerprint(report.signature.public_key))}. The JSON file beside this page carries the signature; <code>lokal verify</code> checks it.</p></html>
`;
}
