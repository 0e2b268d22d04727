/** The person's Sigma rules: kept, handed to the engine, and known after another process changed them. */
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { Rule, RuleImport } from '../../../server/api/console/rules.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { createStores } from '../../../server/db/stores.ts';
import { readRuleArchive } from '../../../server/services/console/rule-archive.ts';
import { createRuleService, readUserRules } from '../../../server/services/console/rules.ts';
import { temporaryFolder } from '../../support/app/folder.ts';
import { codeOf, openTestApp, send, type TestApp } from '../../support/app/test-app.ts';
import { fakeEngines } from '../../support/fake-engines.ts';
import { openThreatEngine } from '../../support/threat-engine.ts';

const yaml = (id: string) =>
  `title: Rule ${id}\nid: ${id}\nauthor: Aisyah\nlogsource: {product: linux}\ndetection: {s: [x], condition: s}\nlevel: low\ntags: [attack.t1059]`;

/** The real engine behind the fake process boundary. */
const open = async (): Promise<TestApp> =>
  openTestApp({ methods: { threat: (await openThreatEngine()).methods } });
const ask = (test: TestApp, path: string, sent: { method?: 'DELETE' | 'POST'; body?: object } = {}) =>
  send(test, path, null, { ...sent, headers: test.session() });
const listed = async (test: TestApp): Promise<Rule[]> => (await ask(test, '/console/rules')).json().data;
const upload = async (test: TestApp, body: object): Promise<RuleImport> =>
  (await ask(test, '/console/rules/import', { body })).json();
const zip = (entries: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(entries).map(([name, data]) => [name, typeof data === 'string' ? strToU8(data) : data]),
    ),
  );

describe('/console/rules', () => {
  it('lists our own, imports files, names what is wrong with others, and clears', async () => {
    const test = await open();
    const own = await listed(test);
    expect(own.length).toBeGreaterThan(60);
    expect(own.every(({ origin, enabled }) => origin === 'built-in' && enabled)).toBe(true);
    const result = await upload(test, {
      files: [
        { name: 'a.yml', text: yaml('a') },
        { name: 'b.yml', text: 'title: no rule' },
      ],
    });
    expect(result).toMatchObject({ files: 1, rules: 1, errors: [{ file: 'b.yml' }] });
    expect((await listed(test)).find(({ id }) => id === 'a')).toEqual({
      id: 'a',
      title: 'Rule a',
      level: 'low',
      techniques: ['T1059'],
      author: 'Aisyah',
      origin: 'imported',
      file: 'a.yml',
      enabled: true,
    });
    expect(readUserRules(test.stores).files).toEqual([{ name: 'a.yml', text: yaml('a') }]);
    expect((await ask(test, '/console/rules', { method: 'DELETE' })).json()).toEqual({ ok: true });
    expect(await listed(test)).toEqual(own);
    expect(readUserRules(test.stores).files).toEqual([]);
  });

  it('takes the clearing back once, and keeps what was imported since', async () => {
    const test = await open();
    const restore = () => ask(test, '/console/rules/restore', { method: 'POST' });
    expect(codeOf(await restore())).toBe('not_found');
    await upload(test, {
      files: [
        { name: 'a.yml', text: yaml('a') },
        { name: 'b.yml', text: yaml('b') },
      ],
    });
    await ask(test, '/console/rules', { method: 'DELETE' });
    await upload(test, { files: [{ name: 'a.yml', text: yaml('newer') }] });
    expect((await restore()).json()).toEqual({ ok: true });
    const imported = (await listed(test)).filter(({ origin }) => origin === 'imported');
    expect(imported.map(({ id }) => id).toSorted()).toEqual(['b', 'newer']);
    expect(codeOf(await restore())).toBe('not_found');
  });

  it('switches rules off and on, and keeps it', async () => {
    const test = await open();
    const [first] = await listed(test);
    const body = { ids: [first!.id], enabled: false };
    expect((await ask(test, '/console/rules/switch', { body })).statusCode).toBe(200);
    expect((await listed(test))[0]).toMatchObject({ id: first!.id, enabled: false });
    expect(readUserRules(test.stores).disabled).toEqual([first!.id]);
    await ask(test, '/console/rules/switch', { body: { ...body, enabled: true } });
    expect((await listed(test))[0]!.enabled).toBe(true);
    expect(readUserRules(test.stores).disabled).toEqual([]);
    const unknown = await ask(test, '/console/rules/switch', { body: { ids: ['none'], enabled: false } });
    expect(codeOf(unknown)).toBe('not_found');
  });

  it('reads a zip, and of it the YAML alone', async () => {
    const test = await open();
    const bytes = zip({ 'README.md': '# x', 'rules/a.yml': yaml('a'), 'rules/b.yaml': yaml('b') });
    const archive = Buffer.from(bytes).toString('base64');
    expect(await upload(test, { archive })).toEqual({ files: 2, rules: 2, errors: [] });
    expect(readUserRules(test.stores).files.map(({ name }) => name)).toEqual(['rules/a.yml', 'rules/b.yaml']);
    const empty = Buffer.from(zip({ 'README.md': '# x' })).toString('base64');
    for (const body of [{}, { archive: empty }, { archive: 'AAAA' }]) {
      expect(codeOf(await ask(test, '/console/rules/import', { body }))).toBe('invalid_value');
    }
  });

  it('hears of what another process changed', async () => {
    const test = await open();
    await listed(test);
    const elsewhere = createStores(openDatabase(test.file));
    elsewhere.ruleFiles.add([{ name: 'a.yml', text: yaml('a') }]);
    elsewhere.rulesOff.set(['a'], true);
    expect((await listed(test)).find(({ id }) => id === 'a')).toMatchObject({ enabled: false });
    elsewhere.ruleFiles.clear();
    expect((await listed(test)).some(({ id }) => id === 'a')).toBe(false);
  });

  it('clears without an engine', async () => {
    const stores = createStores(openDatabase(join(temporaryFolder(), 'lokal.db')));
    stores.ruleFiles.add([{ name: 'a.yml', text: yaml('a') }]);
    const service = createRuleService({
      engines: { ...fakeEngines(), served: () => null },
      stores,
      audit: openTestApp().services.audit,
    });
    await service.clear();
    expect(readUserRules(stores).files).toEqual([]);
  });

  it('keeps nothing that the engine did not take', async () => {
    const stores = createStores(openDatabase(join(temporaryFolder(), 'lokal.db')));
    const engines = fakeEngines({
      threat: { importRules: () => Promise.reject(new Error('it crashed')) },
    });
    const service = createRuleService({ engines, stores, audit: openTestApp().services.audit });
    const { signal } = new AbortController();
    await expect(service.import([{ name: 'a.yml', text: yaml('a') }], signal)).rejects.toThrow('it crashed');
    expect(readUserRules(stores).files).toEqual([]);
    const many = Array.from({ length: 20_001 }, (_, n) => ({ name: `${n}.yml`, text: '' }));
    await expect(service.import(many, signal)).rejects.toMatchObject({ code: 'too_many_inputs' });
  });
});

describe('a zip of rules', () => {
  const bomb = new Uint8Array(40 * 1024 * 1024);

  it('is not inflated where an entry declares too much', async () => {
    const { files, errors } = await readRuleArchive(zip({ 'bomb.yml': bomb, 'a.yml': yaml('a') }));
    expect(files.map(({ name }) => name)).toEqual(['a.yml']);
    expect(errors).toEqual([{ file: 'bomb.yml', message: 'the file is larger than 512 KiB' }]);
  });

  it('ends where an entry is more than it declares', async () => {
    const bytes = zip({ 'bomb.yml': bomb });
    // The uncompressed size in the local header (APPNOTE 4.3.7).
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(22, 100, true);
    await expect(readRuleArchive(bytes)).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  it('ends where all entries together are too much', async () => {
    const entry = new Uint8Array(512 * 1024);
    const names = Array.from({ length: 129 }, (_, n) => [`${n}.yml`, entry] as const);
    await expect(readRuleArchive(zip(Object.fromEntries(names)))).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });

  it('is refused when damaged, and entries that are no text are named', async () => {
    const whole = zip({ 'a.yml': yaml('a') });
    whole.fill(0xff, 40, 60);
    await expect(readRuleArchive(whole)).rejects.toMatchObject({ code: 'invalid_value' });
    const { errors } = await readRuleArchive(zip({ 'a.yml': new Uint8Array([0xff, 0xfe]) }));
    expect(errors).toEqual([{ file: 'a.yml', message: 'the file is not UTF-8 text' }]);
  });
});
