/** /console/*: what the person at this machine sees and does. Programs have no business here; credentials are a console session. */
import { type Static, Type } from 'typebox';
import { Bbox, Closed, Confidence, modelIds, Nullable, UnixSeconds } from './common.ts';
import { imageTasks } from './images.ts';
import { ApiKey } from './keys.ts';

const ModelIdName = Type.Enum([...modelIds]);

export const SessionRequest = Closed(
  { token: Type.String({ minLength: 1, maxLength: 200 }) },
  { title: 'SessionRequest' },
);
export type SessionRequest = Static<typeof SessionRequest>;

export const Ok = Type.Object({ ok: Type.Literal(true) }, { title: 'Ok' });

/** State of one pack's host process. */
export const HostState = Type.Object(
  {
    pack: Type.String({ description: 'id@version' }),
    state: Type.Enum(['stopped', 'starting', 'ready', 'backing_off', 'failed']),
    pid: Nullable(Type.Integer()),
    generation: Type.Integer({ minimum: 0, description: 'How many processes have served this pack.' }),
    running: Type.Integer({ minimum: 0, description: 'Calls under way.' }),
    memory_mb: Nullable(Type.Number()),
    provider: Nullable(Type.String({ description: 'The execution provider that serves.' })),
    provider_reason: Nullable(Type.String()),
    last_error: Nullable(Type.String()),
    idle_unload_seconds: Nullable(
      Type.Number({ description: 'Seconds until it is unloaded, if it stays idle.' }),
    ),
  },
  { title: 'HostState' },
);
export type HostState = Static<typeof HostState>;

/** Sizes of a chat pack that a person may set; null: as Lokal chooses them for this machine. */
export const ChatPackOptions = Closed(
  {
    slots: Nullable(Type.Integer({ minimum: 1, maximum: 256, description: 'Sequences at once.' })),
    cache_mb: Nullable(
      Type.Integer({ minimum: 1, maximum: 4_194_304, description: 'Keys and values, all slots together.' }),
    ),
    context: Nullable(
      Type.Integer({ minimum: 16, maximum: 16_777_216, description: 'Positions of a slot.' }),
    ),
    speculate: Type.Boolean({ description: 'Drafts by prompt look-up where one sequence runs.' }),
    small_cache: Type.Boolean({
      description:
        'Keys and values in 8 bits: a quarter of the memory, and faster answers in long conversations; prompts take longer. Not for models that came as ONNX.',
    }),
  },
  { title: 'ChatPackOptions' },
);
export type ChatPackOptions = Static<typeof ChatPackOptions>;

export const PackSummary = Type.Object(
  {
    ref: Type.String({ description: 'id@version' }),
    id: Type.String(),
    version: Type.String(),
    name: Type.String(),
    publisher: Type.String(),
    roles: Type.Array(ModelIdName),
    tasks: Type.Array(Type.Enum([...imageTasks]), { description: 'What a vision pack can answer for.' }),
    format: Type.String(),
    licence: Type.String(),
    languages: Type.Array(Type.String()),
    status: Type.String({ description: 'starter or imported' }),
    size_bytes: Type.Integer({ minimum: 0 }),
    memory_mb: Nullable(Type.Number()),
    description: Type.String(),
    installed: UnixSeconds,
    removable: Type.Boolean(),
    context: Nullable(Type.Integer({ minimum: 1, description: 'The longest it was made or imported for.' })),
    chat_options: Nullable(ChatPackOptions),
    thresholds: Type.Optional(
      Type.Record(Type.String(), Confidence, {
        description: 'Of a moderation pack: the score it flags a category at where a request names none.',
      }),
    ),
  },
  { title: 'PackSummary' },
);
export type PackSummary = Static<typeof PackSummary>;

export const RoleBinding = Type.Object(
  {
    role: ModelIdName,
    status: Type.Enum(['stable', 'beta']),
    pack: Nullable(Type.String()),
    host: Nullable(HostState),
    tasks: Type.Optional(
      Type.Object(
        {
          caption: Nullable(Type.String()),
          objects: Nullable(Type.String()),
          scene_graph: Nullable(Type.String()),
        },
        { description: 'Packs chosen for single tasks; null: the pack of the role.' },
      ),
    ),
  },
  { title: 'RoleBinding' },
);
export type RoleBinding = Static<typeof RoleBinding>;

export const PackOverview = Type.Object(
  { roles: Type.Array(RoleBinding), packs: Type.Array(PackSummary) },
  { title: 'PackOverview' },
);
export type PackOverview = Static<typeof PackOverview>;

export const BindRequest = Closed(
  {
    role: ModelIdName,
    pack: Nullable(Type.String({ maxLength: 200 })),
    task: Type.Optional(Type.Enum([...imageTasks], { description: 'For this task of the role alone.' })),
  },
  { title: 'BindRequest' },
);
export type BindRequest = Static<typeof BindRequest>;

export const PackRequest = Closed(
  { pack: Type.String({ minLength: 1, maxLength: 200 }) },
  { title: 'PackRequest' },
);
export type PackRequest = Static<typeof PackRequest>;

/** One of the two. */
const ImportSource = {
  path: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4096, description: 'A folder or file on this machine.' }),
  ),
  upload: Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}$', description: 'Files handed over before.' })),
};

export const EstimateRequest = Closed(ImportSource, { title: 'EstimateRequest' });
export type EstimateRequest = Static<typeof EstimateRequest>;

/** What an import would take; nothing has been written. */
export const ImportEstimate = Type.Object(
  {
    kind: Type.Enum(['pack', 'bundle', 'decoder', 'encoder', 'vision', 'recogniser']),
    name: Nullable(Type.String()),
    format: Type.String(),
    architecture: Nullable(Type.String()),
    weights: Nullable(Type.Integer({ minimum: 0 })),
    context: Nullable(Type.Integer({ minimum: 1 })),
    options: Type.Array(
      Type.Object({
        preset: Nullable(Type.String({ description: 'null where there is nothing to choose.' })),
        pack_bytes: Type.Integer({ minimum: 0 }),
        disk_bytes: Type.Integer({ minimum: 0, description: 'At most, while it is imported.' }),
        memory_mb: Nullable(Type.Number({ description: 'Of its process when it serves.' })),
      }),
    ),
    source_bytes: Type.Integer({ minimum: 0 }),
    free_disk_bytes: Type.Integer({ minimum: 0 }),
    machine_memory_mb: Type.Integer({ minimum: 0 }),
  },
  { title: 'ImportEstimate' },
);
export type ImportEstimate = Static<typeof ImportEstimate>;

export const BrowseRequest = Closed(
  { path: Nullable(Type.String({ maxLength: 4096, description: 'null: the home folder' })) },
  { title: 'BrowseRequest' },
);
export type BrowseRequest = Static<typeof BrowseRequest>;

export const FolderListing = Type.Object(
  {
    path: Type.String(),
    parent: Nullable(Type.String()),
    entries: Type.Array(
      Type.Object({
        name: Type.String(),
        path: Type.String(),
        folder: Type.Boolean(),
        kind: Nullable(Type.Enum(['pack', 'bundle', 'decoder', 'encoder', 'vision', 'recogniser'])),
        size_bytes: Nullable(Type.Integer({ minimum: 0 })),
      }),
    ),
  },
  { title: 'FolderListing' },
);
export type FolderListing = Static<typeof FolderListing>;

export const UploadPiece = Closed(
  {
    path: Type.String({ minLength: 1, maxLength: 1000, description: 'Relative, with /' }),
    offset: Type.Integer({ minimum: 0 }),
    data: Type.String({ description: 'base64' }),
  },
  { title: 'UploadPiece' },
);
export type UploadPiece = Static<typeof UploadPiece>;

export const Uploaded = Type.Object({ size_bytes: Type.Integer({ minimum: 0 }) }, { title: 'Uploaded' });

export const PackOptionsRequest = Closed(
  { pack: Type.String({ minLength: 1, maxLength: 200 }), options: ChatPackOptions },
  { title: 'PackOptionsRequest' },
);
export type PackOptionsRequest = Static<typeof PackOptionsRequest>;

export const ImportRequest = Closed(
  {
    ...ImportSource,
    preset: Type.Optional(
      Type.Enum(['quality', 'speed', 'exact', 'float32'], {
        default: 'quality',
        description: 'How a chat model is quantised; other packs are taken as they are.',
      }),
    ),
  },
  { title: 'ImportRequest' },
);
export type ImportRequest = Static<typeof ImportRequest>;

export const ConsoleState = Type.Object(
  {
    version: Type.String(),
    base_url: Type.String({ description: 'What an OpenAI SDK takes as baseURL.' }),
    first_run: Type.Boolean({ description: 'True until the first keys are made.' }),
    platform: Type.String(),
    data_folder: Type.String(),
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
    requests: Type.Integer({ minimum: 0 }),
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

/** The settings a person may change while Lokal runs; the listening address is given at start. */
export const Settings = Closed(
  {
    limits: Closed({ free: Limits, professional: Limits, enterprise: Limits, test: Limits }),
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
    video_frames: Type.Enum(['even', 'scene_changes'], {
      description: 'Which frames stand for a video: spread evenly over its time, or those that open a scene.',
    }),
    threat_summaries: Type.Enum(['rules', 'chat'], {
      description:
        'Who words the summary of a threat analysis: the rules, or the bound chat pack from what they found.',
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
      page: Type.Integer(),
      pages: Type.Integer(),
    }),
    Type.Object({
      type: Type.Literal('import'),
      source: Type.String({ description: 'The path, or the id of the upload.' }),
      phase: Type.String(),
      done: Type.Number({ description: '0 to 1' }),
    }),
  ],
  { title: 'ConsoleEvent' },
);
export type ConsoleEvent = Static<typeof ConsoleEvent>;
