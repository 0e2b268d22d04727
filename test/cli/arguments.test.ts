/** What a person gets for arguments that are none: a line that helps, and nothing done. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/app/folder.ts';

const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url));

const samplePdf = fileURLToPath(new URL('../../renderer/public/samples/invoice.pdf', import.meta.url));

const run = (home: string, args: string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const env = { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' };
    execFile(process.execPath, [cli, ...args], { env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });

describe('arguments of lokal', () => {
  it.each([
    ['keys create Reporting job', '“job” is one word too many'],
    ['keys create n --class dead', '--class must be one of live, test'],
    ['keys create n --expires 3s', 'a span in minutes, hours or days (30m, 12h, 30d)'],
    ['keys create n --expires 1960-01-01', '--expires lies between the years 1970 and 9999'],
    ['keys create n --expires +010000-01-01', '--expires lies between the years 1970 and 9999'],
    ['keys create n --expires 30000d', '--expires is a span of at most ten years (3653d)'],
    ['keys create n --expires 99999999m', '--expires is a span of at most ten years (3653d)'],
    ['keys create n --expires 10000-01-01T00:00:00Z', '--expires is a'],
    ['keys change key_00', 'an option is missing that says the change'],
    ['keys change --plan free', 'ID is missing'],
    ['keys change key_00 --class test', '--class of a key cannot be changed'],
    ['keys change key_00 --expires 30000d', '--expires is a span of at most ten years (3653d)'],
    ['keys create n --scope chat,nothing', '--scope must be one of chat, images'],
    ['keys create n --cidr 10.0.0.0/8,foo', '--cidr is not an IP address or CIDR range'],
    ['keys rotate key_00 --overlap 1e300', '--overlap is a number of seconds'],
    ['keys constructor', '“constructor” is not list, create, change, rotate or revoke'],
    ['engines add x notaurl', '“notaurl” is no address'],
    ['packs list all', '“all” is one word too many'],
    ['rules toString', '“toString” is not list, import'],
    ['parse a.pdf b.pdf', '“b.pdf” is one word too many'],
    ['logs --last 0', '--last is a whole number from 1'],
    ['audit list --last 1e300', '--last is a whole number from 1'],
    ['config set files_days -5 more', '“more” is one word too many'],
    ['keys list xxmodel -5', '“xxmodel” is one word too many'],
    ['doctor now', '“now” is one word too many'],
    ['doctor --now', "Unknown option '--now'; lokal doctor --help says more"],
    ['serve 8080', '“8080” is one word too many'],
  ])('%s', async (args, words) => {
    const home = temporaryFolder();
    const { code, out, err } = await run(home, args.split(' '));
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(words);
    expect(err).toMatch(/^lokal: [^\n]+\n$/);
  });

  it.each([
    [['keys', 'rotate', 'key_00', '--overlap', ''], '--overlap is empty'],
    [['keys', 'create', 'n', '--cidr', ''], '--cidr is empty'],
    [['keys', 'create', 'n', '--cidr', '10.0.0.0/8,'], '--cidr has an empty item'],
    [['keys', 'create', 'n', '--scope', 'chat', '--scope='], '--scope is empty'],
    [['logs', '--last', ' '], '--last is empty'],
    [['anonymize', '', '--out', 'clean'], 'FILE is empty'],
    [['redact', 'a.pdf', '--out', 'clean', '--pii', ','], '--pii has an empty item'],
    [['threat', 'package.json'], 'package.json is a file; its text is piped in'],
    [['threat', 'package.json', 'README.md'], 'package.json is a file; its text is piped in'],
  ])('%j', async (args, words) => {
    const home = temporaryFolder();
    const { code, err } = await run(home, args);
    expect([code, err]).toEqual([2, expect.stringMatching(`^lokal: ${words}[^\n]+\n$`)]);
    expect(JSON.parse((await run(home, ['keys', 'list', '--json'])).out).data).toEqual([]);
  });

  it('say what a key may do by its plan, and take an overlap in seconds', async () => {
    const home = temporaryFolder();
    const { out } = await run(home, ['keys', 'create', '--help']);
    expect(out).toMatch(
      /^ {2}free +all models but svc-lingua-7b; no --cidr;\n +60 requests and 60,000 tokens/m,
    );
    expect(out).toMatch(/^ {2}enterprise +all models, and X-Service-Region;\n.* 32 at once$/m);
    const made = JSON.parse((await run(home, ['keys', 'create', 'n', '--json'])).out);
    const rotated = await run(home, ['keys', 'rotate', made.id, '--overlap', '5s']);
    expect(rotated.out).toContain('goes on working for 5 s');
  });

  it.each([
    [['parse', 'empty.pdf'], 'empty.pdf is empty.'],
    [['parse', 'missing.pdf'], 'missing.pdf is not there.'],
    [['parse', '.'], '. is a folder.'],
    [['serve', '--port', '0', '--tls-cert', 'empty.pdf', '--tls-key', 'empty.pdf'], 'not a certificate'],
  ])('name files that are not what they should be: %j', async (args, words) => {
    const home = temporaryFolder();
    const file = join(home, 'empty.pdf');
    writeFileSync(file, '');
    const { code, err } = await run(
      home,
      args.map((arg) => (arg === 'empty.pdf' ? file : arg)),
    );
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(err).toMatch(/^lokal: [^\n]+\n$/);
  });

  it.skipIf(process.platform === 'win32')(
    'name a place where nothing can be written',
    {
      timeout: 240_000,
    },
    async () => {
      const home = temporaryFolder();
      expect((await run(home, ['keys', 'create', 'n'])).code).toBe(0);
      const file = join(home, 'a-file');
      writeFileSync(file, 'text');
      const commands = [
        ['backup', join(file, 'x')],
        ['backup', '/proc/x'],
        ['parse', samplePdf, '--xlsx', join(file, 'x')],
        ...(process.platform === 'linux'
          ? [
              ['parse', samplePdf, '--xlsx', '/dev/full'],
              ['doctor', '--bundle', '/dev/full'],
            ]
          : []),
      ];
      for (const args of commands) {
        const { code, err } = await run(home, args);
        expect([args, code, err]).toEqual([args, 1, expect.stringMatching(/^lokal: [^\n]+\n$/)]);
      }
    },
  );

  it('leave doctor able to tell of a database that is none', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'lokal.db'), 'garbage');
    const { code, out } = await run(home, ['doctor', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      roles: [],
      missing: expect.arrayContaining([expect.objectContaining({ missing: 'a database that can be read' })]),
    });
  });

  it.each([
    ['serve --port -1', '--port must be 0 to 65535'],
    ['config set files_days -5', 'files_days cannot be -5'],
  ])('take negative numbers for values: %s', async (args, words) => {
    const { code, err } = await run(temporaryFolder(), args.split(' '));
    expect(code).toBe(1);
    expect(err).toContain(words);
  });

  it('keep the order of operands, negative ones too', async () => {
    const made = await run(temporaryFolder(), ['keys', 'create', '-5 degrees', '--json']);
    expect(JSON.parse(made.out).name).toBe('-5 degrees');
    const { err } = await run(temporaryFolder(), ['search', '-5', 'none.txt']);
    expect(err).toContain('none.txt is not there');
  });

  it('leave no key behind where they are wrong', async () => {
    const home = temporaryFolder();
    await run(home, ['keys', 'create', 'Reporting', 'job']);
    expect(JSON.parse((await run(home, ['keys', 'list', '--json'])).out).data).toEqual([]);
  });
});
