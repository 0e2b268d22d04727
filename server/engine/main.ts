/**
 * Entry of an engine host: one process, one pack, one engine. Started by server/hosts, spoken to over its message
 * channel only; ends when the channel closes or the server's process is gone, so that no host outlives the server.
 */

import { answerCall, toFailure } from './answer-call.ts';
import { finishConfinement } from './confinement/confinement.ts';
import type { HostKind, MethodOf } from './contract.ts';
import { type CallContext, type Engine, EngineError, type OpenEngine } from './engine.ts';
import { type Channel, connect } from './host-channel.ts';
import { inferringElsewhere } from './onnx/elsewhere.ts';
import type { InferRequest, PlainTensor } from './onnx/types.ts';
import { watchParent } from './parent-watch.ts';
import type { CallMessage, CallReply, OpenMessage } from './protocol.ts';

/** Engines are loaded on demand: a host holds the native code of its own engine only. */
const engines: { [Kind in HostKind]: () => Promise<{ openEngine: OpenEngine<Kind> }> } = {
  'model-import': () => import('./model-import/engine.ts'),
  chat: () => import('./chat/engine.ts'),
  documents: () => import('./documents/engine.ts'),
  embeddings: () => import('./embeddings/engine.ts'),
  images: () => import('./images/engine.ts'),
  moderation: () => import('./moderation/engine.ts'),
  threat: () => import('./threat/engine.ts'),
};

class EngineHost<Kind extends HostKind> {
  readonly #channel: Channel<Kind>;
  readonly #running = new Map<number, AbortController>();
  #engine: Engine<Kind> | null = null;
  readonly #inferring = new Map<number, PromiseWithResolvers<Record<string, PlainTensor>>>();
  #nextInfer = 1;

  constructor(channel: Channel<Kind>) {
    this.#channel = channel;
    channel.onMessage((message) => {
      if (message.type === 'call') void this.#call(message);
      else if (message.type === 'check') void this.#check(message.id);
      else if (message.type === 'cancel') this.#cancel(message.id);
      else if (message.type === 'inferred') this.#inferred(message.id, message.outputs);
      else if (message.type === 'close') void this.#close();
    });
  }

  async open({ engine: kind, pack, options }: OpenMessage<Kind>): Promise<void> {
    try {
      if (options.requireConfinement && confinement !== 'on') throw notConfined(confinement);
      const { openEngine } = await engines[kind]();
      // One turn later the answer of the call that is ending has been sent.
      const replaceHost = () => void setImmediate(() => this.#channel.send({ type: 'replace' }));
      this.#engine = await openEngine(pack, options, replaceHost);
      this.#channel.send({ type: 'opened', info: { ...this.#engine.info, confinement } });
    } catch (error) {
      this.#channel.send({ type: 'refused', failure: toFailure(error, 'The pack could not be opened.') });
    }
  }

  async #call(message: CallMessage<Kind, MethodOf<Kind>>): Promise<void> {
    if (!this.#engine) return;
    const { signal, end } = this.#begin(message.id);
    const { methods } = this.#engine;
    const send = (reply: CallReply<Kind, MethodOf<Kind>>) => this.#channel.send(reply);
    const context = { signal, send, ...(message.again && { again: true }) };
    const answer = () => answerCall(methods, message, context);
    const infer = (request: InferRequest) => this.#infer(message.id, request, signal);
    await (message.elsewhere ? inferringElsewhere(infer, answer) : answer());
    end();
  }

  async #infer(
    call: number,
    request: InferRequest,
    signal: AbortSignal,
  ): Promise<Record<string, PlainTensor>> {
    signal.throwIfAborted();
    const id = this.#nextInfer++;
    const outputs = Promise.withResolvers<Record<string, PlainTensor>>();
    const stop = () => outputs.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    this.#inferring.set(id, outputs);
    this.#channel.send({ type: 'infer', id, call, request });
    try {
      return await outputs.promise;
    } finally {
      this.#inferring.delete(id);
      signal.removeEventListener('abort', stop);
    }
  }

  #inferred(id: number, outputs: Record<string, PlainTensor> | null): void {
    const waiting = this.#inferring.get(id);
    if (outputs) waiting?.resolve(outputs);
    else waiting?.reject(new EngineError('upstream_error', 'The graph was not run elsewhere.'));
  }

  async #check(id: number): Promise<void> {
    const { signal, end } = this.#begin(id);
    try {
      await this.#engine?.check?.({ signal });
      this.#channel.send({ type: 'done', id, value: null });
    } catch (error) {
      this.#channel.send({ type: 'failed', id, failure: toFailure(error, 'The engine failed.') });
    }
    end();
  }

  #begin(id: number): CallContext & { end: () => void } {
    const controller = new AbortController();
    this.#running.set(id, controller);
    return { signal: controller.signal, end: () => void this.#running.delete(id) };
  }

  #cancel(id: number): void {
    this.#running.get(id)?.abort();
    this.#channel.send({ type: 'heard', id });
  }

  async #close(): Promise<void> {
    for (const controller of this.#running.values()) controller.abort();
    await this.#engine?.close();
    process.exit(0);
  }
}

const notConfined = (state: string): EngineError =>
  new EngineError(
    'host_not_confined',
    `The engine host is not confined (${state}), and the settings require it.`,
  );

/** Before anything else of the program is loaded. */
const confinement = finishConfinement(process.argv[2]);
// Confined hosts end with their parent by the kernel's hand.
if (confinement !== 'on') watchParent();
connect((message, channel) => void new EngineHost(channel).open(message));
