import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeProvenance } from '../../../build/release/provenance.ts';
import { verifyProvenance } from '../../../server/cli/trust/verify-provenance.ts';
import { createKeyFile } from '../../../server/signing/keys.ts';
import { temporaryFolder } from '../../support/app/folder.ts';

const source = { commit: 'c0ffee', dateMs: 0, changed: 0 };

async function released() {
  const out = temporaryFolder();
  const key = createKeyFile(join(out, 'key.json'));
  writeFileSync(join(out, 'a.txt'), 'a');
  const artefacts = ['a.txt', 'b.txt'].map((file) => ({
    file,
    sha256: hash('sha256', file[0] ?? '', 'hex'),
    bytes: 1,
  }));
  await writeProvenance(out, artefacts, { source, key });
  const file = join(out, 'provenance.intoto.json');
  return { out, key, file, envelope: JSON.parse(readFileSync(file, 'utf8')) };
}

describe('provenance of a release', () => {
  it('tells the commit and which files beside it are its own', async () => {
    const { key, file, envelope } = await released();
    expect(await verifyProvenance(file, envelope)).toEqual({
      publicKey: key.publicKey,
      commit: 'c0ffee',
      present: ['a.txt'],
      absent: ['b.txt'],
    });
  });

  it('is refused when a file beside it is another', async () => {
    const { out, file, envelope } = await released();
    writeFileSync(join(out, 'b.txt'), 'not b');
    await expect(verifyProvenance(file, envelope)).rejects.toThrow(/"b\.txt" beside it is not the file/);
  });
});
