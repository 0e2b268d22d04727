/**
 * Entry of an engine host: one process, one pack, one engine. Started by server/hosts, spoken to over its message
 * channel only; ends when the channel closes, so that no host outlives the server.
 */

import { type Engine, EngineError, type OpenEngine } from './engine.ts';
import type { FromHost, ToHost } from './protocol.ts';

/** Engines are loaded on demand: a host holds the native code of its own engine only. */
const engines: Record<string, () => Promise<{ openEngine: OpenEngine }>> = {
  convert: () => import('./model-import/engine.ts'),
  chat: () => import('./chat/engine.ts'),
  documents: () => import('./documents/engine.ts'),
  embeddings: () => import('./embeddings/engine.ts'),
  images: () => import('./images/engine.ts'),
  moderation: () => import('./moderation/engine.ts'),
  threat: () => import('./threat/engine.ts'),
};

/** `check` is the smoke test of an import; an engine without one is content with having opened. */
const noCheck = async (): Promise<null> => null;

interface Channel {
  send(message: FromHost): void;
  onMessage(listener: (message: ToHost) => void): void;
}

const memoryEveryMs = 2_000;

function connect(): Channel {
  // Electron's utility process has `process.parentPort`; a forked Node process has `process.send`.
  const parentPort = (process as unknown as { parentPort?: ElectronParentPort }).parentPort;
  if (parentPort) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', (event) => listener(event.data as ToHost)),
    };
  }
  process.on('disconnect', () => process.exit(0));
  return {
    send: (message) => void (process.connected && process.send?.(message, undefined, undefined, () => {})),
    onMessage: (listener) => void process.on('message', (message) => listener(message as ToHost)),
  };
}

interface ElectronParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
}

function serve(channel: Channel): void {
  const running = new Map<number, AbortController>();
  let engine: Engine | null = null;

  const reportMemory = () =>
    channel.send({ type: 'memory', residentMb: Math.round(process.memoryUsage.rss() / 1_048_576) });
  setInterval(reportMemory, memoryEveryMs).unref();

  async function open(message: Extract<ToHost, { type: 'open' }>): Promise<void> {
    try {
      const load = engines[message.engine];
      if (!load) throw new EngineError('model_not_installed', `There is no engine named ${message.engine}.`);
      engine = await (await load()).openEngine(message.pack, message.options);
      channel.send({ type: 'opened', info: engine.info });
      reportMemory();
    } catch (error) {
      channel.send({ type: 'refused', failure: toFailure(error, 'The pack could not be opened.') });
    }
  }

  async function call(message: Extract<ToHost, { type: 'call' }>): Promise<void> {
    const controller = new AbortController();
    running.set(message.id, controller);
    try {
      const method = engine?.methods[message.method] ?? (message.method === 'check' ? noCheck : undefined);
      if (!method) throw new EngineError('internal_error', 'The engine has no such method.');
      const answer = method(message.params as never, { signal: controller.signal });
      let value: unknown = null;
      if (Symbol.asyncIterator in answer) {
        for await (const item of answer) {
          if (controller.signal.aborted) return;
          channel.send({ type: 'item', id: message.id, value: item });
        }
      } else value = await answer;
      channel.send({ type: 'done', id: message.id, value });
    } catch (error) {
      channel.send({ type: 'failed', id: message.id, failure: toFailure(error, 'The engine failed.') });
    } finally {
      running.delete(message.id);
    }
  }

  async function close(): Promise<void> {
    for (const controller of running.values()) controller.abort();
    await engine?.close();
    process.exit(0);
  }

  channel.onMessage((message) => {
    if (message.type === 'open') void open(message);
    else if (message.type === 'call') void call(message);
    else if (message.type === 'cancel') running.get(message.id)?.abort();
    else void close();
  });
}

/** Only an EngineError's words leave the host: other texts may quote the payload. */
function toFailure(
  error: unknown,
  otherwise: string,
): { code: string; message: string; param: string | null } {
  if (error instanceof EngineError) return { code: error.code, message: error.message, param: error.param };
  return { code: 'internal_error', message: otherwise, param: null };
}

serve(connect());
