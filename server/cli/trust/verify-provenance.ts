/** A release's provenance: who signed it, and which files beside it are those it speaks of. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hashFile } from '../../packs/verify.ts';
import { SignatureError } from '../../signing/document.ts';
import { type Envelope, openEnvelope } from '../../signing/envelope.ts';

interface Statement {
  subject: { name: string; digest: { sha256: string } }[];
  predicate?: { buildDefinition?: { resolvedDependencies?: { digest: { gitCommit?: string } }[] } };
}

export interface Provenance {
  publicKey: string;
  /** null where it names none. */
  commit: string | null;
  /** Files that lie beside it and are as it says. */
  present: string[];
  absent: string[];
}

/** @throws SignatureError, also when a file beside it is not the one it speaks of */
export async function verifyProvenance(file: string, envelope: Envelope): Promise<Provenance> {
  const { publicKey, content } = openEnvelope(envelope);
  const { subject, predicate } = JSON.parse(content.toString('utf8')) as Statement;
  if (!Array.isArray(subject)) throw new SignatureError('it speaks of no files');
  const paths = subject.map(({ name, digest }) => ({
    name,
    digest,
    path: join(dirname(file), basename(name)),
  }));
  const present = paths.filter(({ path }) => existsSync(path));
  for (const { name, digest, path } of present)
    if ((await hashFile(path)) !== digest.sha256)
      throw new SignatureError(`${JSON.stringify(name)} beside it is not the file it speaks of`);
  const dependencies = predicate?.buildDefinition?.resolvedDependencies ?? [];
  return {
    publicKey,
    commit: dependencies.map(({ digest }) => digest.gitCommit).find((commit) => commit !== undefined) ?? null,
    present: present.map(({ name }) => name),
    absent: paths.filter(({ path }) => !existsSync(path)).map(({ name }) => name),
  };
}
