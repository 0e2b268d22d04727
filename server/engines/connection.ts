/**
 * HTTP to one remote engine. Every connection is checked inside the look-up that is then dialled, verified (authority or pinned
 * certificate) before a byte is written, and has its line in the ledger. Redirects are not followed; nothing of a caller's headers
 * is passed on.
 */
import { type LookupAddress, lookup } from 'node:dns';
import {
  Agent,
  type ClientRequest,
  type ClientRequestArgs,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { EngineTimeouts } from '../api/console/engines.ts';
import type { ApiError } from '../errors.ts';
import type { Caller } from '../services/caller.ts';
import type { ConnectionLedger } from '../services/console/connections.ts';
import { addressFault, type EngineAddress } from './address.ts';
import { EngineFault, readRetryAfter } from './fault.ts';

export interface ConnectionOptions {
  name: string;
  address: EngineAddress;
  secret: string | null;
  ca: string | null;
  fingerprint: string | null;
  timeouts: EngineTimeouts;
  ledger: ConnectionLedger;
  /** For tests: answers look-ups in place of the system. */
  resolve?: typeof lookup;
}

export interface EngineRequest {
  method?: 'GET' | 'POST';
  /** Behind the base URL's own prefix. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal: AbortSignal;
  /** For the ledger; null: the health check or a trial. */
  caller: Pick<Caller, 'principal' | 'requestId'> | null;
  /** Without our secret: to see that it is asked for. */
  anonymous?: boolean;
  /** In place of the record's, for probes. */
  timeouts?: Partial<EngineTimeouts>;
}

export interface EngineResponse {
  status: number;
  headers: IncomingMessage['headers'];
  /** Ends with the body, or throws an EngineFault where that broke off. Leaving it early closes the connection. */
  chunks: AsyncIterable<Buffer>;
}

type Dialling = ClientRequestArgs & { dialledBy?: EngineRequest['caller'] };

export class EngineConnection {
  readonly #options: ConnectionOptions;
  readonly #agent: Agent;
  readonly #closing = new AbortController();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#agent = new CheckedAgent(options);
  }

  get target(): string {
    return `${this.#options.address.host}:${this.#options.address.port}`;
  }

  /** @throws EngineFault, or the signal's reason */
  async send(request: EngineRequest): Promise<EngineResponse> {
    const signal = AbortSignal.any([request.signal, this.#closing.signal]);
    for (;;) {
      signal.throwIfAborted();
      const watch = new Watch({ ...this.#options.timeouts, ...request.timeouts });
      const outgoing = this.#open(request);
      try {
        return await this.#answerOf(outgoing, { signal, watch });
      } catch (error) {
        watch.end();
        if (signal.aborted) throw signal.reason;
        // A kept connection that the other side had closed meanwhile; nothing was answered on it.
        if (outgoing.reusedSocket && isReset(error)) continue;
        throw toFault(error);
      }
    }
  }

  /** Ends what runs over it. */
  close(): void {
    this.#closing.abort(new EngineFault('connect', 'it was removed or changed'));
    this.#agent.destroy();
  }

  #open({ method, path, headers, body, caller, anonymous }: EngineRequest): ClientRequest {
    const { address, secret } = this.#options;
    const options: Dialling = {
      agent: this.#agent,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      path: address.prefix + path,
      host: address.host,
      port: address.port,
      dialledBy: caller,
      headers: {
        host: address.url.host,
        accept: '*/*',
        'accept-encoding': 'identity',
        ...headers,
        ...(secret !== null && !anonymous ? { authorization: `Bearer ${secret}` } : {}),
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      },
    };
    const outgoing = httpRequest(options);
    outgoing.setNoDelay(true);
    outgoing.end(body);
    return outgoing;
  }

  #answerOf(
    outgoing: ClientRequest,
    { signal, watch }: { signal: AbortSignal; watch: Watch },
  ): Promise<EngineResponse> {
    return new Promise((resolve, reject) => {
      const abort = () => outgoing.destroy(new Error('cancelled'));
      signal.addEventListener('abort', abort, { once: true });
      const release = () => signal.removeEventListener('abort', abort);
      watch.begin((fault) => outgoing.destroy(fault));
      outgoing.on('error', (error) => {
        release();
        reject(error);
      });
      outgoing.on('response', (response) => {
        response.on('error', () => {});
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          chunks: read(response, { signal, watch, release }),
        });
      });
    });
  }
}

async function* read(
  response: IncomingMessage,
  { signal, watch, release }: { signal: AbortSignal; watch: Watch; release: () => void },
): AsyncGenerator<Buffer> {
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      watch.resume();
      const { value, done } = await chunks.next();
      if (done) return;
      watch.pause();
      yield value;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw (
      watch.fault ?? (error instanceof EngineFault ? error : new EngineFault('cut', 'its answer broke off'))
    );
  } finally {
    watch.end();
    release();
    if (!response.complete) response.destroy();
  }
}

/** The times of one answer: until its first byte, between two parts while we wait for one, and as a whole. */
class Watch {
  fault: EngineFault | null = null;
  readonly #timeouts: EngineTimeouts;
  readonly #startedAt = performance.now();
  #waitingSince: number | null = this.#startedAt;
  #hasByte = false;
  #timer: NodeJS.Timeout | undefined;
  #expire: (fault: EngineFault) => void = () => {};

  constructor(timeouts: EngineTimeouts) {
    this.#timeouts = timeouts;
  }

  begin(expire: (fault: EngineFault) => void): void {
    this.#expire = expire;
    this.#check();
  }

  /** A part came, and is being looked at. */
  pause(): void {
    this.#waitingSince = null;
    if (this.#hasByte) return;
    this.#hasByte = true;
    // The timer is set to the first byte's time, which is longer than a silence as a rule.
    clearTimeout(this.#timer);
    this.#check();
  }

  resume(): void {
    this.#waitingSince ??= performance.now();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#expire = () => {};
  }

  #check(): void {
    const { first_byte_ms: first, silence_ms: silence, total_ms: total } = this.#timeouts;
    const now = performance.now();
    const wait = this.#hasByte ? silence : first;
    const leftOfWait = wait - (this.#waitingSince === null ? 0 : now - this.#waitingSince);
    const leftOfAll = total - (now - this.#startedAt);
    const left = Math.min(leftOfWait, leftOfAll);
    if (left > 0) {
      this.#timer = setTimeout(() => this.#check(), Math.max(left, 5));
      return;
    }
    const why =
      leftOfAll <= 0
        ? `its answer took more than ${total} ms`
        : this.#hasByte
          ? `it fell silent for ${silence} ms`
          : `nothing came within ${first} ms`;
    this.fault = new EngineFault('timeout', why);
    this.#expire(this.fault);
  }
}

/** Dials on demand and keeps connections; a connection is handed out once it is verified. */
class CheckedAgent extends Agent {
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    super({ keepAlive: true, keepAliveMsecs: 10_000, maxFreeSockets: 64, timeout: 0 });
    this.#options = options;
  }

  override createConnection(
    options: Dialling,
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { name, address, ledger } = this.#options;
    const line = ledger.begin(`${address.host}:${address.port}`, {
      caller: options.dialledBy ?? null,
      field: `engine ${name}`,
    });
    dial(this.#options).then(
      (socket) => {
        line.settle('allowed', 'connected');
        done?.(null, socket);
      },
      (error: Error) => {
        line.settle(error instanceof RefusedAddress ? 'refused' : 'failed', error.message);
        done?.(error, undefined as unknown as Duplex);
      },
    );
  }
}

class RefusedAddress extends EngineFault {
  constructor(why: string) {
    super('connect', `its host ${why}`);
  }
}

function dial(options: ConnectionOptions): Promise<Socket> {
  const { address, timeouts } = options;
  const plain = {
    host: address.host,
    port: address.port,
    lookup: checkedLookup(address.loopback, options.resolve ?? lookup),
  };
  return new Promise((resolve, reject) => {
    const socket = address.tls ? connectTls({ ...plain, ...tlsOptions(options) }) : connectPlain(plain);
    const timer = setTimeout(
      () => socket.destroy(new EngineFault('connect', `no connection within ${timeouts.connect_ms} ms`)),
      timeouts.connect_ms,
    );
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(toFault(error));
    };
    socket.once('error', fail);
    socket.once(address.tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      const wrong = address.tls ? pinFault(socket as TLSSocket, options.fingerprint) : null;
      if (wrong) return void socket.destroy(wrong);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function tlsOptions({ address, ca, fingerprint }: ConnectionOptions) {
  return {
    servername: /^[\d.]+$|:/.test(address.host) ? '' : address.host,
    ...(ca === null ? {} : { ca }),
    // A pinned certificate stands for itself; it is compared before anything is written.
    ...(fingerprint === null ? {} : { rejectUnauthorized: false }),
  };
}

function pinFault(socket: TLSSocket, fingerprint: string | null): EngineFault | null {
  if (fingerprint === null) return null;
  const shown = socket.getPeerCertificate().fingerprint256;
  if (shown?.toUpperCase() === fingerprint.toUpperCase()) return null;
  return new EngineFault('connect', 'its certificate is not the one whose fingerprint is pinned');
}

/** A look-up that fails where any address of the name may not be dialled. */
const checkedLookup =
  (loopback: boolean, resolve: typeof lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      const wrong = addresses
        .map(({ address }) => addressFault(address, loopback))
        .find((each) => each !== null);
      if (wrong) return callback(new RefusedAddress(wrong), '', 0);
      if (options.all) return callback(null, addresses);
      callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 0);
    });
  };

const isReset = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');

const inWords: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its host has no address',
  EAI_AGAIN: 'its host could not be looked up',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ETIMEDOUT: 'no connection in time',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; give its authority or its fingerprint',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate’s authority is unknown; give it as ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate’s authority is unknown; give it as ca',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate’s authority is unknown; give it as ca',
};

function toFault(error: unknown): EngineFault {
  if (error instanceof EngineFault) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  return new EngineFault('connect', inWords[code] ?? `the connection failed (${code || 'no reason given'})`);
}

/** The whole body as text, up to a limit. @throws EngineFault */
export async function readText({ chunks }: EngineResponse, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw new EngineFault('invalid', `its answer is larger than ${maxBytes} bytes`);
    parts.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new EngineFault('invalid', 'its answer is not UTF-8');
  }
}

const longestError = 65_536;

/**
 * The fault behind a status that is not 2xx. The other side's words may hold what we sent, so none of them is repeated; `explain`
 * may take numbers out of them.
 */
export async function statusFault(
  response: EngineResponse,
  explain: (body: string, status: number) => ApiError | undefined = () => undefined,
): Promise<EngineFault> {
  const { status, headers } = response;
  const retryAfterMs = readRetryAfter(headers['retry-after']);
  const body = await readText(response, longestError).catch(() => '');
  const details = { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  if (status === 401 || status === 403)
    return new EngineFault('denied', `it refuses this server’s secret (${status})`, details);
  if (status === 429 || (status === 503 && retryAfterMs !== undefined))
    return new EngineFault('busy', `it is busy (${status})`, details);
  if (status >= 300 && status < 400)
    return new EngineFault('failed', `it redirects (${status}), which is not followed`, details);
  if (status >= 500) return new EngineFault('failed', `it answered ${status}`, details);
  const answer = explain(body, status);
  return new EngineFault('rejected', `it refuses the request (${status})`, {
    ...details,
    ...(answer && { answer }),
  });
}
