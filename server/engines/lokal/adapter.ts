/** Another Lokal, over its own API: all six services. Its rules, templates and settings are never taken for ours. */
import { modelIds } from '../../api/common.ts';
import type { DocumentsResult } from '../../api/services/documents.ts';
import type { ImagesResult } from '../../api/services/images.ts';
import type { SafetyResult, ThreatResult } from '../../api/services/moderations.ts';
import type { TokenizeResult } from '../../api/services/tokenize.ts';
import type { GenerateParams, TokenizeParams } from '../../engine/chat/types.ts';
import type { ParseParams } from '../../engine/documents/types.ts';
import type { EmbedParams } from '../../engine/embeddings/types.ts';
import type { ImageAnalyzeParams } from '../../engine/images/types.ts';
import type { EngineAdapter, RemoteAsk } from '../adapter.ts';
import { chatRefusal, streamChat } from '../openai/adapter.ts';
import { readEmbeddings } from '../openai/embeddings.ts';
import { askLokal, explainLokal, lokalHeaders } from './ask.ts';
import { checkLokal, tryLokal } from './trial.ts';
import { fromLokal, toAnalysis, toAnalyzeResult, toClassifyResult, toParseResult } from './wire.ts';

export const lokalAdapter: EngineAdapter = {
  kind: 'lokal',
  roles: modelIds,
  methods: {
    chat: {
      generate: (params, ask) =>
        streamChat(params, ask, { headers: lokalHeaders(ask), explain: explainLokal }),
      tokenize,
    },
    embeddings: { embed },
    images: { analyze: analyzeImage },
    moderation: {
      async classify(params, ask) {
        const { text, ...rest } = params;
        const body = { model: ask.model, input: text, ...rest };
        const answer = await askLokal<SafetyResult>('/v1/moderations', body, ask);
        return fromLokal(() => toClassifyResult(answer));
      },
    },
    threat: {
      async analyze({ text, ...rest }, ask) {
        const answer = await askLokal<ThreatResult>(
          '/v1/moderations',
          { model: ask.model, input: text, ...rest },
          ask,
        );
        return fromLokal(() => toAnalysis(answer));
      },
    },
    documents: { parse },
  },
  refusal(method, params, capabilities) {
    if (method === 'generate') {
      const given = params as GenerateParams;
      if (given.raw && given.topLogprobs !== null) return 'it gives no log probabilities of raw prompts';
      return chatRefusal(given, capabilities);
    }
    if (method === 'parse') {
      const { template, withLines } = params as ParseParams;
      if (template !== null && typeof template === 'object') return 'it does not know a template made here';
      if (withLines === true) return 'fields that a chat pack fills are filled here';
    }
    const { frames } = params as Partial<ImageAnalyzeParams>;
    return frames !== undefined && frames.sampling !== 'even'
      ? 'it may choose other frames of a video'
      : null;
  },
  check: checkLokal,
  trial: tryLokal,
};

async function tokenize(params: TokenizeParams, ask: RemoteAsk) {
  const body =
    'text' in params
      ? { model: ask.model, prompt: params.text, return_token_strs: true }
      : {
          model: ask.model,
          messages: params.request.messages,
          ...(params.request.tools.length > 0 ? { tools: params.request.tools } : {}),
        };
  const answer = await askLokal<TokenizeResult>('/v1/tokenize', body, ask);
  return fromLokal(() => ({
    tokens: answer.tokens.map(Number),
    context: answer.max_model_len,
    pieces: answer.token_strs ?? [],
  }));
}

async function embed({ texts, task }: EmbedParams, ask: RemoteAsk) {
  const body = { model: ask.model, input: texts, ...(task === undefined ? {} : { task }) };
  return readEmbeddings(JSON.stringify(await askLokal('/v1/embeddings', body, ask)), texts);
}

async function* analyzeImage({ bytes, tasks, language, frames }: ImageAnalyzeParams, ask: RemoteAsk) {
  const image = Buffer.from(bytes).toString('base64');
  const body = { model: ask.model, image, tasks, language, max_frames: frames.maxFrames };
  const answer = await askLokal<ImagesResult>('/v1/images/analyze', body, ask);
  yield { kind: 'result' as const, result: fromLokal(() => toAnalyzeResult(answer)) };
}

async function* parse({ bytes, template, pages, outputFormat }: ParseParams, ask: RemoteAsk) {
  const body = {
    model: ask.model,
    file: Buffer.from(bytes).toString('base64'),
    output_format: outputFormat,
    ...(template === null ? {} : { template }),
    ...(pages === null ? {} : { pages }),
  };
  const answer = await askLokal<DocumentsResult>('/v1/documents/parse', body, ask);
  yield { kind: 'result' as const, result: fromLokal(() => toParseResult(answer)) };
}
