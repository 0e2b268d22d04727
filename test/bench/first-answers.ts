/**
 * How long somebody waits after `npm start`: a new data folder, a server started anew for each service, one small request. `seconds` is from
 * the start of the process to the whole answer, which must hold what the request has; `starters_mb` is what the starters take on disk.
 */
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLiveKey } from '../support/chat/live-key.ts';
import { textPdf, toPng } from '../support/documents/scans.ts';
import { startServer } from './http-load/servers.ts';
import { progress, rounded } from './measure.ts';
import type { BenchOptions } from './run.ts';

interface Question {
  path: string;
  body: object;
  /** Stands in a good answer. */
  holds: RegExp;
}

async function questions(): Promise<Record<string, Question>> {
  const pdf = await textPdf();
  const picture = await toPng(pdf);
  const text = 'The lift stops on 9 March. Mr Okonjo carries groceries.\n\nWho carries groceries?';
  return {
    chat: {
      path: '/v1/chat/completions',
      body: { model: 'svc-lingua-7b', temperature: 0, messages: [{ role: 'user', content: text }] },
      holds: /Okonjo/u,
    },
    embeddings: {
      path: '/v1/embeddings',
      body: { model: 'svc-embed-base', input: 'selamat pagi' },
      holds: /"embedding":/u,
    },
    moderation: {
      path: '/v1/moderations',
      body: { model: 'svc-shield-base', input: 'I will find you and hurt you.' },
      holds: /"flagged":true/u,
    },
    threats: {
      path: '/v1/moderations',
      body: {
        model: 'svc-guard-max',
        input: 'GET /item?id=7%20UNION%20SELECT%201,password%20FROM%20users-- HTTP/1.1',
      },
      holds: /"findings":\[\{/u,
    },
    images: {
      path: '/v1/images/analyze',
      body: {
        model: 'svc-vision-pro',
        image: `data:image/png;base64,${Buffer.from(picture).toString('base64')}`,
      },
      holds: /"objects":/u,
    },
    documents: {
      path: '/v1/documents/parse',
      body: { model: 'svc-parse-pro', file: Buffer.from(pdf).toString('base64') },
      holds: /"pages":/u,
    },
  };
}

/** Seconds from the start of a server to its first answer. */
async function firstAnswer({ body, holds, path }: Question): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'lokal-first-'));
  const key = createLiveKey(home);
  const began = performance.now();
  const server = await startServer(
    new URL('../../server/cli.ts', import.meta.url),
    ['serve', '--port', '0', '--json'],
    { LOKAL_HOME: home },
  );
  try {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    if (!response.ok || !holds.test(answer))
      throw new Error(`${path}: ${response.status} ${answer.slice(0, 300)}`);
    return (performance.now() - began) / 1000;
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

function startersMb(): number {
  const folder = fileURLToPath(new URL('../../models/packs', import.meta.url));
  const sizes = globSync('*/**/*', { cwd: folder }).map((path) => statSync(join(folder, path)));
  return sizes.reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0) / 1e6;
}

export async function run({ quick }: BenchOptions): Promise<object> {
  const seconds: Record<string, number> = {};
  for (const [service, question] of Object.entries(await questions()).slice(0, quick ? 1 : undefined)) {
    seconds[service] = rounded(await firstAnswer(question));
    progress(`${service}: ${seconds[service]} s`);
  }
  return { seconds, slowest: Math.max(...Object.values(seconds)), starters_mb: rounded(startersMb()) };
}
