/** Commands that ask the running server: texts, files, state, settings, completion and manual. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../server/cli/commands.ts';
import { sampleFiles } from '../support/images/sample-files.ts';
import { startTestServer, type TestServer } from '../support/running-server.ts';

const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url));
const samplePdf = fileURLToPath(new URL('../../renderer/public/samples/invoice.pdf', import.meta.url));
let server: TestServer;
let home: string;

beforeAll(async () => {
  server = await startTestServer({
    prepare: async (folder) => {
      home = folder;
    },
  });
});
afterAll(() => server.close());

const run = (args: string[], piped = '') =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const env = { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' };
    const child = execFile(process.execPath, [cli, ...args], { env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
    child.stdin!.end(piped);
  });

describe('lokal', { timeout: 120_000 }, () => {
  it('answers a question, streamed and as JSON, with what is piped in', async () => {
    const asked = ['chat', 'What can you do?', '--temperature', '0', '--max-tokens', '12'];
    const { code, out } = await run(asked);
    expect([code, out.trim()]).toEqual([0, expect.stringMatching(/\w/)]);
    const whole = JSON.parse((await run([...asked, '--json'])).out);
    expect(whole.choices[0].message.content.trim()).toBe(out.trim());
    const piped = JSON.parse((await run([...asked, '--json'], 'A longer text to read first.')).out);
    expect(piped.usage.prompt_tokens).toBeGreaterThan(whole.usage.prompt_tokens);
  });

  it('embeds each line, moderates and analyzes what is piped in', async () => {
    const vectors = (await run(['embed', '--task', 'query'], 'one\ntwo\n')).out.trim().split('\n');
    expect(vectors.map((line) => JSON.parse(line).length)).toEqual([1024, 1024]);
    const calm = await run(['moderate', 'a plain sentence']);
    expect([calm.code, calm.out]).toEqual([0, expect.stringMatching(/^Not flagged/)]);
    const flagged = await run(['moderate', '--json'], 'My MyKad is 900101-14-5678');
    expect([flagged.code, JSON.parse(flagged.out).results[0].flagged]).toEqual([1, true]);
    const attack = 'GET /index.php?id=1%27%20UNION%20SELECT%20password%20FROM%20users-- HTTP/1.1';
    for (const operands of [[], ['-']])
      expect(await run(['threat', ...operands], attack)).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^(high|critical)/),
      });
    expect(await run(['threat'], 'The server was restarted at noon.')).toMatchObject({ code: 0 });
    expect(await run(['moderate'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('TEXT is missing'),
    });
  });

  it('analyzes a log of any length, and prints what is worth following up', async () => {
    const visit = (address: string, path: string) =>
      `${address} - - [12/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 512 "-" "Mozilla/5.0 Firefox/120.0"\n`;
    const calm = Array.from({ length: 800 }, (_, at) => visit(`81.2.${at % 200}.9`, '/about')).join('');
    const quiet = await run(['threat'], calm);
    expect(quiet).toMatchObject({ code: 0, err: '' });
    expect(quiet.out).toMatch(
      /^informational.*\n800 lines read in 3 parts\. No known .*\n {2}200 indicators with --json\n/,
    );
    const attack = visit('45.155.205.233', '/index.php?id=1%27%20UNION%20SELECT%20password%20FROM%20users--');
    const { code, out } = await run(['threat', '-'], calm + attack + calm);
    expect(code).toBe(1);
    expect(out).toMatch(/\n1601 lines read in \d parts\. \d+ findings?; .* at line 801\b/);
    expect(out).toMatch(/\n {2}(high|critical) +line 801 +SQL injection/);
    expect(out).toMatch(/\n {2}ip +45\.155\.205\.233\n/);
    const whole = JSON.parse((await run(['threat', '--json'], calm + attack + calm)).out).results[0];
    expect(whole.indicators.length).toBeGreaterThan(200);
    expect(whole.findings[0].lines).toMatchObject([{ line: 801 }]);
    expect(await run(['threat'], ' \n')).toMatchObject({
      code: 2,
      err: expect.stringContaining('TEXT is missing'),
    });
  });

  it('answers a file of requests, and says what was refused', async () => {
    const line = (id: string, body: object) =>
      JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/embeddings', body });
    const path = join(home, 'lines.jsonl');
    writeFileSync(path, [line('a', { model: 'svc-embed-base', input: 'a' }), line('b', {})].join('\n'));
    const { code, out, err } = await run(['batch', 'run', path]);
    expect([code, JSON.parse(out).custom_id]).toEqual([1, 'a']);
    expect(JSON.parse(err)).toMatchObject({ custom_id: 'b', response: { status_code: 400 } });
    expect((await run(['batch', 'list'])).out).toMatch(
      /\nbatch_\w+ +\/v1\/embeddings +completed +2 of 2 +Command line\n$/,
    );
    const [{ id }] = JSON.parse((await run(['batch', 'list', '--json'])).out);
    expect(await run(['batch', 'output', id])).toEqual({ code, out, err });
    const later = join(home, 'later.jsonl');
    await run(['batch', 'output', id, '--output', later]);
    expect(readFileSync(later, 'utf8')).toBe(out);
    expect(await run(['batch', 'output', 'batch_none'])).toMatchObject({ code: 1, out: '' });
  });

  it('refuses a template that is not there before the first file', async () => {
    const to = join(home, 'answers');
    for (const [command, template] of [
      ['watch', 'foo'],
      ['watch', 'custom:foo'],
      ['redact', 'custom:foo'],
    ] as const)
      expect(await run([command, home, '--out', to, '--template', template])).toMatchObject({
        code: 2,
        err: expect.stringMatching(/template/),
      });
    expect(existsSync(to)).toBe(false);
  });

  it('lists and ends batches of other keys', async () => {
    const [, secret = ''] = /(sk-\S+)/.exec((await run(['keys', 'create', 'anna'])).out) ?? [];
    const headers = { authorization: `Bearer ${secret}` };
    const form = new FormData();
    form.set('purpose', 'batch');
    const body = { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'Tell me a story.' }] };
    const line = (id: number) =>
      JSON.stringify({ custom_id: `${id}`, method: 'POST', url: '/v1/chat/completions', body });
    const lines = Array.from({ length: 500 }, (_, id) => line(id));
    form.set('file', new Blob([lines.join('\n')]), 'many.jsonl');
    const file = await (
      await fetch(`${server.url}/v1/files`, { method: 'POST', headers, body: form })
    ).json();
    const begun = await fetch(`${server.url}/v1/batches`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        input_file_id: file.id,
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
      }),
    });
    const { id } = await begun.json();
    const own = JSON.parse((await run(['batch', 'list', '--json'])).out).find(
      (each: { id: string }) => each.id === id,
    );
    expect(own).toMatchObject({ key_name: 'anna' });
    expect((await run(['batch', 'cancel', id])).out).toMatch(new RegExp(`^${id} cancell(ing|ed)\n$`));
    const unknown = await run(['batch', 'cancel', 'batch_none']);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('no such batch')]);
  });

  it('finds the paragraph of a file', async () => {
    const file = join(home, 'notes.txt');
    writeFileSync(file, 'Rain fell in Sabah\nall day.\n\nPassports are renewed\nat the UTC.\n');
    const { out } = await run(['search', 'renew my passport', file, '--top', '1', '--json']);
    expect(JSON.parse(out).results).toMatchObject([{ line: 4, text: 'Passports are renewed at the UTC.' }]);
    const twice = JSON.parse((await run(['search', 'renew my passport', file, file, '--json'])).out);
    expect(twice.results).toHaveLength(2);
    const blank = join(home, 'blank.txt');
    writeFileSync(blank, ' \n');
    expect((await run(['search', 'passport', blank])).err).toContain('have no text');
    const program = join(home, 'program');
    writeFileSync(program, 'a\0\x01b');
    expect((await run(['search', 'passport', program])).err).toContain('program is neither a text');
    const damaged = join(home, 'damaged.pdf');
    writeFileSync(damaged, '%PDF-1.7');
    expect((await run(['search', 'passport', file, damaged])).err).toContain('damaged.pdf: ');
    const log = join(home, 'day.log');
    writeFileSync(
      log,
      'Rain fell in Sabah all day.\nThe bridge is closed.\nPassports are renewed at the UTC.\n',
    );
    const line = (await run(['search', 'renew my passport', log, '--top', '1'])).out;
    expect(line).toMatch(/day\.log:3 \(\S+\) {2}Passports are renewed at the UTC\.\n$/);
    const web = join(home, 'notes.html');
    writeFileSync(
      web,
      '<style>\np { color: red }\n</style>\n<p>Rain fell.</p>\n<p>Passports &amp; cards of caf&eacute;s are &#8220;<b>renewed</b>&#x201D;\nat the UTC.</p><p>Sun.</p>',
    );
    const seen = JSON.parse((await run(['search', 'renew my passport', web, '--json'])).out);
    expect(seen.results).toHaveLength(3);
    expect(seen.results[0]).toMatchObject({
      line: 5,
      text: 'Passports & cards of cafés are “renewed” at the UTC.',
    });
    writeFileSync(web, `<p>Rain &constructor; fell.</p>${'<!-- <a <script '.repeat(60_000)}`);
    const cut = JSON.parse((await run(['search', 'rain', web, '--json'])).out);
    expect(cut.results).toMatchObject([{ line: 1, text: 'Rain &constructor; fell.' }]);
    const page = (await run(['search', 'total due', samplePdf, log, '--top', '4'])).out;
    expect(page).toMatch(/^\S*invoice\.pdf:p1 \(\S+\) {2}/m);
    const missing = await run(['search', 'a', join(home, 'none.txt')]);
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('is not there') });
  });

  it('shows loaded packs, requests and usage, and unloads', async () => {
    const loaded = JSON.parse((await run(['ps', '--json'])).out).data.map(
      ({ pack }: { pack: string }) => pack,
    );
    expect(loaded).toContainEqual(expect.stringMatching(/^lingua-starter@/));
    expect((await run(['logs'])).out).toMatch(/200 {2}\d+ ms {2}POST \/v1\/rerank {2}Command line/);
    const { data } = JSON.parse((await run(['usage', '--json'])).out);
    expect(data).toContainEqual(
      expect.objectContaining({ key_name: 'Command line', model: 'svc-embed-base' }),
    );
    expect(JSON.parse((await run(['stop', '--json'])).out).stopped.toSorted()).toEqual(loaded.toSorted());
    expect((await run(['ps'])).out).toBe('No pack is loaded.\n');
  });

  it('reads and changes settings', async () => {
    expect((await run(['config', 'get', 'request_log_rows'])).out).toBe('10000\n');
    expect((await run(['config', 'set', 'request_log_rows', '500'])).out).toBe('request_log_rows is 500\n');
    expect((await run(['config', 'set', 'video_frames', 'scene_changes', '--json'])).out).toBe(
      '{"video_frames":"scene_changes"}\n',
    );
    expect((await run(['config', 'list'])).out).toMatch(
      /^request_log_rows 500\n {2}a whole number from 0 to 1000000\. Kept rows/m,
    );
    const part = '{"free":{"requests_per_minute":7}}';
    const { limits } = JSON.parse((await run(['config', 'set', 'limits', part, '--json'])).out);
    expect(limits.free).toMatchObject({ requests_per_minute: 7, concurrent: expect.any(Number) });
    expect(Object.keys(limits)).toContain('enterprise');
    const refusals = [
      ['threads', 'many', 'a whole number from 0 to'],
      ['mcp_folders', '/home/me', `a list in JSON, for instance '["one", "two"]'`],
      ['document_fields', 'both', 'one of rules, chat'],
      ['cors_origins', '["x"]', 'cors_origins.0 must match pattern'],
      ['guardrails', '[1]', 'guardrails.0 must be object'],
    ] as const;
    for (const [name, value, form] of refusals) {
      const { code, err } = await run(['config', 'set', name, value]);
      expect([code, err]).toEqual([1, expect.stringContaining(form)]);
      expect(err).not.toContain('{');
    }
    expect(await run(['config', 'get', 'constructor'])).toMatchObject({ code: 2 });
  });

  it('completes commands and options in the shells that are here', async () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const { code, out } = await run(['completion', shell]);
      expect(code).toBe(0);
      for (const name of Object.keys(commands)) expect(out).toContain(name);
      const file = join(home, `completion.${shell}`);
      writeFileSync(file, out);
      if (shell === 'bash') {
        const script = `. ${file}; COMP_WORDS=(lokal keys --sc); COMP_CWORD=2; _lokal; echo "\${COMPREPLY[@]}"`;
        expect(spawnSync('bash', ['-c', script]).stdout.toString()).toBe('--scope\n');
      }
    }
    expect(await run(['completion', 'tcsh'])).toMatchObject({ code: 2 });
  });

  it('speaks the Model Context Protocol on standard input and output', async () => {
    const lines = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'embed', arguments: { texts: ['a'] } } },
    ];
    const { out } = await run(['mcp'], lines.map((line) => JSON.stringify(line)).join('\n'));
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2]);
    expect(answers.find(({ id }) => id === 2).result.structuredContent.data).toHaveLength(1);
  });

  it('prints a manual page of every command', async () => {
    const { out } = await run(['man']);
    expect(out).toMatch(/^\.TH LOKAL 1/);
    expect(out).toMatch(/^[ -~\n]*$/);
    for (const name of Object.keys(commands)) expect(out).toContain(`.SS lokal ${name}`);
    expect(out.split('\n').filter((line) => /^\.(?!TH|SH|SS|TP|B |I |nf|fi)/.test(line))).toEqual([]);
  });

  it('reads a picture', async () => {
    const file = join(home, 'picture.png');
    const [picture] = await sampleFiles();
    writeFileSync(file, picture!);
    const { code, out } = await run(['image', file, '--json']);
    expect([code, JSON.parse(out).usage.images]).toEqual([0, 1]);
  });
});
