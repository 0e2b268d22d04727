/**
 * The one list of what engines are asked and what they answer. Everything that carries a call between a service and an
 * engine derives its types from here: Engines and Host, the messages of the process boundary, the entry of a host, the
 * fixtures of test keys, the parsing thread. A new method is a line here and its implementation; the compiler names both
 * places, and asks for its fixture.
 */
import type { ModelId } from '../api/common.ts';
import type { GenerateEvent, GenerateParams, TokenizedText, TokenizeParams } from './chat/types.ts';
import type {
  DrawnDocument,
  GroundedFields,
  GroundParams,
  PageCountParams,
  PageImageParams,
  PageLine,
  PageLinesParams,
  ParseItem,
  ParseParams,
  RedactParams,
  SearchablePdfParams,
} from './documents/types.ts';
import type { EmbedParams, EmbedResult, RerankParams, RerankScores, TokenIds } from './embeddings/types.ts';
import type { AnalyzeItem, ImageAnalyzeParams } from './images/types.ts';
import type { ConvertParams, ConvertProgress, EstimateParams, ModelEstimate } from './model-import/types.ts';
import type { ClassifyParams, ClassifyResult } from './moderation/types.ts';
import type {
  Analysis,
  ImportResult,
  ListedRule,
  RuleFile,
  SetRulesParams,
  ThreatAnalyzeParams,
  UserRules,
} from './threat/types.ts';

/** Answers once. */
interface Call<Params, Result> {
  params: Params;
  result: Result;
}

/** Answers item by item: tokens, progress. All items are delivered, in order. */
interface Stream<Params, Item> {
  params: Params;
  item: Item;
}

/** Engine → method → what it is asked and answers. Plain structured-clonable values in camelCase. */
export interface Contract {
  chat: {
    generate: Stream<GenerateParams, GenerateEvent>;
    tokenize: Call<TokenizeParams, TokenizedText>;
  };
  documents: {
    /** Progress items, then one result. */
    parse: Stream<ParseParams, ParseItem>;
    pageCount: Call<PageCountParams, { pages: number }>;
    /** One page as PNG. */
    pageImage: Call<PageImageParams, { png: Uint8Array }>;
    /** The lines of one page, as they were read. */
    pageLines: Call<PageLinesParams, { lines: PageLine[] }>;
    /** A chat pack's answers, kept where they stand on the pages. */
    groundValues: Call<GroundParams, GroundedFields>;
    /** A PDF of pictures with areas painted over. */
    redact: Call<RedactParams, DrawnDocument>;
    searchablePdf: Call<SearchablePdfParams, DrawnDocument>;
  };
  embeddings: {
    embed: Call<EmbedParams, EmbedResult>;
    tokenIds: Call<EmbedParams, TokenIds>;
    /** By the cross-encoder chosen for the task `rerank`. @throws EngineError model_not_installed without one */
    rerank: Call<RerankParams, RerankScores>;
  };
  images: {
    analyze: Stream<ImageAnalyzeParams, AnalyzeItem>;
  };
  moderation: {
    classify: Call<ClassifyParams, ClassifyResult>;
  };
  threat: {
    analyze: Call<ThreatAnalyzeParams, Analysis>;
    rules: Call<null, ListedRule[]>;
    setRules: Call<SetRulesParams, { rules: number }>;
    importRules: Call<{ files: RuleFile[] }, ImportResult>;
    /** Rules that the person keeps, instead of all imports and switches so far; ours that imports stood for are back. */
    replaceRules: Call<UserRules, { rules: number }>;
  };
  /** Makes packs; serves none. */
  'model-import': {
    convert: Stream<ConvertParams, ConvertProgress>;
    /** From headers alone; writes nothing. */
    estimate: Call<EstimateParams, ModelEstimate>;
  };
}

/** Role → the engine that serves it. */
export interface RoleEngines {
  'svc-lingua-7b': 'chat';
  'svc-vision-pro': 'images';
  'svc-shield-base': 'moderation';
  'svc-guard-max': 'threat';
  'svc-parse-pro': 'documents';
  'svc-embed-base': 'embeddings';
}
export type EngineOf<Role extends ModelId> = RoleEngines[Role];

/** Engines that a host can run. */
export type HostKind = keyof Contract;
/** Engines that a pack can be for: a folder of server/engine with an `engine.ts`. */
export type EngineKind = Exclude<HostKind, 'model-import'>;

export type MethodOf<Kind extends HostKind> = string & keyof Contract[Kind];
export type StreamMethod<Kind extends HostKind> = {
  [M in MethodOf<Kind>]: Contract[Kind][M] extends { item: unknown } ? M : never;
}[MethodOf<Kind>];
export type CallMethod<Kind extends HostKind> = Exclude<MethodOf<Kind>, StreamMethod<Kind>>;

export type ParamsOf<Kind extends HostKind, Method extends MethodOf<Kind>> = Contract[Kind][Method] extends {
  params: infer Params;
}
  ? Params
  : never;
/** `null` for a method that answers item by item. */
export type ResultOf<Kind extends HostKind, Method extends MethodOf<Kind>> = Contract[Kind][Method] extends {
  result: infer Result;
}
  ? Result
  : null;
/** `never` for a method that answers once. */
export type ItemOf<Kind extends HostKind, Method extends MethodOf<Kind>> = Contract[Kind][Method] extends {
  item: infer Item;
}
  ? Item
  : never;
