/** Work on folders while the server ends and begins anew: nothing fails for it, and a run that is to end does not wait for ever. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { throughRestarts } from '../../../server/cli/folders/through-restarts.ts';
import { ServerAwayError } from '../../../server/cli/server/pinned-fetch.ts';
import { temporaryFolder } from '../../support/app/folder.ts';

describe('work that the server’s end interrupts', () => {
  const away = () => Promise.reject(new ServerAwayError());
  const waitFor = (back: boolean[], patienceMs?: number) => {
    const said: string[] = [];
    const stop = new AbortController();
    const rejoin = () => Promise.resolve(back.shift() ?? false);
    const say = (line: string) => said.push(line);
    const wait = { api: { rejoin }, stop, pollMs: 1, say, ...(patienceMs !== undefined && { patienceMs }) };
    return { said, stop, steadily: throughRestarts(wait) };
  };

  it('is done anew once a server is back, which is said once', async () => {
    const { said, steadily } = waitFor([false, false, true]);
    const work = vi.fn(async () => 'done').mockImplementationOnce(away);
    expect(await steadily(work)).toBe('done');
    expect(said).toEqual([expect.stringContaining('is away'), expect.stringContaining('is back')]);
  });

  it('fails by itself, and where the server ended at it again and again', async () => {
    const { said, steadily } = waitFor([true, true, true, true, true]);
    await expect(steadily(() => Promise.reject(new Error('no good')))).rejects.toThrow('no good');
    expect(said).toEqual([]);
    await expect(steadily(away)).rejects.toThrow('the server ended each of 5 times');
  });

  it('stops with the run where nobody comes back, or by the person', async () => {
    const { stop, steadily } = waitFor([], 0);
    await expect(steadily(away)).rejects.toThrow('goes on from there');
    expect(stop.signal.aborted).toBe(true);
    const other = waitFor([]);
    const waiting = other.steadily(away);
    other.stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow();
  });
});

describe('a server that was killed', { timeout: 240_000 }, () => {
  const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url));
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  const home = temporaryFolder();
  const env = { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' };
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    return child;
  };
  const serve = async () => {
    const child = start('serve', '--port', '0', '--json');
    await once(createInterface({ input: child.stdout! }), 'line');
    return child;
  };
  const kill = async (child: ChildProcess) => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const lokal = (...args: string[]) =>
    new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
      execFile(process.execPath, [cli, ...args], { env }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, out, err }),
      );
    });
  const seen = (check: () => boolean) =>
    vi.waitFor(() => expect(check()).toBe(true), { timeout: 90_000, interval: 200 });

  it('is waited for by a watch, which goes on with the next one; its address is no link', async () => {
    const [from, out] = [join(home, 'in'), join(home, 'out')];
    mkdirSync(from);
    const first = await serve();
    const watch = start('watch', from, '--out', out);
    let said = '';
    watch.stderr!.on('data', (text) => {
      said += text;
    });
    writeFileSync(join(from, 'a.txt'), 'Invoice 1\nTotal: RM 10.00\n');
    await seen(() => existsSync(join(out, 'a.txt.json')));
    await kill(first);
    expect(await lokal('console-url')).toEqual(await lokal('ps'));
    writeFileSync(join(from, 'b.txt'), 'Invoice 2\nTotal: RM 20.00\n');
    await seen(() => said.includes('The server is away'));
    const second = await serve();
    expect((await lokal('console-url')).out).toContain('/#token=');
    await seen(() => existsSync(join(out, 'b.txt.json')));
    expect(existsSync(join(out, 'errors'))).toBe(false);
    expect(said).not.toContain('failed');
    watch.kill('SIGTERM');
    expect(await once(watch, 'exit')).toEqual([0, null]);
    const body = { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'Tell me a story.' }] };
    const line = (id: number) =>
      JSON.stringify({ custom_id: `${id}`, method: 'POST', url: '/v1/chat/completions', body });
    writeFileSync(join(home, 'b.jsonl'), Array.from({ length: 300 }, (_, id) => line(id)).join('\n'));
    const batch = lokal('batch', 'run', join(home, 'b.jsonl'));
    await vi.waitFor(async () => expect((await lokal('batch', 'list')).out).toContain('of 300'), {
      timeout: 60_000,
    });
    await kill(second);
    expect(await batch).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^lokal: The server ended.*`lokal batch output batch_\w+` then.*\n$/),
    });
  });
});
