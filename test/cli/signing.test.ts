/** Signed packs, archives and exports from one machine to another, over the command line. */
import { execFile } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/app/folder.ts';

const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url));

const run = (home: string, ...args: string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const env = { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' };
    execFile(process.execPath, [cli, ...args], { env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });

const flip = (file: string, at: number) => {
  const bytes = readFileSync(file);
  bytes[at]! ^= 1;
  writeFileSync(file, bytes);
};

describe('a pack from one machine to another', () => {
  it('arrives with its signer’s name, or not at all', async () => {
    const [here, there] = [temporaryFolder(), temporaryFolder()];
    const [keyFile, pack] = [join(here, 'key.json'), join(here, 'chat.lokalpack')];
    const made = await run(here, 'packs', 'keygen', keyFile, '--name', 'Models Ltd', '--json');
    const { public_key: key, fingerprint } = JSON.parse(made.out);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect((await run(here, 'packs', 'export', 'lingua-starter', pack, '--sign', keyFile)).out).toContain(
      fingerprint,
    );

    expect((await run(there, 'verify', pack)).out).toContain('not on your list');
    expect((await run(there, 'verify', pack, '--trusted')).code).toBe(1);
    expect((await run(there, 'trust', 'add', key, '--name', 'Our models')).code).toBe(0);
    expect((await run(there, 'trust', 'list')).out).toContain(fingerprint);
    expect((await run(there, 'verify', pack, '--trusted')).out).toContain('by Our models');
    const taken = await run(there, 'packs', 'import', pack);
    expect([taken.err, taken.out]).toEqual([
      '',
      expect.stringContaining('is installed, signed by Our models'),
    ]);
    expect((await run(there, 'packs', 'list')).out).toMatch(/lingua-starter.*signed by Our models/);

    flip(pack, statSync(pack).size - 60_000);
    for (const command of [
      ['verify', pack],
      ['packs', 'import', pack],
    ]) {
      const refused = await run(temporaryFolder(), ...command);
      expect([refused.code, refused.out]).toEqual([1, '']);
      expect(refused.err).toMatch(/^lokal: [^\n]+SHA-256 of the manifest[^\n]*\n$/);
    }
  });
});

describe('an archive of rules', () => {
  it('is checked by the signature beside it', async () => {
    const home = temporaryFolder();
    const [keyFile, archive] = [join(home, 'key.json'), join(home, 'rules.zip')];
    writeFileSync(archive, zipSync({ 'readme.txt': Buffer.from('no rules') }));
    await run(home, 'packs', 'keygen', keyFile, '--name', 'Blue team');
    expect((await run(home, 'verify', archive)).err).toContain('there is no signature');
    await run(home, 'sign', archive, '--key', keyFile);
    expect((await run(home, 'verify', archive)).out).toContain('"Blue team", as it calls itself');
    flip(archive, 5);
    expect((await run(home, 'verify', archive)).err).toContain('changed or swapped');
    expect((await run(home, 'rules', 'import', archive)).err).toContain(
      'Not imported: the signature is not this file’s',
    );
  });
});

describe('lokal audit', () => {
  it('lists, exports and verifies', async () => {
    const home = temporaryFolder();
    const file = join(home, 'audit.jsonl');
    await run(home, 'keys', 'create', 'Accounts');
    expect((await run(home, 'audit', 'list')).out).toMatch(/command line\s+key\.create\s+key_[0-9a-f]{16}/);
    expect((await run(home, 'audit', 'export', file)).out).toContain('1 line(s)');
    await run(home, 'keys', 'create', 'Books');
    expect((await run(home, 'audit', 'verify', file)).out).toContain('The audit log is whole: 2 line(s).');
    expect((await run(home, 'verify', file)).out).toContain('by this installation');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Accounts', 'Accidents'));
    expect((await run(home, 'audit', 'verify', file)).err).toContain('line 1 was changed');
    expect((await run(home, 'verify', file)).code).toBe(1);
  });
});
