/**
 * A server as a program that is started for it: one JSON message a line on its standard input and output. It gets a small
 * environment without credentials, an empty working folder, and no shell reads its command.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { answerServer, type McpTransport, maxMessageBytes, type RpcMessage } from './rpc.ts';

const killAfterMs = 2_000;

interface Waiting {
  resolve(answer: RpcMessage): void;
  reject(error: Error): void;
}

export function openStdioTransport(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): McpTransport {
  const folder = mkdtempSync(join(tmpdir(), 'lokal-mcp-'));
  const child = spawn(command, args, {
    env,
    cwd: folder,
    shell: false,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<RpcMessage['id'], Waiting>();
  let listener: (reason: string) => void = () => {};
  let ended: string | null = null;

  function end(reason: string): void {
    if (ended !== null) return;
    ended = reason;
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
    stop(child);
    rmSync(folder, { recursive: true, force: true });
    listener(reason);
  }

  function receive(message: RpcMessage): void {
    if (message.method !== undefined) {
      if (message.id !== undefined) write(answerServer(message));
      return;
    }
    const request = waiting.get(message.id);
    waiting.delete(message.id);
    request?.resolve(message);
  }

  const write = (message: RpcMessage) => void child.stdin.write(`${JSON.stringify(message)}\n`);

  // A program that closes its input before it ends is told by its end.
  child.stdin.on('error', () => undefined);
  child.on('error', (error: NodeJS.ErrnoException) =>
    end(error.code === 'ENOENT' ? 'there is no such program' : `it could not be started (${error.code})`),
  );
  child.on('exit', (code, signal) => end(`it ended with ${signal ?? `code ${code}`}`));
  readLines(child.stdout, { onMessage: receive, onBroken: end });

  return {
    exchange(message, signal) {
      if (ended !== null) return Promise.reject(new Error(ended));
      write(message);
      if (message.id === undefined) return Promise.resolve(null);
      return new Promise((resolve, reject) => {
        const stopWaiting = () => {
          waiting.delete(message.id);
          reject(signal.reason);
        };
        signal.addEventListener('abort', stopWaiting, { once: true });
        const settle =
          <T>(done: (value: T) => void) =>
          (value: T) => {
            signal.removeEventListener('abort', stopWaiting);
            done(value);
          };
        waiting.set(message.id, { resolve: settle(resolve), reject: settle(reject) });
      });
    },
    onEnded: (next) => (listener = next),
    close() {
      listener = () => {};
      end('it was stopped');
    },
  };
}

function stop(child: ChildProcessByStdio<Writable, Readable, null>): void {
  child.stdin.end();
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  timer.unref();
  child.once('exit', () => clearTimeout(timer));
}

interface LineReader {
  onMessage(message: RpcMessage): void;
  /** The server breaks the protocol. */
  onBroken(reason: string): void;
}

function readLines(stream: Readable, { onMessage, onBroken }: LineReader): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    rest += chunk;
    if (rest.length > maxMessageBytes) return onBroken('it sent a message that is too long');
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.trim() === '') continue;
      try {
        onMessage(JSON.parse(line) as RpcMessage);
      } catch {
        return onBroken('it wrote something that is not a message of the protocol');
      }
    }
  });
}
