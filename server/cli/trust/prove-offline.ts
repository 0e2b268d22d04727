/** `lokal prove-offline`: a report, signed by this installation, of what the product tried to reach: nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../../config.ts';
import { prepareDataFolder } from '../../db/data-folder.ts';
import { figures, noProofReason, prove } from '../../offline-proof/prove.ts';
import { toPage } from '../../offline-proof/report-page.ts';
import { signDocument } from '../../signing/document.ts';
import { installSigningKey } from '../../signing/keys.ts';
import { StartError } from '../../start-error.ts';
import { type Command, text } from '../command.ts';

const help = `Usage: lokal prove-offline [--out FOLDER] [--quick] [--json]

Runs Lokal in an empty network of its own on a throw-away data folder, uses all six services, an import, keys,
commands and the interface, and counts every attempt to reach anything but this machine: connections, datagrams
and name look-ups, refused ones too. Writes offline-report.json and offline-report.html, signed with this
installation's key. It takes one to three
minutes; progress goes to standard error. Linux only; no root is needed where user namespaces are allowed.

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
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort(new StartError('Stopped.')));
    const report = await prove({
      folders: config.folders,
      env: process.env,
      quick: values.quick === true,
      onProgress: (line) => process.stderr.write(`${line}\n`),
      signal: stop.signal,
    });
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
