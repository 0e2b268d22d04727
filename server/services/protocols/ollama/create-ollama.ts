/** Ollama's protocol, answered by the chat and the embeddings service. */
import type { ModelId } from '../../../api/common.ts';
import type {
  OllamaAnswer,
  OllamaChatRequest,
  OllamaDetails,
  OllamaEmbeddings,
  OllamaEmbedRequest,
  OllamaGenerateRequest,
  OllamaShow,
  OllamaShowRequest,
  OllamaTags,
} from '../../../api/protocols/ollama.ts';
import { embeddingDims } from '../../../api/services/embeddings.ts';
import { ApiError } from '../../../errors.ts';
import type { BoundPack } from '../../../hosts/engines.ts';
import type { PackFacts } from '../../../packs/pack-facts.ts';
import type { Caller } from '../../caller.ts';
import { answerChat, type ChatContext } from '../../chat/chat.ts';
import type { EmbeddingsService } from '../../embeddings.ts';
import { checkVisible, type InferenceDeps, visibleModels } from '../../model-call.ts';
import { callWithFieldNames, withFieldNames } from '../field-names.ts';
import { joinLines, OllamaWriter } from './ollama-writer.ts';
import { type OllamaTranslation, ollamaPromptToChat, ollamaToChat, withoutTag } from './to-chat.ts';

type LinesOrAnswer = Promise<OllamaAnswer | { events: AsyncIterable<OllamaAnswer> }>;

export interface OllamaService {
  chat(body: OllamaChatRequest, caller: Caller): LinesOrAnswer;
  generate(body: OllamaGenerateRequest, caller: Caller): LinesOrAnswer;
  embed(body: OllamaEmbedRequest, caller: Caller): Promise<OllamaEmbeddings>;
  tags(caller: Caller): OllamaTags;
  show(body: OllamaShowRequest, caller: Caller): OllamaShow;
}

/** Roles that Ollama's clients have a use for. */
const capabilities: Partial<Record<ModelId, OllamaShow['capabilities']>> = {
  'svc-lingua-7b': ['completion', 'tools'],
  'svc-embed-base': ['embedding'],
};

export interface OllamaDeps extends InferenceDeps {
  embeddings: EmbeddingsService;
}

export function createOllama({ embeddings, ...deps }: OllamaDeps): OllamaService {
  async function answer(
    body: OllamaChatRequest | OllamaGenerateRequest,
    { body: chat, names }: OllamaTranslation,
    { shape, ...context }: ChatContext & { shape: 'message' | 'response' },
  ): LinesOrAnswer {
    // A test key's bytes are a function of the request alone.
    const showsThinking = body.think !== undefined && body.think !== false;
    const clock = context.caller.principal.class === 'live' ? () => performance.now() : () => 0;
    const parts = callWithFieldNames(names, () =>
      answerChat(chat, context, (head) => new OllamaWriter(head, { shape, clock, showsThinking })),
    );
    const lines = withFieldNames(names, parts);
    return body.stream === false ? joinLines(lines) : { events: lines };
  }

  const packOf = (id: ModelId, { principal }: Caller) => {
    const engines = principal.class === 'test' ? deps.fixtures : deps.engines;
    const pack = engines.bound(id);
    const facts = engines.facts?.(id) ?? null;
    const modified_at = new Date((pack?.installed ?? 0) * 1000).toISOString();
    return { pack, facts, modified_at, details: detailsOf(pack, facts) };
  };

  return {
    async chat(body, caller) {
      if (!body.messages?.length) return loaded(withoutTag(body.model), 'message', caller);
      return answer(body, ollamaToChat(body), { deps, caller, shape: 'message' });
    },

    async generate(body, caller) {
      if (!body.prompt && body.suffix === undefined && !body.images?.length)
        return loaded(withoutTag(body.model), 'response', caller);
      const isRaw = body.raw === true || body.suffix !== undefined;
      if (isRaw && body.images?.length)
        throw new ApiError('invalid_value', 'images have no place in a raw prompt.', { param: 'images' });
      const raw = isRaw ? { raw: { text: body.prompt ?? '', suffix: body.suffix ?? null } } : {};
      return answer(body, ollamaPromptToChat(body), { deps, caller, shape: 'response', ...raw });
    },

    async embed({ model, input }, caller) {
      const result = await embeddings({ model: withoutTag(model), input, encoding_format: 'float' }, caller);
      const vectors = result.data.map(({ embedding }) => embedding as number[]);
      if (vectors.some(({ length }) => length !== embeddingDims))
        throw new Error('a vector of another width');
      return { model: result.model, embeddings: vectors, prompt_eval_count: result.usage.prompt_tokens };
    },

    tags: (caller) => ({
      models: visibleModels(caller.principal)
        .filter((id) => capabilities[id])
        .map((id) => {
          const { pack, facts, modified_at, details } = packOf(id, caller);
          const size = facts?.sizeBytes ?? 0;
          return { name: id, model: id, modified_at, size, digest: pack?.ref ?? '', details };
        }),
    }),

    show({ model, name }, caller) {
      const asked = model ?? name;
      if (asked === undefined) throw new ApiError('missing_field', 'model is required.', { param: 'model' });
      const id = checkVisible(withoutTag(asked), caller);
      const { pack, facts, modified_at, details } = packOf(id, caller);
      return {
        modelfile: '',
        parameters: '',
        template: '',
        details,
        model_info: {
          ...modelInfo(id, facts),
          'general.name': pack?.name ?? null,
          'lokal.pack': pack?.ref ?? null,
        },
        capabilities: capabilities[id] ?? [],
        modified_at,
      };
    },
  };
}

/** The answer to an empty request, which Ollama's clients send to have a model loaded: packs load when they are used. */
function loaded(model: string, shape: 'message' | 'response', caller: Caller): OllamaAnswer {
  const id = checkVisible(model, caller);
  return {
    model: id,
    created_at: new Date(0).toISOString(),
    ...(shape === 'message' ? { message: { role: 'assistant', content: '' } } : { response: '' }),
    done: true,
    done_reason: 'load',
  };
}

function detailsOf(pack: BoundPack | null, facts: PackFacts | null): OllamaDetails {
  const family = facts?.architecture ?? 'lokal';
  return {
    // An id stands for whatever is bound to it: this is the model's own name.
    parent_model: pack?.ref ?? '',
    format: 'onnx',
    family,
    families: [family],
    parameter_size: facts?.weights ? parameterSize(facts.weights) : '',
    quantization_level: facts?.quantization ?? '',
  };
}

/** As Ollama writes it: 134.52M, 7.6B. */
const parameterSize = (weights: number): string =>
  weights >= 1e9 ? `${(weights / 1e9).toFixed(1)}B` : `${(weights / 1e6).toFixed(2)}M`;

/** Under the names that clients look for: `ARCHITECTURE.context_length`. What is not known is left out. */
function modelInfo(id: ModelId, facts: PackFacts | null): Record<string, unknown> {
  const architecture = facts?.architecture ?? id;
  return {
    'general.architecture': architecture,
    ...(facts?.weights && { 'general.parameter_count': facts.weights }),
    ...(facts?.context && { [`${architecture}.context_length`]: facts.context }),
    ...(facts?.dims && { [`${architecture}.embedding_length`]: facts.dims }),
  };
}
