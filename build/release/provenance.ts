/**
 * SLSA provenance: which commit, lock file and builder the artefacts are of, as an in-toto statement;
 * with the release's key inside a DSSE envelope.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFile } from '../../server/packs/verify.ts';
import { signEnvelope } from '../../server/signing/envelope.ts';
import type { SigningKey } from '../../server/signing/keys.ts';
import { root } from '../start/paths.ts';
import type { Artefact } from './page.ts';
import type { Source } from './source.ts';

const payloadType = 'application/vnd.in-toto+json';

export async function writeProvenance(
  out: string,
  artefacts: Artefact[],
  { source, key }: { source: Source; key: SigningKey | undefined },
): Promise<void> {
  const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: artefacts.map(({ file, sha256 }) => ({ name: file, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${homepage}/release/v1`,
        externalParameters: { command: 'npm ci && npm run release' },
        internalParameters: { node: process.versions.node, SOURCE_DATE_EPOCH: source.dateMs / 1000 },
        resolvedDependencies: [
          { uri: 'git', digest: { gitCommit: source.commit } },
          { uri: 'package-lock.json', digest: { sha256: await hashFile(join(root, 'package-lock.json')) } },
        ],
      },
      runDetails: { builder: { id: `${homepage}/build/release` } },
    },
  };
  const text = `${JSON.stringify(statement, null, 2)}\n`;
  const content = key ? signEnvelope(payloadType, Buffer.from(text), key) : statement;
  writeFileSync(join(out, 'provenance.intoto.json'), `${JSON.stringify(content, null, 2)}\n`);
}
