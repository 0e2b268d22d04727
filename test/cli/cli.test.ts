/** The command as a person runs it: processes of its own on data folders of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { hashFiles } from '../../server/engine/model-import/decoder-pack-files.ts';
import { temporaryFolder } from '../support/app/folder.ts';
import { writeBenchPack } from '../support/chat/bench-pack.ts';

const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(args: string[], home: string): ChildProcess {
  const env = { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

async function run(
  args: string[],
  home = temporaryFolder(),
): Promise<{ code: number | null; out: string; err: string }> {
  const child = start(args, home);
  let [out, err] = ['', ''];
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** A running server, its first line as JSON. */
async function serve(home: string, ...args: string[]) {
  const child = start(['serve', '--port', '0', '--json', ...args], home);
  let err = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (err += text));
  const first = once(createInterface({ input: child.stdout! }), 'line');
  const [line] = (await Promise.race([first, once(child, 'close')])) as [unknown];
  if (typeof line !== 'string') throw new Error(`it ended: ${err}`);
  const { url, port, base_url, console_url } = JSON.parse(line);
  const stop = async () => {
    child.kill('SIGTERM');
    return ((await once(child, 'close')) as [number])[0];
  };
  return { url, port, base_url, console_url, stop } as Record<'url' | 'base_url' | 'console_url', string> & {
    port: number;
    stop: () => Promise<number>;
  };
}

const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === '::1'),
);

const oneLine = /^lokal: [^\n]+\n$/;

describe('lokal', () => {
  it('helps, with every command', async () => {
    expect((await run(['--help'])).out).toContain('Usage: lokal COMMAND');
    for (const command of ['serve', 'console-url', 'keys', 'packs', 'rules', 'parse', 'doctor']) {
      const { code, out } = await run([command, '--help']);
      expect([code, out.startsWith(`Usage: lokal ${command}`)], command).toEqual([0, true]);
    }
  });

  it.each([
    [['nonsense']],
    [['serve', '--nonsense']],
    [['serve', '--port', '99999']],
    [['serve', '--host', '0.0.0.0']],
    [['serve', '--tls-cert', 'x']],
    [['keys']],
    [['keys', 'create']],
    [['keys', 'create', 'n', '--class', 'dead']],
    [['keys', 'create', 'n', '--expires', 'soon']],
    [['packs', 'bind', 'svc-nothing', 'x']],
    [['rules', 'import', '/no/such/folder']],
    [['rules', 'disable']],
    [['parse', '/no/such/file']],
    [['console-url']],
  ])('%j is one line and a failure', async (args) => {
    const { code, out, err } = await run(args);
    expect([out, code === 1 || code === 2]).toEqual(['', true]);
    expect(err).toMatch(oneLine);
  });
});

describe('lokal serve', () => {
  it('serves, says where, and stops with code 0', async () => {
    const server = await serve(temporaryFolder());
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(server.base_url).toBe(`${server.url}/v1`);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    if (hasIpv6) expect((await fetch(`http://[::1]:${server.port}/healthz`)).status).toBe(200);
    const token = new URL(server.console_url).hash.replace('#token=', '');
    const session = await fetch(`${server.url}/console/session`, {
      method: 'POST',
      body: JSON.stringify({ token }),
      headers: { 'content-type': 'application/json' },
    });
    expect(session.status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  it('refuses a second instance, whose folder goes on being served', async () => {
    const home = temporaryFolder();
    const server = await serve(home);
    const second = await run(['serve', '--port', '0'], home);
    expect([second.code, second.err]).toEqual([
      1,
      `lokal: Lokal is already running on the data folder ${home}.\n`,
    ]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await server.stop();
  });

  it('refuses a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const { code, err } = await run(['serve', '--port', String(port)]);
    taken.close();
    expect(code).toBe(1);
    expect(err).toMatch(oneLine);
    expect(err).toContain(`Port ${port} is in use`);
  });

  it('refuses a folder that is none, and a database that is none', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect((await run(['serve', '--port', '0'], file)).err).toMatch(
      /^lokal: The data folder .* is not a folder[^\n]*\n$/,
    );
    const home = temporaryFolder();
    writeFileSync(join(home, 'lokal.db'), 'no database at all '.repeat(200));
    const broken = await run(['serve', '--port', '0'], home);
    expect(broken.code).toBe(1);
    expect(broken.err).toMatch(/^lokal: The database .* cannot be read: it is not a database[^\n]*\n$/);
  });

  it.skipIf(process.getuid?.() === 0)('refuses a folder that cannot be written (not as root)', async () => {
    const home = join(temporaryFolder(), 'closed');
    mkdirSync(home);
    chmodSync(home, 0o500);
    expect((await run(['serve', '--port', '0'], home)).err).toMatch(
      /^lokal: The data folder .* cannot be written[^\n]*\n$/,
    );
  });

  it('takes in a bootstrap key', async () => {
    const { secret } = JSON.parse((await run(['keys', 'create', 'x', '--json'])).out);
    const home = temporaryFolder();
    process.env.LOKAL_BOOTSTRAP_KEY = secret;
    try {
      const server = await serve(home);
      const answer = await fetch(`${server.base_url}/models`, {
        headers: { authorization: `Bearer ${secret}` },
      });
      expect(answer.status).toBe(200);
      await server.stop();
    } finally {
      delete process.env.LOKAL_BOOTSTRAP_KEY;
    }
  });
});

describe('lokal keys', () => {
  it('makes a professional key unless told otherwise, and says which models it may use', async () => {
    const home = temporaryFolder();
    const made = await run(['keys', 'create', 'n'], home);
    expect(made.out).toContain('It may use svc-lingua-7b, svc-vision-pro,');
    const narrow = await run(['keys', 'create', 'n', '--plan', 'free', '--scope', 'chat'], home);
    expect(narrow.out).toContain('It may use no model.');
    const none = await run(['keys', 'create', 'n', '--plan', 'free', '--model', 'svc-lingua-7b'], home);
    expect(none).toMatchObject({ code: 2, out: '' });
    expect(none.err).toContain('--model: the plan free has none of them; it allows svc-vision-pro, ');
    await run(['keys', 'create', '名前', '--cidr', '10.0.0.0/8', '--expires', '2126-01-01'], home);
    const [head = '', ...rows] = (await run(['keys', 'list'], home)).out.trimEnd().split('\n');
    expect(head).toMatch(/EXPIRES +SECRET .* ONLY FROM$/);
    expect(rows.at(-1)).toMatch(/ 2126-01-01T00:00:00Z .* never +chat, .+ of its plan +10\.0\.0\.0\/8$/);
    const { data } = JSON.parse((await run(['keys', 'list', '--json'], home)).out);
    expect(data.map(({ plan }: { plan: string }) => plan)).toEqual(['professional', 'free', 'professional']);
  });

  it('work beside the running server, at once', async () => {
    const home = temporaryFolder();
    const server = await serve(home);
    const created = await run(['keys', 'create', 'From the shell', '--plan', 'enterprise', '--json'], home);
    const key = JSON.parse(created.out);
    const models = () =>
      fetch(`${server.base_url}/models`, { headers: { authorization: `Bearer ${key.secret}` } });
    expect((await models()).status).toBe(200);
    expect((await run(['keys', 'list'], home)).out).toContain('From the shell');
    const rotated = JSON.parse(
      (await run(['keys', 'rotate', key.id, '--overlap', '60', '--json'], home)).out,
    );
    expect(rotated.replaces).toBe(key.id);
    expect((await models()).status).toBe(200);
    expect((await run(['keys', 'revoke', key.id], home)).out).toContain('is revoked');
    expect((await models()).status).toBe(401);
    expect((await run(['keys', 'revoke', 'key_0'], home)).err).toBe(
      'lokal: There is no such key. (not_found)\n',
    );
    const link = await run(['console-url', '--json'], home);
    expect(JSON.parse(link.out).console_url).toMatch(new RegExp(`^${server.url}/#token=[\\w-]{43}$`));
    await server.stop();
  });

  it('take all options', async () => {
    const home = temporaryFolder();
    const options = [
      '--class',
      'test',
      '--plan',
      'professional',
      '--scope',
      'chat,models',
      '--scope',
      'keys',
      '--model',
      'svc-lingua-7b',
      '--cidr',
      '10.1.1.1/8',
      '--expires',
      '30d',
    ];
    const key = JSON.parse((await run(['keys', 'create', 'n', ...options, '--json'], home)).out);
    expect(key).toMatchObject({
      class: 'test',
      plan: 'professional',
      scopes: ['chat', 'models', 'keys'],
      models: ['svc-lingua-7b'],
      allowed_cidrs: ['10.0.0.0/8'],
    });
    expect(key.expires - key.created).toBe(30 * 86_400);
    expect((await run(['keys', 'rotate', key.id, '--overlap', '1h'], home)).out).toContain('for 3600 s');
  });

  it('change a key, keep the rest, and take limits away', { timeout: 240_000 }, async () => {
    const home = temporaryFolder();
    const made = JSON.parse((await run(['keys', 'create', 'n', '--expires', '30d', '--json'], home)).out);
    const change = async (...options: string[]) => {
      const { code, out, err } = await run(['keys', 'change', made.id, ...options, '--json'], home);
      return code === 0 ? JSON.parse(out) : err;
    };
    const options = [
      '--name',
      'Reports',
      '--scope',
      'chat',
      '--model',
      'svc-lingua-7b',
      '--cidr',
      '10.0.0.0/8',
    ];
    const changed = await change(...options);
    expect(changed).toEqual({
      ...made,
      secret: undefined,
      name: 'Reports',
      scopes: ['chat'],
      models: ['svc-lingua-7b'],
      allowed_cidrs: ['10.0.0.0/8'],
    });
    const bounded = await change('--expires', '3653d');
    expect(bounded.expires).toBeGreaterThan(made.expires);
    expect(await change('--plan', 'free')).toContain('An IP allowlist needs');
    const open = await change(
      '--plan',
      'enterprise',
      '--model',
      'all',
      '--cidr',
      'any',
      '--expires',
      'never',
    );
    expect(open).toMatchObject({ plan: 'enterprise', models: null, allowed_cidrs: [], expires: null });
    expect((await run(['keys', 'change', made.id, '--name', 'n'], home)).out).toContain(
      '(n) is changed. It may use',
    );
    expect((await run(['keys', 'change', 'key_0', '--plan', 'free'], home)).err).toContain('no such key');
  });
});

describe('lokal packs and doctor', () => {
  it('show what is there', async () => {
    const home = temporaryFolder();
    const packs = JSON.parse((await run(['packs', 'list', '--json'], home)).out);
    expect(packs.roles).toHaveLength(6);
    const doctor = JSON.parse((await run(['doctor', '--json'], home)).out);
    expect(doctor.data_folder).toMatchObject({ path: home, writable: true });
    expect(doctor.versions.node).toBe(process.versions.node);
    expect(doctor.roles).toHaveLength(6);
    expect(doctor.install_key).toBe('made at the first start');
  });

  it('ends with code 1 where something is missing', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'lokal.db'), 'no database');
    const { code, out } = await run(['doctor'], home);
    expect(out).toContain('Missing: a database that can be read');
    expect(code).toBe(1);
  });

  it('write one file for support, readable by its owner alone', async () => {
    const home = temporaryFolder();
    const file = join(temporaryFolder(), 'bundle.json');
    const { out } = await run(['doctor', '--bundle', file], home);
    expect(out).toMatch(/nothing was sent/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const bundle = JSON.parse(readFileSync(file, 'utf8'));
    expect(bundle).toMatchObject({
      doctor: { versions: { node: process.versions.node } },
      settings: { max_queue: 64 },
      failures: [],
      server: null,
    });
  });

  it('bind and leave empty', async () => {
    const home = temporaryFolder();
    const { packs } = JSON.parse((await run(['packs', 'list', '--json'], home)).out);
    const pack = packs.find((each: { roles: string[] }) => each.roles.includes('svc-parse-pro'));
    const bind = async (name: string) =>
      JSON.parse((await run(['packs', 'bind', 'svc-parse-pro', name, '--json'], home)).out);
    expect(await bind('none')).toEqual({ role: 'svc-parse-pro', pack: null });
    expect(await bind(pack.id)).toEqual({ role: 'svc-parse-pro', pack: pack.ref });
    expect((await run(['packs', 'remove', pack.ref], home)).err).toMatch(oneLine);
  });

  it('bind a pack for one task of images alone', async () => {
    const home = temporaryFolder();
    const bind = (...rest: string[]) => run(['packs', 'bind', 'svc-vision-pro', ...rest, '--json'], home);
    const chosen = JSON.parse((await bind('vision-starter', '--task', 'objects')).out);
    expect(chosen).toEqual({
      role: 'svc-vision-pro',
      task: 'objects',
      pack: expect.stringMatching(/^vision-starter@/),
    });
    expect((await run(['packs', 'list'], home)).out).toMatch(/^ {2}objects +vision-starter@/m);
    expect(JSON.parse((await bind('none', '--task', 'objects')).out).pack).toBeNull();
    expect((await bind('vision-starter', '--task', 'singing')).err).toMatch(/caption, objects, scene_graph/);
    const other = await run(['packs', 'bind', 'svc-parse-pro', 'parse-rules', '--task', 'objects'], home);
    expect(other.err).toMatch(oneLine);
  });

  it('import a chat model with an int8 KV cache, and remove it from its role', async () => {
    const [home, root] = [temporaryFolder(), temporaryFolder()];
    const tiny = { hidden: 128, layers: 1, heads: 4, kvHeads: 2, ffn: 256, vocab: 512, context: 128 };
    const { folder, manifest } = await writeBenchPack(join(root, 'tiny'), { size: tiny, preset: 'speed' });
    const files = await hashFiles(folder);
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, files }));
    const pack = JSON.parse((await run(['packs', 'import', folder, '--small-cache', '--json'], home)).out);
    const { packs } = JSON.parse((await run(['packs', 'list', '--json'], home)).out);
    const found = packs.find((each: { ref: string }) => each.ref === pack.ref);
    expect(found.chat_options).toMatchObject({ int8_kv_cache: true, speculate: true });
    await run(['packs', 'bind', 'svc-lingua-7b', pack.ref], home);
    const removed = await run(['packs', 'remove', pack.ref], home);
    expect(removed.out).toMatch(/is removed\.\nsvc-lingua-7b is served by lingua-starter@\S+ again\.\n$/);
  });
});

describe('lokal rules', () => {
  // Seven processes, each of which reads the pack's rules.
  it('keeps imports and switches for the processes that follow', async () => {
    const [home, folder] = [temporaryFolder(), temporaryFolder()];
    const rule =
      'title: Mine\nid: mine\nlogsource: {product: linux}\ndetection: {s: [x], condition: s}\nlevel: low';
    writeFileSync(join(folder, 'mine.yml'), rule);
    writeFileSync(join(folder, 'other.yml'), 'title: no rule');
    const imported = JSON.parse((await run(['rules', 'import', folder, '--json'], home)).out);
    expect(imported).toMatchObject({ files: 1, rules: 1, errors: [{ file: 'other.yml' }] });
    expect((await run(['rules', 'import', join(folder, 'other.yml')], home)).code).toBe(1);
    expect((await run(['rules', 'disable', 'mine'], home)).code).toBe(0);
    expect((await run(['rules', 'list'], home)).out).toMatch(/^mine +off +low +imported +Mine$/m);
    expect((await run(['rules', 'enable', 'nothing'], home)).err).toMatch(oneLine);
    expect((await run(['rules', 'clear'], home)).code).toBe(0);
    expect((await run(['rules', 'list'], home)).out).not.toContain('Mine');
  }, 180_000);
});
