/** RELEASE.md: what is in the folder, how to check each file without a network, and what could not be made. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/paths.ts';
import type { SbomDifference } from './sbom-difference.ts';
import type { Served } from './serves.ts';
import type { Source } from './source.ts';

export interface Artefact {
  file: string;
  sha256: string;
  bytes: number;
}

export interface Release {
  version: string;
  source: Source;
  artefacts: Artefact[];
  /** Name → why it was not made. */
  missing: Record<string, string>;
  /** Of two builds; null when there is none, undefined when there was one build. */
  difference: string | null | undefined;
  served: Served | undefined;
  unknownLicences: number;
  /** Absent where no earlier release was given. */
  parts?: SbomDifference;
}

export function writePage(out: string, release: Release, publicKey: string | undefined): void {
  writeFileSync(join(out, 'RELEASE.md'), `${page(release, publicKey).join('\n')}\n`);
}

function page(
  { version, source, artefacts, missing, difference, served, parts }: Release,
  publicKey?: string,
): string[] {
  // The statement of provenance is made after both builds.
  const count = artefacts.filter(({ file }) => !file.endsWith('.intoto.json')).length;
  return [
    `# Lokal ${version}`,
    '',
    `Commit ${source.commit} of ${new Date(source.dateMs).toISOString().slice(0, 10)}.`,
    '',
    '| file | MB | check |',
    '| --- | --- | --- |',
    ...artefacts.map(({ file, bytes }) => `| ${file} | ${(bytes / 1e6).toFixed(1)} | ${checkOf(file)} |`),
    '',
    '`sha256sum -c SHA256SUMS` checks all of them.',
    publicKey
      ? `Every file is signed: \`lokal verify FILE\` reads \`FILE.sig\`; the key is \`${publicKey}\`.`
      : 'This release is not signed.',
    ...(difference === undefined ? [] : ['', twice(difference, count)]),
    ...(served
      ? [
          '',
          `Tried${served.namespace ? ' without a network' : ''}: ${served.services.length} of 6 services answered.`,
        ]
      : []),
    ...(Object.keys(missing).length > 0 ? ['', '## Not made here', ''] : []),
    ...Object.entries(missing).map(([name, reason]) => `- ${name}: ${reason}`),
    ...(parts ? ['', `## Parts since ${parts.last}`, '', ...partLines(parts)] : []),
    '',
    '## Changes',
    '',
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
      .replace(/^# .*\n+/, '')
      .trim(),
  ];
}

const partLines = ({ parts: { added, removed, changed } }: SbomDifference): string[] => {
  const lines = [
    ...changed.map((each) => `- changed: ${each}`),
    ...added.map((each) => `- added: ${each}`),
    ...removed.map((each) => `- removed: ${each}`),
  ];
  return lines.length > 0 ? lines : ['None differ.'];
};

const twice = (difference: string | null, count: number): string =>
  difference === null
    ? `Built twice in different folders, time zones, languages and file masks: ${count} of ${count} identical.`
    : `Built twice, and **not identical**: ${difference}.`;

function checkOf(file: string): string {
  if (file.endsWith('.tar.zst')) return `\`tar --zstd -tf ${file}\``;
  if (file.endsWith('.deb')) return `\`dpkg-deb --info ${file}\``;
  if (file.endsWith('.oci.tar')) return `\`skopeo inspect oci-archive:${file}\``;
  if (file.endsWith('.intoto.json')) return `\`lokal verify ${file}\`, when signed`;
  if (file.endsWith('.json')) return 'JSON';
  return 'text';
}
