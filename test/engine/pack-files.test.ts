import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packFile } from '../../server/engine/pack-files.ts';

const folder = (files: Record<string, string>): string => {
  const path = mkdtempSync(join(tmpdir(), 'lokal-pack-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
};

describe('packFile', () => {
  const starter = { folder: folder({ 'a.tsv': 'starter', 'b.tsv': 'starter' }), manifest: {} };
  const pack = { folder: folder({ 'a.tsv': 'own' }), starter };

  it('reads the pack, then the starter of its role', async () => {
    expect(await packFile(pack, 'a.tsv')).toBe('own');
    expect(await packFile(pack, 'b.tsv')).toBe('starter');
  });

  it('refuses what neither has, by the name of the file alone', async () => {
    await expect(packFile(pack, 'c.tsv')).rejects.toThrow(
      'The chosen pack cannot be used: neither it nor the starter pack of its role has c.tsv.',
    );
    await expect(packFile({ folder: pack.folder }, 'b.tsv')).rejects.toMatchObject({
      code: 'internal_error',
    });
    await expect(packFile(pack, '../a.tsv')).rejects.toThrow('lies outside the pack');
  });
});
