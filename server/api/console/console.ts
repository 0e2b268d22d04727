/** /console/*: what the person at this machine sees and does. Programs have no business here; credentials are a console session. */
import { type Static, Type } from 'typebox';
import { Bbox, Closed, modelIds, Nullable, regions, UnixSeconds } from '../common.ts';
import { ApiKey } from '../keys.ts';
import { moderationCategories } from '../services/moderations.ts';
import { EngineAttempt, engineStates } from './engines.ts';
import { FailureRecord } from './installation/failures.ts';
import { HostState } from './packs.ts';

const ModelIdName = Type.Enum([...modelIds]);

export const SessionRequest = Closed(
  { token: Type.String({ minLength: 1, maxLength: 200 }) },
  { title: 'SessionRequest' },
);
export type SessionRequest = Static<typeof SessionRequest>;

export const SessionStart = Type.Object(
  {
    secret: Type.String({ description: 'The page keeps it and sends it as X-Console-Secret.' }),
    idle_seconds: Type.Integer({ description: 'The session ends after so long without a request.' }),
  },
  { title: 'SessionStart' },
);

export const ConsoleSession = Type.Object(
  {
    id: Type.String(),
    agent: Type.String({ description: 'What the browser says it is.' }),
    created: UnixSeconds,
    last_used: UnixSeconds,
    current: Type.Boolean({ description: 'The session that asks.' }),
  },
  { title: 'ConsoleSession' },
);
export type ConsoleSession = Static<typeof ConsoleSession>;

export const SessionList = Type.Object({ data: Type.Array(ConsoleSession) }, { title: 'SessionList' });

export const Ok = Type.Object({ ok: Type.Literal(true) }, { title: 'Ok' });

export const ConsoleState = Type.Object(
  {
    version: Type.String(),
    base_url: Type.String({ description: 'What an OpenAI SDK takes as baseURL.' }),
    first_run: Type.Boolean({ description: 'True until the first keys are made.' }),
    platform: Type.String(),
    data_folder: Type.String(),
    warnings: Type.Array(Type.String(), { description: 'What a person should know of this start.' }),
    roles_ready: Type.Array(ModelIdName),
  },
  { title: 'ConsoleState' },
);
export type ConsoleState = Static<typeof ConsoleState>;

/** A short-lived live key for the playgrounds of this console session. */
export const PlaygroundKey = Type.Object(
  { secret: Type.String(), expires: UnixSeconds },
  { title: 'PlaygroundKey' },
);
export type PlaygroundKey = Static<typeof PlaygroundKey>;

export const FirstKeys = Type.Object(
  {
    live: Type.Intersect([ApiKey, Type.Object({ secret: Type.String() })]),
    test: Type.Intersect([ApiKey, Type.Object({ secret: Type.String() })]),
  },
  { title: 'FirstKeys' },
);
export type FirstKeys = Static<typeof FirstKeys>;

/** One line of the live request log: metadata only, never a payload. */
export const RequestEntry = Type.Object(
  {
    id: Type.String({ description: 'x-request-id' }),
    time_ms: Type.Integer({ minimum: 0, description: 'Unix time in milliseconds at arrival.' }),
    key_id: Nullable(Type.String()),
    key_name: Nullable(Type.String()),
    key_class: Nullable(Type.Enum(['live', 'test'])),
    method: Type.String(),
    path: Type.String({ description: 'The route, never a query string.' }),
    model: Nullable(Type.String()),
    status: Nullable(Type.Integer({ description: 'null while in flight' })),
    code: Nullable(Type.String({ description: 'Error code, if any.' })),
    duration_ms: Nullable(Type.Number()),
    prompt_tokens: Type.Integer({ minimum: 0 }),
    completion_tokens: Type.Integer({ minimum: 0 }),
    images: Type.Integer({ minimum: 0 }),
    frames: Type.Integer({ minimum: 0 }),
    pages: Type.Integer({ minimum: 0 }),
    replayed: Type.Boolean(),
    pack: Type.Optional(Type.String({ description: 'The pack that answered, `id@version`.' })),
    streamed: Type.Optional(Type.Literal(true, { description: 'The answer went out as it was made.' })),
    load_ms: Type.Optional(
      Type.Number({ minimum: 0, description: 'Of the duration: waited while a model was loaded.' }),
    ),
    inputs: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Texts of one request, where it held several.' }),
    ),
    asked: Type.Optional(
      Type.String({ maxLength: 64, description: 'The name that was asked for where no model has it.' }),
    ),
    estimated: Type.Optional(Type.Literal(true, { description: 'The counts of tokens are estimates.' })),
    upstream: Type.Optional(Nullable(Type.String({ description: 'The remote engine that answered.' }))),
    attempts: Type.Optional(
      Type.Array(EngineAttempt, { description: 'Where a route led; absent where it led nowhere else.' }),
    ),
  },
  { title: 'RequestEntry' },
);
export type RequestEntry = Static<typeof RequestEntry>;

export const RequestLog = Type.Object({ data: Type.Array(RequestEntry) }, { title: 'RequestLog' });
export type RequestLog = Static<typeof RequestLog>;

export const UsageDay = Type.Object(
  {
    day: Type.String({ description: 'YYYY-MM-DD, UTC' }),
    key_id: Type.String(),
    key_name: Type.String({ description: 'The label at the time; kept after the key is revoked.' }),
    model: Type.String(),
    upstream: Nullable(Type.String({ description: 'The remote engine that answered; null: this machine.' })),
    requests: Type.Integer({ minimum: 0 }),
    estimated: Type.Integer({
      minimum: 0,
      description:
        'Of the requests, those whose tokens are an estimate: the engine gave no count that can be true.',
    }),
    prompt_tokens: Type.Integer({ minimum: 0 }),
    completion_tokens: Type.Integer({ minimum: 0 }),
    images: Type.Integer({ minimum: 0 }),
    frames: Type.Integer({ minimum: 0 }),
    pages: Type.Integer({ minimum: 0 }),
  },
  { title: 'UsageDay' },
);
export type UsageDay = Static<typeof UsageDay>;

export const UsageReport = Type.Object({ data: Type.Array(UsageDay) }, { title: 'UsageReport' });
export type UsageReport = Static<typeof UsageReport>;

const Limits = Closed({
  requests_per_minute: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  tokens_per_minute: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  concurrent: Type.Integer({ minimum: 1, maximum: 1024 }),
});

const CallSeconds = Type.Integer({ minimum: 1, maximum: 86_400 });

const guardrailActs = ['off', 'block', 'mask'] as const;

const Guardrail = Closed({
  target: Type.String({
    minLength: 1,
    maxLength: 200,
    description: '`*` for all, or the id of a key or of a pack.',
  }),
  prompt: Type.Enum([...guardrailActs]),
  answer: Type.Enum([...guardrailActs], { description: 'Streamed answers are held back by sentence.' }),
  categories: Type.Optional(
    Type.Array(Type.Enum([...moderationCategories]), {
      minItems: 1,
      uniqueItems: true,
      description: 'All where absent.',
    }),
  ),
});

/** The settings a person may change while Lokal runs; the listening address is given at start. */
export const Settings = Closed(
  {
    limits: Closed({ free: Limits, professional: Limits, enterprise: Limits, test: Limits }),
    call_seconds: Closed(
      { free: CallSeconds, professional: CallSeconds, enterprise: CallSeconds },
      { description: 'How long an engine may work on one request of a plan.' },
    ),
    max_queue: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Requests of one key that may wait for a slot.',
    }),
    idle_unload_seconds: Type.Integer({ minimum: 0, maximum: 604_800, description: '0: never' }),
    memory_ceiling_mb: Type.Integer({
      minimum: 256,
      maximum: 4_194_304,
      description: 'All engine hosts together.',
    }),
    sealed: Type.Boolean({ description: 'Nothing is fetched; url_fetch stays off until this is.' }),
    url_fetch: Type.Enum(['off', 'allowlist', 'any']),
    url_allowlist: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 256 }),
    cors_origins: Type.Array(Type.String({ pattern: '^https?://[^*/]+$', maxLength: 300 }), { maxItems: 64 }),
    body_limit_mb: Type.Integer({ minimum: 1, maximum: 1024 }),
    request_log_rows: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Kept rows of the request log.',
    }),
    threads: Type.Integer({
      minimum: 0,
      maximum: 256,
      description: 'Threads of an engine host; 0: one per core.',
    }),
    chat_history_days: Type.Integer({
      minimum: 0,
      maximum: 3650,
      description: 'Days for which conversations of the playground are kept, encrypted; 0: none is.',
    }),
    work_history_days: Type.Integer({
      minimum: 0,
      maximum: 3650,
      description: 'Days for which work of the playgrounds is kept across restarts, encrypted; 0: none is.',
    }),
    video_frames: Type.Enum(['even', 'scene_changes'], {
      description: 'Which frames stand for a video: spread evenly over its time, or those that open a scene.',
    }),
    signed_packs_only: Type.Boolean({
      description: 'Imports packs of trusted signers alone, and no models that become packs here.',
    }),
    threat_summaries: Type.Enum(['rules', 'chat'], {
      description:
        'Who words the summary of a threat analysis: the rules, or the bound chat pack from what they found.',
    }),
    require_confinement: Type.Boolean({
      description: 'Engines run only in processes that have given up the network and foreign files.',
    }),
    responses_days: Type.Integer({
      minimum: 0,
      maximum: 3650,
      description: 'Days for which answers of /v1/responses are kept, encrypted; 0: none is.',
    }),
    files_days: Type.Integer({
      minimum: 0,
      maximum: 3650,
      description: 'Days for which files and batches of /v1 are kept, encrypted; 0: none is taken.',
    }),
    guardrails: Type.Array(Guardrail, {
      maxItems: 64,
      description:
        'What svc-shield-base looks at in chats; that of the key counts, else of the pack, else of all.',
    }),
    mcp_folders: Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
      maxItems: 64,
      description: 'Folders of this machine whose files the tools of /mcp may read by their path.',
    }),
    ollama_key: Nullable(
      Type.String({
        maxLength: 64,
        description:
          'Key that requests of Ollama’s protocol count as when they carry none; null: they are refused. Every program of this machine can use it.',
      }),
    ),
    machine_regions: Type.Array(Type.Enum([...regions]), {
      uniqueItems: true,
      description: 'Regions of X-Service-Region that this machine belongs to.',
    }),
    engine_queue_seconds: Type.Integer({
      minimum: 0,
      maximum: 600,
      description:
        'How long a request waits for a place while all remote engines that can take it work on as many as their records allow; 0: not at all.',
    }),
    document_fields: Type.Enum(['rules', 'chat'], {
      description:
        'Who fills the fields of documents: the rules alone, or after them the bound chat pack those that are missing; a value of its counts only if it stands on the page.',
    }),
  },
  { title: 'Settings' },
);
export type Settings = Static<typeof Settings>;

export const SettingsPatch = Type.Partial(Settings, { title: 'SettingsPatch', additionalProperties: false });
export type SettingsPatch = Partial<Settings>;

export const PageImageRequest = Closed(
  {
    file: Type.String({ minLength: 1, description: 'base64' }),
    page: Type.Integer({ minimum: 1 }),
    width: Type.Optional(Type.Integer({ minimum: 16, maximum: 4096, default: 1200 })),
  },
  { title: 'PageImageRequest' },
);
export type PageImageRequest = Static<typeof PageImageRequest>;

export const PageImage = Type.Object(
  { page: Type.Integer(), pages: Type.Integer(), png: Type.String({ description: 'base64 PNG' }) },
  { title: 'PageImage' },
);
export type PageImage = Static<typeof PageImage>;

export const PageLinesRequest = Closed(
  {
    file: Type.String({ minLength: 1, description: 'base64' }),
    page: Type.Integer({ minimum: 1 }),
  },
  { title: 'PageLinesRequest' },
);
export type PageLinesRequest = Static<typeof PageLinesRequest>;

const ReadText = { text: Type.String(), bbox: Bbox };

export const PageLines = Type.Object(
  {
    lines: Type.Array(
      Type.Object({ page: Type.Integer(), ...ReadText, words: Type.Array(Type.Object(ReadText)) }),
      {
        description: 'In reading order; text beside a wide gap is a line of its own.',
      },
    ),
  },
  { title: 'PageLines' },
);
export type PageLines = Static<typeof PageLines>;

/** One `data:` event of GET /console/events. */
export const ConsoleEvent = Type.Union(
  [
    Type.Object({ type: Type.Literal('request'), entry: RequestEntry }),
    Type.Object({ type: Type.Literal('host'), host: HostState }),
    Type.Object({
      type: Type.Literal('progress'),
      request_id: Type.String(),
      page: Type.Integer({ description: 'Pages done, or frames of a video.' }),
      pages: Type.Integer(),
      timestamps_ms: Type.Optional(
        Type.Array(Type.Integer({ minimum: 0 }), { description: 'Of the frames done since the last event.' }),
      ),
    }),
    Type.Object({
      type: Type.Literal('import'),
      source: Type.String({ description: 'The path, or the id of the upload.' }),
      phase: Type.String(),
      done: Type.Number({ description: '0 to 1' }),
    }),
    Type.Object({ type: Type.Literal('failure'), failure: FailureRecord }),
    Type.Object({ type: Type.Literal('settings') }, { description: 'They were changed.' }),
    Type.Object({
      type: Type.Literal('engine'),
      name: Type.String(),
      state: Type.Enum([...engineStates]),
      reason: Nullable(Type.String()),
    }),
  ],
  { title: 'ConsoleEvent' },
);
export type ConsoleEvent = Static<typeof ConsoleEvent>;
