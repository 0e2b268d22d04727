/** The file of remote engines for unattended sites: read at start, tried by itself, changed there alone. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EngineList } from '../../server/api/console/engines.ts';
import { readConfig } from '../../server/config.ts';
import { readEnginesFile } from '../../server/engines/engines-file.ts';
import { startServer } from '../../server/main.ts';
import { startScriptedEngine } from '../support/engines/scripted-engine.ts';
import { openSession } from '../support/running-server.ts';

const secret = 'sk-their-own-secret-0003';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lokal-engines-file-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeFile(content: unknown): string {
  const path = join(folder, 'engines.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const engine = { name: 'gpu-cluster-a-1', kind: 'openai', base_url: 'http://127.0.0.1:9' };

describe('the file of engines', () => {
  it('is read with its secrets and certificates from files beside it', () => {
    writeFileSync(join(folder, 'key.txt'), `${secret}\nmore`);
    const path = writeFile({ engines: [{ ...engine, secret_file: 'key.txt', region: 'my' }] });
    expect(readEnginesFile(path)).toEqual({ engines: [{ ...engine, secret, region: 'my' }], routes: [] });
  });

  it.each([
    ['{', 'is not JSON'],
    [{ engines: [{ ...engine, secret: 'inline' }] }, 'engines/0'],
    [{ engines: [{ ...engine, weight: 0 }] }, 'engines/0/weight'],
    [{ engines: [engine, engine] }, 'is there twice'],
    [{ engines: [{ ...engine, name: 'local' }] }, 'is taken'],
    [{ engines: [{ ...engine, base_url: 'http://gpu.example' }] }, 'plain http'],
    [{ engines: [{ ...engine, secret_file: 'none.txt' }] }, 'secret_file of gpu-cluster-a-1'],
    [
      { engines: [engine], routes: [{ role: 'svc-lingua-7b', targets: ['local', 'no'] }] },
      'routes/0/targets/1',
    ],
    [
      {
        engines: [engine],
        routes: [
          { role: 'svc-lingua-7b', targets: [] },
          { role: 'svc-lingua-7b', targets: ['local'] },
        ],
      },
      'has a route already',
    ],
    [{ engines: [], routes: [{ role: 'nobody', targets: [] }] }, 'routes/0/role'],
  ])('is refused by name: %j', (content, message) => {
    expect(() => readEnginesFile(writeFile(content))).toThrow(message);
  });

  it('serves from the start, is tried by itself, and is not changed in the console', async () => {
    const there = await startScriptedEngine({ secret });
    writeFileSync(join(folder, 'key.txt'), secret);
    const models = [{ role: 'svc-lingua-7b', model: 'tiny' }];
    const one = { ...engine, base_url: there.url, models, secret_file: 'key.txt' };
    const targets = ['gpu-cluster-a-2', 'local'];
    const routes = [{ role: 'svc-lingua-7b', targets }];
    const path = writeFile({ engines: [one, { ...one, name: 'gpu-cluster-a-2' }], routes });
    const home = join(folder, 'home');
    const env = { ...process.env, LOKAL_HOME: home, LOKAL_LOG: 'silent', LOKAL_ENGINES: path };
    const server = await startServer(readConfig({ port: '0' }, env));
    try {
      const headers = { ...(await openSession(server.url, server.issueConsoleToken())) };
      const list = async () =>
        (await (await fetch(`${server.url}/console/engines`, { headers })).json()) as EngineList;
      await vi.waitFor(
        async () => {
          const states = (await list()).data.map(({ from_file: file, health, name }) => [
            name,
            file,
            health.state,
          ]);
          expect(states).toEqual([
            ['gpu-cluster-a-1', true, 'healthy'],
            ['gpu-cluster-a-2', true, 'healthy'],
          ]);
        },
        { timeout: 40_000, interval: 500 },
      );
      const { id } = (await list()).data[0]!;
      const answer = await fetch(`${server.url}/console/engines/${id}`, { method: 'DELETE', headers });
      expect(answer.status).toBe(409);
      const [chat] = (await list()).routes.filter(({ role }) => role === 'svc-lingua-7b');
      expect(chat).toMatchObject({ mode: 'order', set: true, from_file: true, serving: targets });
      const forget = await fetch(`${server.url}/console/engine-routes/svc-lingua-7b`, {
        method: 'DELETE',
        headers,
      });
      expect(forget.status).toBe(409);
    } finally {
      await server.close();
    }
  });
});
