/**
 * `npm run interop`: clients that people have, unmodified and newest, against a server with the packs that come with Lokal
 * and against the fixtures of test keys. Each is installed into a folder that goes afterwards; what cannot be installed is
 * skipped by name. Ends with a table, and with code 3 when a check failed.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openDatabase } from '../../server/db/open.ts';
import { createStores } from '../../server/db/stores.ts';
import { createAuditLog } from '../../server/services/audit/audit-log.ts';
import { createKeyDirectory } from '../../server/services/keys/key-directory.ts';
import { createKeyService } from '../../server/services/keys/key-service.ts';
import { startServer } from '../bench/http-load/servers.ts';
import { runUpstreams } from './upstreams/run.ts';

const execute = promisify(execFile);
const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url));
const clientsFolder = fileURLToPath(new URL('./clients/', import.meta.url));

interface Client {
  name: string;
  packages: readonly string[];
  language: 'js' | 'python';
  script: string;
}

const clients: readonly Client[] = [
  { name: 'openai (npm)', packages: ['openai'], language: 'js', script: 'openai.mjs' },
  { name: 'AI SDK', packages: ['ai', '@ai-sdk/openai-compatible'], language: 'js', script: 'ai-sdk.mjs' },
  {
    name: 'LangChain (npm)',
    packages: ['@langchain/openai', '@langchain/core'],
    language: 'js',
    script: 'langchain.mjs',
  },
  {
    name: 'Anthropic (npm)',
    packages: ['@anthropic-ai/sdk'],
    language: 'js',
    script: 'anthropic.mjs',
  },
  {
    name: 'Anthropic (PyPI)',
    packages: ['anthropic'],
    language: 'python',
    script: 'anthropic_client.py',
  },
  { name: 'Ollama (npm)', packages: ['ollama'], language: 'js', script: 'ollama.mjs' },
  { name: 'Ollama (PyPI)', packages: ['ollama'], language: 'python', script: 'ollama_client.py' },
  { name: 'MCP SDK (npm)', packages: ['@modelcontextprotocol/sdk'], language: 'js', script: 'mcp.mjs' },
  { name: 'openai (PyPI)', packages: ['openai'], language: 'python', script: 'openai_client.py' },
  {
    name: 'LangChain (PyPI)',
    packages: ['langchain-openai'],
    language: 'python',
    script: 'langchain_client.py',
  },
  {
    name: 'LlamaIndex (PyPI)',
    packages: ['llama-index-llms-openai-like', 'llama-index-embeddings-openai-like'],
    language: 'python',
    script: 'llama_index_client.py',
  },
];

interface Check {
  name: string;
  ok: boolean;
  detail: string;
}

interface Installed {
  versions: string;
  run(key: string): Promise<Check[]>;
}

interface Serving {
  url: string;
  home: string;
}

/** What the clients of one server are told. */
const environmentOf = ({ url, home }: Serving) => ({
  LOKAL_URL: `${url}/v1`,
  LOKAL_HOME: home,
  LOKAL_CLI: cli,
  LOKAL_FOLDER: join(home, 'allowed'),
  LOKAL_OUTSIDE: join(home, 'outside'),
});

async function install(client: Client, folder: string, serving: Serving): Promise<Installed> {
  cpSync(clientsFolder, folder, { recursive: true });
  const { command, versions } =
    client.language === 'js' ? await installJs(client, folder) : await installPython(client, folder);
  return {
    versions,
    async run(key) {
      const env = { ...process.env, ...environmentOf(serving), LOKAL_KEY: key };
      const options = { cwd: folder, env, timeout: 300_000 };
      const { stdout, ended } = await execute(command, [client.script], options).then(
        ({ stdout }) => ({ stdout, ended: [] }),
        ({ stdout = '', message }) => ({
          stdout: String(stdout),
          ended: [{ name: 'to the end', ok: false, detail: String(message).slice(0, 300) }],
        }),
      );
      const checks = stdout.split('\n').filter((line) => line.startsWith('{"name"'));
      return [...checks.map((line) => JSON.parse(line) as Check), ...ended];
    },
  };
}

async function installJs({ packages }: Client, folder: string) {
  await execute('npm', ['init', '-y'], { cwd: folder });
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await execute('npm', ['install', ...flags, ...packages], { cwd: folder, timeout: 180_000 });
  const { stdout } = await execute('npm', ['ls', '--json', '--depth=0'], { cwd: folder });
  const { dependencies } = JSON.parse(stdout) as { dependencies: Record<string, { version: string }> };
  const versions = packages.map((name) => `${name} ${dependencies[name]?.version}`).join(', ');
  return { command: process.execPath, versions };
}

async function installPython({ packages }: Client, folder: string) {
  await execute('python3', ['-m', 'venv', 'venv'], { cwd: folder, timeout: 120_000 });
  const python = join(folder, 'venv', 'bin', 'python');
  await execute(python, ['-m', 'pip', 'install', '-q', ...packages], { cwd: folder, timeout: 300_000 });
  const { stdout } = await execute(python, ['-m', 'pip', 'list', '--format=json'], { cwd: folder });
  const all = JSON.parse(stdout) as { name: string; version: string }[];
  const versions = packages.map((name) => `${name} ${all.find((each) => each.name === name)?.version}`);
  return { command: python, versions: versions.join(', ') };
}

function makeKeys(home: string): { live: string; test: string } {
  const db = openDatabase(join(home, 'lokal.db'));
  const stores = createStores(db);
  const directory = createKeyDirectory({ store: stores.keys, now: Date.now });
  const audit = createAuditLog(stores.audit, Date.now);
  const keys = createKeyService({ store: stores.keys, directory, now: Date.now, audit });
  const make = (keyClass: 'live' | 'test') =>
    keys.create({ name: keyClass, class: keyClass, plan: 'enterprise' }, 'owner').secret;
  const secrets = { live: make('live'), test: make('test') };
  db.close();
  return secrets;
}

/** `npm run interop -- 'Anthropic (npm)'` runs those named, `-- upstreams` the real engines; without a name, all clients. */
const wanted = process.argv.slice(2);

async function main(): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'lokal-interop-'));
  const keys = makeKeys(home);
  const server = await startServer(pathToFileURL(cli), ['serve', '--port', '0', '--json'], {
    LOKAL_HOME: home,
  });
  const serving = { url: `http://127.0.0.1:${server.port}`, home };
  const rows: string[] = [];
  let failures = 0;
  try {
    const env = { ...process.env, LOKAL_HOME: home };
    const folders = JSON.stringify([environmentOf(serving).LOKAL_FOLDER]);
    await execute(process.execPath, [cli, 'config', 'set', 'mcp_folders', folders], { env });
    for (const client of clients.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
      const folder = mkdtempSync(join(tmpdir(), 'lokal-client-'));
      try {
        const installed = await install(client, folder, serving).catch((error) => {
          console.error(`skipped ${client.name}: ${String(error.message).split('\n')[0]}`);
          return null;
        });
        if (!installed) {
          rows.push(`| ${client.name} | not installed | – | – |`);
          continue;
        }
        const results = { live: await installed.run(keys.live), test: await installed.run(keys.test) };
        const failed = Object.entries(results).flatMap(([key, checks]) =>
          checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${key}: ${name}: ${detail}`),
        );
        for (const each of failed) console.error(`${client.name}: ${each}`);
        failures += failed.length;
        const count = (checks: Check[]) => `${checks.filter(({ ok }) => ok).length} of ${checks.length}`;
        const row = `| ${client.name} | ${installed.versions} | ${count(results.live)} | ${count(results.test)} |`;
        console.error(row);
        rows.push(row);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
  console.log(
    ['| client | versions | live packs | fixtures |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  );
  return failures === 0 ? 0 : 3;
}

process.exit(wanted[0] === 'upstreams' ? await runUpstreams(wanted.slice(1)) : await main());
