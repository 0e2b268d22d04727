/** The archive that `npm run release` made, unpacked in an empty folder and asked everything without a network and a PATH. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noNamespaceReason, tryArchive } from '../../build/release/serves.ts';
import { root } from '../../build/start/paths.ts';

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
});
