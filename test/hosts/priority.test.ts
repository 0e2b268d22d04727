import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { nodeSpawn } from '../../server/hosts/port.ts';

const entry = fileURLToPath(new URL('../support/hosts/fake-host.ts', import.meta.url));

it.skipIf(process.platform === 'win32')('a host runs at a lower priority than the server', async () => {
  const port = nodeSpawn(process.env, entry)({ reads: [], writes: [], devices: false });
  try {
    await vi.waitFor(() => expect(getPriority(port.pid)).toBeGreaterThan(getPriority()), { timeout: 20_000 });
  } finally {
    port.kill();
  }
});
