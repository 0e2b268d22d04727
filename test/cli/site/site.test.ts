/** `lokal site`: one installation's set-up carried to another, whole or not at all. In this process, with a pack that is really loaded. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { root } from '../../../build/start/paths.ts';
import type { CommandInput } from '../../../server/cli/command.ts';
import { site } from '../../../server/cli/site/site.ts';
import { verify } from '../../../server/cli/trust/verify.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { createStores, type Stores } from '../../../server/db/stores.ts';
import { readSiteHead } from '../../../server/installation/site-file.ts';
import { installSigningKey } from '../../../server/signing/keys.ts';
import { temporaryFolder } from '../../support/app/folder.ts';

const rule = (title: string) => `title: ${title}
id: 3f1b2c60-0000-4000-8000-000000000001
logsource: { category: webserver }
detection: { selection: { c-uri|contains: /secret }, condition: selection }
level: high
`;
const template = { name: 'receipts', fields: [{ name: 'total', type: 'number', labels: ['Total'] }] };
const pack = 'site-guard@9.0.0';

function withStoresOf<T>(home: string, work: (stores: Stores) => T): T {
  const db = openDatabase(join(home, 'lokal.db'));
  try {
    return work(createStores(db));
  } finally {
    db.close();
  }
}

/** The starter of the threat analysis under another name: imported, unsigned. */
function writePack(home: string): void {
  const folder = join(home, 'packs', pack);
  cpSync(join(root, 'models', 'packs', 'guard-starter'), folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const [id, version] = pack.split('@');
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ ...manifest, id, version, status: 'imported' }),
  );
}

async function lokalSite(home: string, values: CommandInput['values'], ...positionals: string[]) {
  vi.stubEnv('LOKAL_HOME', home);
  let said: unknown;
  await site.run({
    values,
    positionals,
    print: (value) => {
      said = value;
    },
  });
  return said as Record<string, unknown>;
}

async function exported(text = rule('Secrets asked for')) {
  const home = temporaryFolder();
  writePack(home);
  withStoresOf(home, (stores) => {
    stores.settings.set({ max_queue: 7, signed_packs_only: true, threads: 1 });
    stores.ruleFiles.add([{ name: 'secret.yml', text }]);
    stores.documentTemplates.put(template as never);
    stores.bindings.set('svc-guard-max', pack);
    stores.trust.insert({ publicKey: `ed25519:${'A'.repeat(43)}`, name: 'The publisher', addedMs: 0 });
  });
  const file = join(home, 'office.lokalsite');
  await lokalSite(home, {}, 'export', file);
  return { file, key: installSigningKey(home).publicKey };
}

/** The records of an installation, without its audit log. */
const records = (home: string) =>
  withStoresOf(home, (stores) => ({
    settings: stores.settings.all(),
    rules: stores.ruleFiles.all(),
    templates: stores.documentTemplates.all(),
    bound: stores.bindings.get('svc-guard-max') ?? null,
    signers: stores.trust.keys().map(({ name }) => name),
    packs: existsSync(join(home, 'packs')) ? readdirSync(join(home, 'packs')) : [],
  }));

afterEach(() => void vi.unstubAllEnvs());

describe('lokal site', () => {
  it('writes what lokal verify knows, every file of it', async () => {
    const { file } = await exported();
    const home = dirname(file);
    vi.stubEnv('LOKAL_HOME', home);
    const lines: string[] = [];
    const input = {
      values: {},
      positionals: [file],
      print: (_: unknown, said: string[]) => lines.push(...said),
    };
    await verify.run(input);
    expect(lines[0]).toContain('by this installation');
    const bytes = readFileSync(file);
    const changed = join(home, 'changed.lokalsite');
    bytes[bytes.length - 400]! ^= 1;
    writeFileSync(changed, bytes);
    await expect(verify.run({ ...input, positionals: [changed] })).rejects.toThrow(/is not verified/);
  });

  it('brings packs, policy, rules, templates and signers, after a trial that changes nothing', {
    timeout: 300_000,
  }, async () => {
    const { file, key } = await exported();
    expect((await readSiteHead(file)).files.map(({ path }) => path)).toEqual([
      'content.json',
      `packs/${pack}.lokalpack`,
    ]);
    const home = temporaryFolder();
    mkdirSync(join(home, '.site-killed'));
    await expect(lokalSite(home, {}, 'apply', file)).rejects.toThrow(/key that is not trusted/);
    withStoresOf(home, (stores) => stores.trust.insert({ publicKey: key, name: 'Head office', addedMs: 0 }));
    const before = records(home);
    const tried = await lokalSite(home, { trial: true }, 'apply', file);
    expect(tried).toMatchObject({
      signer: 'Head office',
      applied: false,
      difference: {
        settings: { max_queue: { from: 64, to: 7 }, signed_packs_only: { from: false, to: true } },
        signers: ['The publisher'],
        packs: [pack],
        rule_files: { added: 1, replaced: 0 },
        templates: { added: ['receipts'], replaced: [] },
        bindings: [{ role: 'svc-guard-max', task: null, from: null, to: pack }],
      },
    });
    expect(records(home)).toEqual(before);
    expect(readdirSync(home).filter((name) => name.startsWith('.site-'))).toEqual([]);

    await lokalSite(home, {}, 'apply', file);
    const after = records(home);
    expect(after).toMatchObject({
      rules: [{ name: 'secret.yml', text: rule('Secrets asked for') }],
      templates: [template],
      bound: pack,
      signers: ['Head office', 'The publisher'],
      packs: [pack],
    });
    expect(after.settings).toMatchObject({ max_queue: 7, signed_packs_only: true });
    // Of one machine alone.
    expect(after.settings).not.toHaveProperty('threads');
    const acts = withStoresOf(home, (stores) => stores.audit.lines().map(({ action }) => action));
    for (const act of [
      'site.apply',
      'pack.import',
      'settings.change',
      'trust.add',
      'rules.import',
      'template.save',
    ])
      expect(acts).toContain(act);
    expect(await lokalSite(home, { trial: true }, 'apply', file)).toMatchObject({
      difference: {
        settings: {},
        signers: [],
        packs: [],
        bindings: [],
        rule_files: { added: 0, replaced: 0 },
      },
    });
  });

  it('changes nothing when one part is wrong', { timeout: 300_000 }, async () => {
    const { file, key } = await exported('title: no rule at all\n');
    const home = temporaryFolder();
    withStoresOf(home, (stores) => stores.trust.insert({ publicKey: key, name: 'Head office', addedMs: 0 }));
    const before = records(home);
    await expect(lokalSite(home, {}, 'apply', file)).rejects.toThrow(
      /^Not applied: the rule file secret\.yml/,
    );
    expect(records(home)).toEqual(before);
    const bytes = readFileSync(file);
    bytes[bytes.length - 50_000]! ^= 1;
    writeFileSync(file, bytes);
    await expect(lokalSite(home, {}, 'apply', file)).rejects.toThrow(/^Not applied: .*(changed|missing)/);
    expect(records(home)).toEqual(before);
  });
});
