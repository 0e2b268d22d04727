/** The archive that `npm run release` made: unpacked in an empty folder, asked everything without a network and a PATH, updated by itself. */
import { copyFileSync, existsSync, globSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noNamespaceReason, tryArchive, unpackArchiveFile } from '../../build/release/serves.ts';
import { capture } from '../../build/start/child.ts';
import { root } from '../../build/start/paths.ts';
import { signFile } from '../../server/signing/file.ts';
import { installSigningKey } from '../../server/signing/keys.ts';
import { temporaryFolder } from '../support/app/folder.ts';

const [archive] = globSync(`dist/release/lokal-*-${process.platform}-${process.arch}.tar.zst`, { cwd: root });
const reason = archive ? await noNamespaceReason() : 'npm run release has made none';

describe.skipIf(reason !== null)(`the headless archive${reason ? `: ${reason}` : ''}`, () => {
  it('serves six services and the interface without a network', { timeout: 300_000 }, async () => {
    const served = await tryArchive(join(root, archive ?? ''));
    expect(served.namespace).toBe(true);
    expect(served.services).toEqual([
      'chat',
      'embeddings',
      'moderation',
      'threat analysis',
      'documents',
      'images',
    ]);
  });

  it('is put in its own place by lokal update, and returns', { timeout: 300_000 }, async () => {
    const folder = temporaryFolder();
    const [home, place] = [join(folder, 'home'), join(folder, 'place')];
    for (const each of [home, place]) mkdirSync(each);
    const program = await unpackArchiveFile(join(root, archive ?? ''), place);
    const file = join(home, basename(archive ?? ''));
    copyFileSync(join(root, archive ?? ''), file);
    await signFile(file, installSigningKey(home));
    const lokal = (...args: string[]) =>
      capture([join(program, 'lokal'), ...args], {
        cwd: home,
        env: { PATH: '', HOME: home, LOKAL_HOME: home },
      });
    expect((await lokal('keys', 'create', 'Kept')).code).toBe(0);
    const updated = await lokal('update', file, '--downgrade');
    expect(updated.output).toMatch(/signed by this installation\.[\s\S]*is installed/);
    expect(existsSync(`${program}.previous`)).toBe(true);
    expect((await lokal('keys', 'list')).output).toContain('Kept');
    expect((await lokal('update', '--undo')).output).toMatch(/^This is Lokal .* again with the data of/);
    expect((await lokal('keys', 'list')).output).toContain('Kept');
    expect(existsSync(`${program}.previous`)).toBe(false);
  });
});
