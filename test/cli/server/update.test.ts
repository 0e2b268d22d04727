/** `lokal update`: who may sign, what is shown, and where there is nothing to replace. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { capture } from '../../../build/start/child.ts';
import type { CommandInput } from '../../../server/cli/command.ts';
import { updateFrom } from '../../../server/cli/server/update.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { createStores } from '../../../server/db/stores.ts';
import { signFile } from '../../../server/signing/file.ts';
import { createKeyFile, installSigningKey } from '../../../server/signing/keys.ts';
import { writeProgram, writeProgramArchive } from '../../installation/program.ts';
import { temporaryFolder } from '../../support/app/folder.ts';

async function given() {
  const folder = temporaryFolder();
  const home = temporaryFolder();
  const root = join(folder, 'lokal');
  writeProgram(root, { version: '1.0.0' });
  const stores = createStores(openDatabase(join(home, 'lokal.db')));
  const key = createKeyFile(join(folder, 'key.json'), 'The publisher');
  const { file } = await writeProgramArchive(folder, { version: '1.1.0', changes: ['Something new.'] }, key);
  const lines: string[] = [];
  const run = (values: CommandInput['values'] = {}, platform: NodeJS.Platform = process.platform) =>
    updateFrom(file, {
      input: { values, positionals: [file], print: (_value, said) => lines.push(...said) },
      stores,
      installation: { root, home, env: { PATH: process.env.PATH }, platform, arch: process.arch },
    });
  const trust = (publicKey: string, name: string) => stores.trust.insert({ publicKey, name, addedMs: 0 });
  return { home, stores, key, file, lines, run, trust };
}

describe.skipIf(process.platform === 'win32')('lokal update', () => {
  it('takes what a trusted signer signed, shows it, and writes it into the audit log', async () => {
    const { stores, key, lines, run, trust } = await given();
    trust(key.publicKey, 'Us');
    await run({ 'dry-run': true });
    expect(lines).toEqual([
      'Lokal 1.0.0 → 1.1.0, signed by Us.',
      '  - Something new.',
      'Packs changed: starter 1.0.0 → 1.1.0.',
      'Nothing was changed.',
    ]);
    await run();
    expect(lines.at(-1)).toBe('Lokal 1.1.0 is installed; `lokal update --undo` returns to 1.0.0.');
    expect(stores.audit.lines().map(({ action, changes }) => [action, changes])).toEqual([
      ['program.update', { from: '1.0.0', to: '1.1.0', signer: 'Us' }],
    ]);
  });

  it('takes what this installation signed', async () => {
    const { home, file, lines, run } = await given();
    await signFile(file, installSigningKey(home));
    await run({ 'dry-run': true });
    expect(lines[0]).toMatch('signed by this installation');
  });

  it('refuses what a stranger signed, and what nobody signed', async () => {
    const { key, file, lines, run, trust } = await given();
    await expect(run()).rejects.toThrow(/signed by a key that is not trusted/);
    trust(key.publicKey, 'Us');
    rmSync(`${file}.sig`);
    await expect(run()).rejects.toThrow(/there is no signature/);
    expect(lines).toEqual([]);
  });

  it('says on Windows, which cannot replace a running program, what to do', async () => {
    const { key, run, trust } = await given();
    trust(key.publicKey, 'Us');
    await expect(run({}, 'win32')).rejects.toThrow(/Unpack FILE beside this folder/);
  });

  it('says in a checkout that git updates it', { timeout: 60_000 }, async () => {
    const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url));
    const home = temporaryFolder();
    const env = { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' };
    const exit = await capture([process.execPath, cli, 'update', 'x.tar.zst'], { cwd: home, env });
    expect(exit.code).toBe(1);
    expect(exit.output).toMatch(/^lokal: Not updated: .* is a checkout; git pull and npm ci update it\.\n$/);
  });
});
