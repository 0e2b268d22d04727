/**
 * A remote engine that does what it is told, the bad included: one small HTTP server that speaks OpenAI's protocol, and notes what
 * it was asked and who is still there.
 */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

export interface ScriptedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: what a test asked for, read field by field
  body: any;
}

/** Returns true where it has answered; else the engine's ordinary answer follows. */
export type Behaviour = (
  request: ScriptedRequest,
  response: ServerResponse,
) => boolean | undefined | Promise<boolean | undefined>;

export interface ScriptedEngine {
  url: string;
  port: number;
  requests: ScriptedRequest[];
  /** Answers under way. */
  running(): number;
  /** Of chat and embeddings, the ordinary one where absent. */
  behave(behaviour: Behaviour | null): void;
  /** All connections broken at once, and the port closed: as `kill -9` does it. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

export interface ScriptedOptions {
  secret?: string;
  /** Its window, told by /v1/models as vLLM does. */
  window?: number;
  text?: string[];
  /** Between two chunks. */
  pauseMs?: number;
  port?: number;
  /** PEM; it speaks TLS then. */
  tls?: { cert: string; key: string };
}

const opened: { kill(): Promise<void> }[] = [];
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.kill();
});

export async function startScriptedEngine(options: ScriptedOptions = {}): Promise<ScriptedEngine> {
  const requests: ScriptedRequest[] = [];
  let behaviour: Behaviour | null = null;
  let running = 0;
  const listener: RequestListener = async (incoming, response) => {
    const request: ScriptedRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: await readBody(incoming),
    };
    running += 1;
    response.on('close', () => {
      running -= 1;
    });
    try {
      await answer(request, response);
    } catch {
      response.destroy();
    }
  };
  const server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener);

  async function answer(request: ScriptedRequest, response: ServerResponse): Promise<void> {
    const { path, headers } = request;
    if (path === '/health') return void response.end('{"status":"ok"}');
    if (options.secret && headers.authorization !== `Bearer ${options.secret}`) {
      sendJson(response, { error: { message: `bad key ${headers.authorization}` } }, 401);
      return;
    }
    if (path === '/v1/models') {
      const data = [{ id: 'tiny', object: 'model', max_model_len: options.window }];
      sendJson(response, { object: 'list', data });
      return;
    }
    requests.push(request);
    if (behaviour && (await behaviour(request, response))) return;
    if (path === '/v1/embeddings') {
      sendJson(response, embeddings(request.body.input, 1024));
      return;
    }
    if (path === '/v1/chat/completions') return streamChat(request, response, options);
    sendJson(response, { error: { message: 'no such page' } }, 404);
  }

  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const engine: ScriptedEngine = {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    running: () => running,
    behave(next) {
      behaviour = next;
    },
    kill: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    restart: () => listen(port),
  };
  opened.push(engine);
  return engine;
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return parts.length === 0 ? null : JSON.parse(Buffer.concat(parts).toString());
}

/** True, as a behaviour that has answered. */
export function sendJson(response: ServerResponse, body: unknown, status = 200, headers = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
  return true;
}

export const embeddings = (input: string[], width: number) => ({
  object: 'list',
  data: input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: Array.from({ length: width }, (_, place) => Math.sin(place + text.length)),
  })),
  usage: { prompt_tokens: input.length * 3, total_tokens: input.length * 3 },
});

export const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

export const chunk = (delta: object, finish: string | null = null, index = 0) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'tiny',
  choices: [{ index, delta, logprobs: null, finish_reason: finish }],
});

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Tools and schemas get what they ask for, everything else the text. */
async function streamChat(
  { body }: ScriptedRequest,
  response: ServerResponse,
  { text = ['Hello', ' there', '.'], pauseMs = 0 }: ScriptedOptions,
): Promise<void> {
  openStream(response);
  const named = body.tool_choice?.function?.name;
  const isJson = body.response_format?.type === 'json_schema';
  const pieces = isJson ? ['{"yes"', ':true}'] : text;
  for (let index = 0; index < (body.n ?? 1); index += 1) {
    if (named) {
      const call = {
        index: 0,
        id: 'c1',
        type: 'function',
        function: { name: named, arguments: '{"yes":true}' },
      };
      response.write(event(chunk({ role: 'assistant', tool_calls: [call] }, null, index)));
    } else
      for (const piece of pieces) {
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
        if (response.destroyed) return;
        response.write(
          event(withScores(chunk({ content: piece }, null, index), body.logprobs === true, piece)),
        );
      }
    response.write(event(chunk({}, named ? 'tool_calls' : 'stop', index)));
  }
  const usage = { prompt_tokens: 7, completion_tokens: pieces.length, total_tokens: 7 + pieces.length };
  if (body.stream_options?.include_usage) response.write(event({ ...chunk({}), choices: [], usage }));
  response.end('data: [DONE]\n\n');
}

const withScores = (value: ReturnType<typeof chunk>, wanted: boolean, token: string) =>
  wanted
    ? {
        ...value,
        choices: value.choices.map((choice) => ({
          ...choice,
          logprobs: { content: [{ token, logprob: -0.5, bytes: null, top_logprobs: [] }] },
        })),
      }
    : value;
