/** The engine behind `svc-lingua-7b`. */
import { totalmem } from 'node:os';
import type { Engine, EngineInfo, EngineOptions, EnginePack } from '../engine.ts';
import { checkEngine } from './check-decoder.ts';
import { Generator } from './generator.ts';
import { chooseLimits } from './limits.ts';
import { MaskThreads } from './output/mask-threads.ts';
import { type ChatPack, readChatPack } from './pack.ts';
import { openReading } from './reader/open-reading.ts';
import { generate, type RequestParts } from './request.ts';
import { type SelectedRunner, selectProvider } from './runners/provider-selection.ts';
import { KvCache } from './schedule/kv-cache.ts';
import { Scheduler } from './schedule/scheduler.ts';
import { calibrationPrompt } from './text/calibration.ts';
import { createPromptTemplate } from './text/prompt.ts';
import { createTokenizer } from './text/tokenizer.ts';
import { tokenizeRequest } from './tokenize.ts';

/**
 * Prompt tokens of a step: alone, and beside decodes, whose next tokens wait for them. Attention computes what lies above
 * the diagonal too, so long steps waste more of it than short ones lose in the products: 128 take 6 % less time than 512.
 */
export const stepTokens = 128;
const sharedStepTokens = 64;
/** Tokens of a prompt that is answered by reading: texts are read in windows, so only time bounds them. */
const readingContext = 16_384;

/** An opened model, for the chat service or for an engine that reads a chat model's answers. */
export interface ChatParts {
  parts: RequestParts;
  info: EngineInfo & { provider: string };
  close(): Promise<void>;
}

/** @throws EngineError when the pack is not a chat pack that can be served */
export async function openChatParts(pack: EnginePack, options: EngineOptions): Promise<ChatParts> {
  const chat = await readChatPack(pack.folder, pack.manifest, options.customKernels);
  const selected = await selectProvider(chat, options);
  try {
    return await createParts(chat, selected);
  } catch (error) {
    await selected.runner.close();
    throw error;
  }
}

/** @throws EngineError when the pack is not a chat pack that can be served */
export async function openEngine(pack: EnginePack, options: EngineOptions): Promise<Engine<'chat'>> {
  const { parts, info, close } = await openChatParts(pack, options);
  return {
    methods: {
      generate: (params, { signal }) => generate(parts, params, signal),
      tokenize: (params, { signal }) => tokenizeRequest(parts, params, signal),
    },
    check: ({ signal }) => checkEngine(parts, signal),
    info,
    close,
  };
}

async function createParts(chat: ChatPack, selected: SelectedRunner): Promise<ChatParts> {
  const { provider, refused, runner } = selected;
  const { positionBytes } = runner;
  const limits = chooseLimits(chat.settings, {
    context: chat.context,
    positionBytes,
    totalBytes: totalmem(),
  });
  const tokenizer = createTokenizer(chat, runner.vocabulary);
  const template = createPromptTemplate(chat);
  const cache = new KvCache(limits.slots, runner.allocate(limits));
  await runner.calibrate?.(calibrationPrompt(template, tokenizer, limits.positions));
  const scheduler = new Scheduler(cache, { stepTokens, sharedStepTokens });
  const generator = new Generator({
    runner,
    scheduler,
    cache,
    vocabulary: tokenizer.vocabulary,
    speculate: chat.settings.speculate !== false,
  });
  const maskThreads = new MaskThreads(tokenizer.vocabulary, chat.template);
  const reading = chat.reader ? await openReading(chat.reader) : null;
  const context = reading ? Math.max(readingContext, limits.positions) : limits.positions;
  const parts: RequestParts = {
    generator,
    tokenizer,
    template,
    templateSource: chat.template,
    maskThreads,
    reading,
    positions: limits.positions,
    context,
  };
  return {
    parts,
    info: {
      provider,
      refusedProviders: refused,
      context,
      slots: limits.slots,
      cache_mb: Math.ceil((limits.slots * limits.positions * positionBytes) / 2 ** 20),
    },
    close: async () => {
      await generator.close();
      await maskThreads.close();
      await reading?.reader.close();
      await runner.close();
    },
  };
}
