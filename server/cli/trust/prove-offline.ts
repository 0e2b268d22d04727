/** `lokal prove-offline`: a report, signed by this installation, of what the product tried to reach: nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../../config.ts';
import { prepareDataFolder } from '../../db/data-folder.ts';
import { figures, noProofReason, prove } from '../../offline-proof/prove.ts';
import { toPage } from '../../offline-proof/report-page.ts';
import { signDocument } from '../../signing/document.ts';
import { installSigningKey } from '../../signing/keys.ts';
import { type Command, text } from '../command.ts';

const help = `Usage: lokal prove-offline [--out FOLDER] [--quick] [--json]

Runs Lokal in an empty network of its own on a throw-away data folder, uses all six services, an import, keys,
commands and the interface, and counts every attempt to reach anything but this machine: connections, datagrams
and name look-ups, refused ones too. Writes offline-report.json and offline-report.html, signed with this
installation's key. It takes one to two minutes; each step is told on stderr as it begins, and is given up as a failure
of the proof when it takes too long. Linux only; no root is needed where user namespaces are allowed.

  --out FOLDER   where the report goes (default: this folder)
  --quick        without the interface
  --json         print the figures as one line of JSON

Exit code 0: nothing was tried; 1: something was, or did not run; 3: it cannot be proven on this system.`;

export const proveOffline: Command = {
  help,
  options: { out: { type: 'string' }, quick: { type: 'boolean' } },
  async run({ values, print }) {
    const reason = noProofReason();
    if (reason !== null) {
      process.exitCode = 3;
      return print({ skipped: reason }, [`Not proven: ${reason}.`]);
    }
    const config = readConfig();
    const report = await untilInterrupted((signal) =>
      prove({
        folders: config.folders,
        env: process.env,
        quick: values.quick === true,
        onStep: ({ number, of, what }) => process.stderr.write(`[${number}/${of}] ${what}\n`),
        signal,
      }),
    );
    prepareDataFolder(config.home);
    const signed = signDocument(report, installSigningKey(config.home));
    const folder = resolve(text(values.out) ?? '.');
    mkdirSync(folder, { recursive: true });
    const files = ['offline-report.json', 'offline-report.html'].map((name) => join(folder, name)) as [
      string,
      string,
    ];
    writeFileSync(files[0], `${JSON.stringify(signed, null, 2)}\n`);
    writeFileSync(files[1], toPage(signed));
    if (!report.passed) process.exitCode = 1;
    const found = figures(report);
    print({ passed: report.passed, ...found, failures: report.failures, report: files[0] }, [
      report.passed ? 'Proven: nothing tried to leave this machine.' : 'Not proven:',
      ...report.failures.map((line) => `  ${line}`),
      `  ${found.services} of 6 services, ${found.sandboxed_hosts} confined hosts, interface: ${found.interface ? 'shown' : (report.interface.reason ?? 'left out')}`,
      `  ${files.join('\n  ')}`,
    ]);
  },
};

/** At Ctrl+C the work is given up and cleared away before the command ends as the signal would have ended it. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const exits = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  let exitCode: number | null = null;
  const stop = (name: NodeJS.Signals) => {
    exitCode = exits[name as keyof typeof exits];
    stopping.abort();
  };
  for (const name of Object.keys(exits)) process.on(name, stop);
  try {
    return await work(stopping.signal);
  } catch (error) {
    if (exitCode === null) throw error;
    process.stderr.write('lokal: interrupted; nothing was proven\n');
    return process.exit(exitCode);
  } finally {
    for (const name of Object.keys(exits)) process.off(name, stop);
  }
}
