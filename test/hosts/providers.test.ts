import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProviderList, probeProviders } from '../../server/hosts/providers.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lokal-providers-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const list = (runtimeVersion = '1') => createProviderList({ home, runtimeVersion, env: process.env });
const kept = () => JSON.parse(readFileSync(join(home, 'providers.json'), 'utf8'));

describe('execution providers', () => {
  it('are each tried in a process of their own; the processor is always trusted, last', async () => {
    const verdicts = await probeProviders(process.env);
    expect(verdicts.at(-1)).toEqual({ provider: 'cpu', trusted: ['encoder', 'chat'], reason: null });
    for (const { trusted, reason } of verdicts) expect(trusted.length > 0 || reason !== null).toBe(true);
  });

  it('are the processor alone until they were tried, and for engines without a graph', async () => {
    const providers = list();
    expect(providers.for('embeddings')).toEqual(['cpu']);
    await providers.load();
    expect(providers.for('documents')).toEqual(['cpu']);
    expect(providers.for('chat').at(-1)).toBe('cpu');
  });

  it('are kept until what they depend on changes', async () => {
    await list().load();
    const fast = { provider: 'made-up', trusted: ['chat'], reason: null };
    writeFileSync(join(home, 'providers.json'), JSON.stringify({ ...kept(), verdicts: [fast] }));
    const same = list();
    await same.load();
    expect(same.for('chat')).toEqual(['made-up', 'cpu']);
    expect(same.for('embeddings')).toEqual(['cpu']);
    const other = list('2');
    await other.load();
    expect(other.for('chat')).not.toContain('made-up');
    expect(kept().signature).toMatch(/^2 /);
  });

  it('offer kernels at once where these are at home, elsewhere after a process came through them', async () => {
    const given = { home, runtimeVersion: '1', env: process.env };
    const atHome = createProviderList({ ...given, system: { platform: 'linux', arch: 'x64' } });
    expect(atHome.kernels()).toBe(true);
    const elsewhere = createProviderList({ ...given, system: { platform: 'win32', arch: 'x64' } });
    expect(elsewhere.kernels()).toBe(false);
    await elsewhere.load();
    const { kernels } = kept();
    expect(kernels.asked).toBe(true);
    expect(elsewhere.kernels()).toBe(kernels.serve);
    // Kept until others are asked for.
    writeFileSync(
      join(home, 'providers.json'),
      JSON.stringify({ ...kept(), kernels: { asked: true, serve: false } }),
    );
    const again = createProviderList({ ...given, system: { platform: 'win32', arch: 'x64' } });
    await again.load();
    expect(again.kernels()).toBe(false);
    const command = createProviderList({ ...given, system: { platform: 'win32', arch: 'x64' } });
    await command.loadKernels();
    expect(command.kernels()).toBe(false);
    expect(command.verdicts()).toEqual(list().verdicts());
    const off = createProviderList({
      ...given,
      customKernels: false,
      system: { platform: 'win32', arch: 'x64' },
    });
    await off.load();
    expect(off.kernels()).toBe(false);
    expect(kept().kernels).toEqual({ asked: false, serve: false });
  });

  describe('of kernels alone', () => {
    const elsewhere = (runtimeVersion = '1', processor = 'one') =>
      createProviderList({
        ...{ home, runtimeVersion, processor, env: process.env },
        system: { platform: 'win32', arch: 'x64' },
      });
    /** Another answer than a trial would give shows that none is made. */
    const keepOther = async () => {
      await elsewhere().loadKernels();
      const { kernels } = kept();
      const other = { asked: true, serve: !kernels.serve };
      writeFileSync(join(home, 'providers.json'), JSON.stringify({ ...kept(), kernels: other }));
      return other;
    };
    const loaded = async (list: ReturnType<typeof elsewhere>) => {
      await list.loadKernels();
      return list.kernels();
    };

    it('are kept by commands, and completed by the server', async () => {
      const other = await keepOther();
      expect(kept()).not.toHaveProperty('verdicts');
      expect(await loaded(elsewhere())).toBe(other.serve);
      await elsewhere().load();
      expect(kept().verdicts.at(-1).provider).toBe('cpu');
      expect(kept().kernels).toEqual(other);
      // A command leaves what the server found out.
      const off = createProviderList({
        ...{ home, runtimeVersion: '1', processor: 'one', env: process.env, customKernels: false },
        system: { platform: 'win32', arch: 'x64' },
      });
      await off.loadKernels();
      expect(kept().verdicts.at(-1).provider).toBe('cpu');
      expect(kept().kernels).toEqual({ asked: false, serve: false });
    });

    it('are tried anew by another version, on another processor and from a damaged file', async () => {
      const { serve } = await keepOther();
      expect(await loaded(elsewhere('2'))).toBe(!serve);
      await keepOther();
      expect(await loaded(elsewhere('1', 'another'))).toBe(!serve);
      for (const damaged of ['{', JSON.stringify({ ...kept(), kernels: { asked: true } })]) {
        writeFileSync(join(home, 'providers.json'), damaged);
        expect(await loaded(elsewhere('1', 'another')), damaged).toBe(!serve);
        expect(kept().kernels).toEqual({ asked: true, serve: !serve });
      }
    });
  });

  it('survive a damaged file', async () => {
    writeFileSync(join(home, 'providers.json'), '{');
    const providers = list();
    await providers.load();
    expect(providers.verdicts().at(-1)?.provider).toBe('cpu');
  });
});
