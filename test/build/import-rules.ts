/** Who may import whom. The reasons are what a person reads when a rule refuses an import. */
import type { Rule } from './import-checker.ts';

const onnxRuntime = ['onnxruntime-node', 'onnxruntime-common', 'koffi'];

const engines = ['chat', 'documents', 'embeddings', 'images', 'moderation', 'threat'];
/** Lowest first. */
const floors = [
  { floor: 'identifiers', below: [] },
  { floor: 'onnx', below: ['identifiers'] },
  { floor: 'vision', below: ['identifiers', 'onnx'] },
  { floor: 'grammar', below: ['identifiers', 'onnx'] },
  { floor: 'entities', below: [] },
];

/** Types that cross a process or thread boundary. */
const messages = [
  'server/engine/contract.ts',
  'server/engine/protocol.ts',
  'server/engine/*/types.ts',
  'server/engine/confinement/launch-types.ts',
];

export const importRules: Rule[] = [
  {
    from: messages,
    only: [
      ...messages,
      'server/api/**',
      'server/engine/{engine,failure-trace,host-grant}.ts',
      'server/engine/vision/geometry.ts',
    ],
    reason: 'a message is made of messages, of what a pack is told when it opens, and of boxes',
  },
  {
    from: messages,
    never: ['**', 'node:*'],
    typesFree: true,
    reason: 'messages are types: both sides of a boundary import them, and load no mechanism',
  },
  {
    from: ['server/api/**'],
    only: ['server/api/**', 'typebox'],
    reason: 'the contract imports typebox alone, so that every side can derive from it',
  },
  {
    from: ['server/services/**', 'server/db/**', 'server/packs/**', 'server/hosts/**', 'server/engine/**'],
    never: [
      'fastify',
      '@fastify/*',
      'server/app.ts',
      'server/routes/**',
      'server/plugins/**',
      'server/console/**',
    ],
    reason: 'HTTP ends at routes, plugins and console',
  },
  {
    never: ['better-sqlite3'],
    except: ['server/db/**'],
    reason: 'the only SQL is in server/db',
  },
  {
    from: ['server/**'],
    // The thread of fixtures compiles schemas as the chat engine does, and runs apart from the server.
    except: ['server/engine/**', 'server/services/fixtures/schema-worker.ts'],
    never: ['server/engine/*/**', 'server/engine/main.ts'],
    typesFree: true,
    reason: 'engines run in hosts; the server speaks to them through server/hosts',
  },
  {
    // An update's exchange of two folders is a call of the C library, made by the command line alone.
    except: ['server/engine/**', 'server/installation/exchange.ts', 'build/**', 'models/**'],
    never: [
      ...onnxRuntime,
      '@napi-rs/canvas',
      'pdfjs-dist',
      '@huggingface/tokenizers',
      'sharp',
      'mediabunny',
      '@libav.js/*',
    ],
    reason: 'tensors, tokenizers, pages and images belong to an engine host',
  },
  {
    from: ['server/engine/**'],
    only: ['server/engine/**', 'server/api/**', '*', '@*/*'],
    never: ['better-sqlite3', 'pino', 'prom-client', 'node:http', 'node:https', 'node:tls'],
    reason: 'an engine knows no server: no network, keys, packs, SQLite or log',
  },
  {
    never: onnxRuntime,
    except: ['server/engine/onnx/**', 'server/installation/exchange.ts', 'build/**', 'models/**'],
    reason: 'ONNX Runtime is reached through server/engine/onnx alone',
  },
  {
    from: ['server/engine/onnx/**'],
    only: ['server/engine/onnx/**', 'server/engine/engine.ts', 'node:*', ...onnxRuntime],
    reason: 'the onnx layer serves every engine and knows none',
  },
  ...floors.map(({ floor, below }) => ({
    from: [`server/engine/${floor}/**`],
    only: [
      `server/engine/${floor}/**`,
      ...below.map((lower) => `server/engine/${lower}/**`),
      'server/engine/{engine,external-files,pack-data,pack-files,steps}.ts',
      '*',
      '@*/*',
      'node:*',
    ],
    reason: `${floor} is a floor: it imports lower floors and no engine`,
  })),
  {
    from: ['server/engine/model-import/**'],
    never: [...engines.map((engine) => `server/engine/${engine}/**`)].filter(
      (path) => !path.includes('/chat/'),
    ),
    reason: 'importing a model knows no engine but what a decoder graph looks like',
  },
  {
    from: ['server/engine/model-import/**'],
    never: ['server/engine/chat/!(decoder-io.ts)', 'server/engine/chat/*/**'],
    reason: 'of chat, importing a model knows decoder-io.ts alone',
  },
  {
    from: ['server/engine/**'],
    except: ['server/engine/model-import/**', 'server/engine/main.ts', 'server/engine/contract.ts'],
    never: ['server/engine/model-import/**'],
    reason: 'importing models is an engine of its own, loaded by main.ts alone',
  },
  ...engines.map((engine) => ({
    from: [`server/engine/${engine}/**`],
    // Guard models are chat models: the one place where an engine uses another, one way.
    ...(engine === 'moderation' && { except: ['server/engine/moderation/guard/**'] }),
    never: engines.filter((other) => other !== engine).map((other) => `server/engine/${other}/**`),
    reason: 'engines do not know each other; what they share lies beside them',
  })),
  {
    from: ['server/engine/moderation/guard/**'],
    never: ['documents', 'embeddings', 'images', 'threat'].map((other) => `server/engine/${other}/**`),
    reason: 'guard models use chat and no other engine',
  },
  {
    from: ['server/engine/documents/**'],
    except: ['server/engine/documents/pipeline.ts'],
    never: ['server/engine/documents/stages/**'],
    reason: 'the order of stages stands in pipeline.ts alone, and no stage knows another',
  },
  {
    from: ['server/engine/**'],
    never: ['server/hosts/**'],
    reason: 'hosts import the engine, never the reverse',
  },
  {
    from: ['server/**'],
    never: ['electron', 'electron/**', 'renderer/**', 'build/**', 'test/**', 'models/**'],
    reason: 'the server stands alone: Node runs it without the desktop, the interface or the build',
  },
  {
    from: ['renderer/**'],
    only: ['renderer/**', 'server/api/**', '*', '@*/*'],
    never: ['node:*', 'electron', 'fastify', 'better-sqlite3'],
    reason: 'the interface is a client like any other; of the server it knows the contract',
  },
  {
    never: ['electron'],
    except: ['electron/main.ts', 'electron/preload.cts'],
    typesFree: true,
    reason: 'Electron is reached through electron/electron-api.ts',
  },
  {
    from: ['electron/**'],
    only: [
      'electron/**',
      'electron',
      'node:*',
      'server/main.ts',
      'server/config.ts',
      'server/cli/server/serve.ts',
      'server/hosts/port.ts',
      'server/version.ts',
    ],
    typesFree: true,
    reason: 'the desktop shell starts the server and knows no part of it',
  },
  {
    from: ['build/**'],
    except: ['build/release/**'],
    never: ['server/**', 'electron/**', 'renderer/**', 'test/**'],
    reason: 'the launcher and the test run start things, they do not import them',
  },
  {
    from: ['build/release/**'],
    only: [
      'build/**',
      'server/version.ts',
      'server/installation/program-folder.ts',
      'server/packs/verify.ts',
      'server/signing/**',
      'server/services/keys/secret.ts',
      'tar',
      'node:*',
    ],
    reason: 'a release signs and hashes with the code that checks it, and starts everything else',
  },
];
