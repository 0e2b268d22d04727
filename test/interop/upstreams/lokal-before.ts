/** A Lokal of its own before the engines: keys that may leave the machine and one that may not, engines added by the command line. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import OpenAI from 'openai';
import type { Scope } from '../../../server/api/common.ts';
import type { RemoteEngine } from '../../../server/api/console/engines.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { createStores } from '../../../server/db/stores.ts';
import { createAuditLog } from '../../../server/services/audit/audit-log.ts';
import { createKeyDirectory } from '../../../server/services/keys/key-directory.ts';
import { createKeyService } from '../../../server/services/keys/key-service.ts';
import { startServer } from '../../bench/http-load/servers.ts';

const cli = new URL('../../../server/cli.ts', import.meta.url);

export interface LokalBefore {
  /** The official SDK with a key that has the scope upstream, without retries of its own. */
  client: OpenAI;
  /** The same with a key that stays on this machine. */
  localClient: OpenAI;
  /** `lokal engines …`: what it printed as JSON, or its error. */
  engines(args: string[], piped?: string): Promise<{ ok: boolean; out: string }>;
  /** Adds an engine for a service. @throws Error with its failed checks */
  add(options: AddOptions): Promise<RemoteEngine>;
  stop(): Promise<void>;
}

interface AddOptions {
  name: string;
  url: string;
  key: string | null;
  kind: string;
  role: string;
  model: string;
}

export async function startLokalBefore(): Promise<LokalBefore> {
  const home = mkdtempSync(join(tmpdir(), 'lokal-before-'));
  const keys = makeKeys(home);
  const server = await startServer(cli, ['serve', '--port', '0', '--json'], { LOKAL_HOME: home });
  const clientOf = (apiKey: string) =>
    new OpenAI({ baseURL: `http://127.0.0.1:${server.port}/v1`, apiKey, maxRetries: 0, timeout: 120_000 });

  const engines = (args: string[], piped = '') =>
    new Promise<{ ok: boolean; out: string }>((resolve) => {
      const env = { ...process.env, LOKAL_HOME: home };
      const command = [fileURLToPath(cli), 'engines', ...args, '--json'];
      const child = execFile(process.execPath, command, { env }, (error, out, err) =>
        resolve({ ok: error === null, out: out || err }),
      );
      child.stdin!.end(piped);
    });

  return {
    client: clientOf(keys.upstream),
    localClient: clientOf(keys.local),
    engines,
    async add({ key, kind, model, name, role, url }) {
      const secret = key === null ? [] : ['--secret-file', '-'];
      const args = ['add', name, url, '--kind', kind, '--model', `${role}=${model}`, ...secret];
      const { ok, out } = await engines(args, key ?? '');
      if (!ok) throw new Error(out);
      return JSON.parse(out) as RemoteEngine;
    },
    async stop() {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function makeKeys(home: string): { upstream: string; local: string } {
  const db = openDatabase(join(home, 'lokal.db'));
  const stores = createStores(db);
  const directory = createKeyDirectory({ store: stores.keys, now: Date.now });
  const audit = createAuditLog(stores.audit, Date.now);
  const service = createKeyService({ store: stores.keys, directory, now: Date.now, audit });
  const make = (scopes: Scope[]) =>
    service.create({ name: 'interop', class: 'live', plan: 'enterprise', scopes }, 'owner').secret;
  const secrets = {
    upstream: make(['chat', 'embeddings', 'models', 'upstream']),
    local: make(['chat', 'embeddings', 'models']),
  };
  db.close();
  return secrets;
}
