/** Tokens per second over server-sent events against the bare engine, second turns, and drafts by prompt look-up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../../server/engine/chat/engine.ts';
import type { GenerateParams } from '../../server/engine/chat/types.ts';
import type { Engine, EnginePack } from '../../server/engine/engine.ts';
import { paramsOf, stream } from '../support/chat/ask.ts';
import { neverEnding, writeBenchPack } from '../support/chat/bench-pack.ts';
import { createLiveKey } from '../support/chat/live-key.ts';
import { llama135m } from '../support/chat/random-weights.ts';
import { benchSize } from './chat-load/size.ts';
import { type ChatClient, createChatClient } from './http-load/chat-client.ts';
import { startServer } from './http-load/servers.ts';
import { alternate, median, progress, rounded } from './measure.ts';
import type { BenchOptions } from './run.ts';

interface Bench {
  pack: EnginePack;
  client: ChatClient;
  engine: Engine<'chat'>;
  /** Tokens of an answer, runs that count, tokens of a first turn. */
  sizes: { tokens: number; runs: number; turn: number };
}

export async function run({ quick }: BenchOptions): Promise<object> {
  const home = mkdtempSync(join(tmpdir(), 'lokal-bench-'));
  const stops: (() => Promise<void>)[] = [];
  try {
    progress('writing the pack');
    const size = quick ? { ...llama135m, layers: 2, vocab: 2048 } : benchSize();
    const pack = await writeBenchPack(join(home, 'packs', 'bench-chat'), { size, preset: 'exact' });
    const key = createLiveKey(home);
    const server = await startServer(
      new URL('../../server/cli.ts', import.meta.url),
      ['serve', '--port', '0', '--json'],
      { LOKAL_HOME: home },
    );
    stops.push(server.stop);
    const client = createChatClient(server.port, key);
    const engine = await open(pack);
    stops.push(() => engine.close());
    const sizes = quick ? { tokens: 16, runs: 1, turn: 200 } : { tokens: 128, runs: 5, turn: 2000 };
    const bench = { pack, client, engine, sizes };
    const one = await compareRates(bench, 1);
    const eight = await compareRates(bench, 8);
    const secondTurn = await measureTurns(bench);
    const lookup = await measureLookup(bench);
    return {
      ratio: Math.min(one.ratio, eight.ratio),
      one,
      eight,
      second_turn_ttft_ratio: secondTurn,
      lookup_speedup: lookup,
      threads: availableParallelism(),
    };
  } finally {
    for (const stop of stops.reverse()) await stop();
    rmSync(home, { recursive: true, force: true });
  }
}

const open = (pack: EnginePack): Promise<Engine<'chat'>> =>
  openEngine(pack, { threads: availableParallelism(), providers: ['cpu'] });

/** Prompts differ from the first token on, so that no prefix helps. */
let prompts = 0;
const nextPrompt = (length: number): string => {
  prompts += 1;
  return String.fromCodePoint(
    ...Array.from({ length }, (_, at) => 0x5000 + ((prompts * 977 + at * 13) % 1500)),
  );
};

async function compareRates({ client, engine, pack, sizes }: Bench, clients: number) {
  const bias = neverEnding(pack);
  const { runs, tokens } = sizes;
  const times = await alternate({
    ours: () =>
      Promise.all(
        Array.from({ length: clients }, () =>
          client.ask({ content: nextPrompt(16), max_tokens: tokens, temperature: 1, logit_bias: bias }),
        ),
      ),
    peer: () =>
      Promise.all(
        Array.from({ length: clients }, () =>
          drain(engine, paramsOf(nextPrompt(16), { maxTokens: tokens, temperature: 1, logitBias: bias })),
        ),
      ),
    runs,
  });
  const rate = (milliseconds: number) => (clients * tokens * 1000) / milliseconds;
  const [ours, peer] = [rate(times.oursMs), rate(times.peerMs)];
  return { ours: rounded(ours), peer: rounded(peer), ratio: rounded(ours / peer) };
}

async function drain(engine: Engine<'chat'>, params: GenerateParams): Promise<void> {
  for await (const event of stream(engine, params)) void event;
}

/** Time to the first token of a second turn over that of the first. */
async function measureTurns({ client, pack, sizes }: Bench): Promise<number> {
  const ratios: number[] = [];
  const options = { max_tokens: 8, temperature: 0, logit_bias: neverEnding(pack) };
  for (let round = 0; round <= sizes.runs; round += 1) {
    // Three tokens a character.
    const content = nextPrompt(Math.floor(sizes.turn / 3));
    const first = await client.ask({ ...options, content });
    const history = [
      { role: 'user', content },
      { role: 'assistant', content: first.text },
    ];
    const second = await client.ask({ ...options, history, content: 'And then?' });
    if (round > 0) ratios.push(second.firstTokenMs / first.firstTokenMs);
    progress(`turns: first ${first.firstTokenMs.toFixed(0)} ms, second ${second.firstTokenMs.toFixed(0)} ms`);
  }
  return rounded(median(ratios));
}

/**
 * Random weights copy nothing of their own accord, so a schema asks for a text of the prompt: every token is the one that a
 * copying model would choose, and the model runs for it all the same.
 */
async function measureLookup({ engine, pack, sizes }: Bench): Promise<number> {
  const chat = { ...(pack.manifest.chat as object), speculate: false };
  const plain = await open({ ...pack, manifest: { ...pack.manifest, chat } });
  const copied = Array.from(
    { length: sizes.tokens * 2 },
    (_, at) => 'BCDFGHJKLMNPQ'[(at * at * 7 + at) % 13],
  ).join('');
  const schema = { type: 'string', const: copied };
  const params = paramsOf(`Copy: "${copied}"`, {
    maxTokens: copied.length + 8,
    format: { type: 'json_schema', schema, strict: true },
  });
  const times = await alternate({
    ours: () => drain(engine, params),
    peer: () => drain(plain, params),
    runs: sizes.runs,
  });
  await plain.close();
  return rounded(times.peerMs / times.oursMs);
}
