/** Remote engines as the console keeps them: records, routes of the services, what a trial found, how they fare. */
import { type Static, Type } from 'typebox';
import { Closed, modelIds, Nullable, regions, UnixSeconds } from '../common.ts';

export const remoteEngineKinds = ['openai', 'lokal', 'oip'] as const;
export type RemoteEngineKind = (typeof remoteEngineKinds)[number];

const Role = Type.Enum([...modelIds]);
const Region = Type.Enum([...regions]);
const Milliseconds = (most: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: most, description });

const Name = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,47}$',
  description: 'What headers, logs and metrics call it; unique.',
});

export const EngineModel = Closed(
  {
    role: Role,
    model: Type.String({
      minLength: 1,
      maxLength: 300,
      pattern: '^\\P{Cc}+$',
      description: 'Its name over there.',
    }),
  },
  { title: 'EngineModel' },
);
export type EngineModel = Static<typeof EngineModel>;

export const EngineTimeouts = Closed(
  {
    connect_ms: Milliseconds(60_000, 'Until a connection stands.'),
    first_byte_ms: Milliseconds(3_600_000, 'Until the first event or byte of an answer.'),
    silence_ms: Milliseconds(3_600_000, 'Between two parts of an answer.'),
    total_ms: Milliseconds(86_400_000, 'For one answer.'),
  },
  { title: 'EngineTimeouts' },
);
export type EngineTimeouts = Static<typeof EngineTimeouts>;

const fields = {
  name: Name,
  kind: Type.Enum([...remoteEngineKinds], {
    description: 'openai: chat, embeddings; lokal: all services; oip: tensors (Open Inference Protocol v2).',
  }),
  base_url: Type.String({
    minLength: 8,
    maxLength: 500,
    description: 'Without /v1; plain http on loopback alone, unless allow_http.',
  }),
  ca: Nullable(
    Type.String({ maxLength: 65_536, description: 'PEM of the authority that signs its certificate.' }),
  ),
  fingerprint: Nullable(
    Type.String({
      pattern: '^([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$',
      description: 'SHA-256 of its certificate; no other one is taken.',
    }),
  ),
  allow_http: Type.Boolean({ description: 'Secret and payloads cross the network in the clear.' }),
  region: Nullable(Region),
  models: Type.Array(EngineModel, { maxItems: 64 }),
  weight: Type.Integer({ minimum: 1, maximum: 1_000, description: 'Its share where a route is by weight.' }),
  concurrency: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Requests it gets at once.' }),
  timeouts: EngineTimeouts,
  pseudonyms: Type.Boolean({
    description:
      'Personal data of chats and of texts to embed is replaced before it is sent, and put back in answers; svc-shield-base of this machine finds it. Other services are not asked there.',
  }),
  enabled: Type.Boolean(),
  draining: Type.Boolean({ description: 'Running requests end, and it gets no others.' }),
};

const Secret = Nullable(Type.String({ minLength: 1, maxLength: 4_096, pattern: '^[\\x21-\\x7e]+$' }));

export const AddEngineRequest = Closed(
  {
    ...fields,
    secret: Type.Optional(Secret),
    ca: Type.Optional(fields.ca),
    fingerprint: Type.Optional(fields.fingerprint),
    allow_http: Type.Optional(fields.allow_http),
    region: Type.Optional(fields.region),
    models: Type.Optional(fields.models),
    weight: Type.Optional(fields.weight),
    concurrency: Type.Optional(fields.concurrency),
    timeouts: Type.Optional(Type.Partial(EngineTimeouts, { additionalProperties: false })),
    pseudonyms: Type.Optional(fields.pseudonyms),
    enabled: Type.Optional(fields.enabled),
    draining: Type.Optional(fields.draining),
  },
  { title: 'AddEngineRequest' },
);
export type AddEngineRequest = Static<typeof AddEngineRequest>;

/** `secret: null` takes it away; absent keeps it. */
export const ChangeEngineRequest = Type.Partial(AddEngineRequest, {
  title: 'ChangeEngineRequest',
  additionalProperties: false,
  minProperties: 1,
});
export type ChangeEngineRequest = Partial<AddEngineRequest>;

/** One thing a trial looked at. `skipped`: not asked, as something before it failed or the kind has it not. */
export const EngineCheck = Type.Object(
  {
    name: Type.String({ description: 'connect, live, authorized, models, chat, stream, usage, tools, …' }),
    model: Nullable(Type.String({ description: 'The pair it is about: its name over there.' })),
    outcome: Type.Enum(['passed', 'failed', 'absent', 'skipped']),
    detail: Type.String({ description: 'In words, without secrets.' }),
    ms: Nullable(Type.Number()),
  },
  { title: 'EngineCheck' },
);
export type EngineCheck = Static<typeof EngineCheck>;

/** Found by asking; null: not known. */
export const EngineCapabilities = Type.Object(
  {
    role: Role,
    model: Type.String(),
    usable: Type.Boolean(),
    stream: Nullable(Type.Boolean()),
    usage: Nullable(Type.Boolean({ description: 'Token counts in streams.' })),
    tools: Nullable(Type.Boolean()),
    tool_choice: Nullable(Type.Boolean({ description: 'required and a named function are obeyed.' })),
    json_schema: Nullable(Type.Boolean()),
    logprobs: Nullable(Type.Boolean()),
    choices: Nullable(Type.Boolean({ description: 'n over 1.' })),
    context: Nullable(Type.Integer({ description: 'Tokens of prompt and answer together.' })),
    tokenizes: Nullable(Type.Boolean({ description: 'It counts the tokens of a prompt when asked.' })),
    dimensions: Nullable(Type.Integer({ description: 'Of its embeddings; only 1,024 serve.' })),
    first_byte_ms: Nullable(Type.Number()),
    tokens_per_second: Nullable(Type.Number()),
  },
  { title: 'EngineCapabilities' },
);
export type EngineCapabilities = Static<typeof EngineCapabilities>;

export const EngineTrial = Type.Object(
  {
    time: UnixSeconds,
    passed: Type.Boolean(),
    summary: Type.String({ description: 'One line.' }),
    address: Nullable(Type.String({ description: 'Host and port that were dialled.' })),
    server: Nullable(Type.String({ description: 'What it says it is.' })),
    found: Type.Array(Type.String(), { description: 'Models it lists.' }),
    checks: Type.Array(EngineCheck),
    models: Type.Array(EngineCapabilities),
  },
  { title: 'EngineTrial' },
);
export type EngineTrial = Static<typeof EngineTrial>;

export const engineStates = [
  'off',
  'untried',
  'healthy',
  'ailing',
  'out',
  'misconfigured',
  'draining',
] as const;
export type EngineState = (typeof engineStates)[number];

export const EngineHealth = Type.Object(
  {
    state: Type.Enum([...engineStates], {
      description:
        'untried: no trial has passed; ailing: failed lately, still asked; out: asked again at next_trial; misconfigured: it refuses our secret.',
    }),
    reason: Nullable(Type.String({ description: 'In words, where it is not healthy.' })),
    since: UnixSeconds,
    next_trial: Nullable(UnixSeconds),
    running: Type.Integer({ minimum: 0 }),
    requests: Type.Integer({ minimum: 0, description: 'Tries since the start.' }),
    errors: Type.Integer({ minimum: 0, description: 'Tries that failed.' }),
    first_byte_ms: Nullable(Type.Number({ description: 'Median of the latest answers.' })),
    added_ms: Nullable(
      Type.Number({ description: 'Median of our own share: choosing, sending, reading on.' }),
    ),
    last_error: Nullable(Type.String()),
    last_error_time: Nullable(UnixSeconds),
  },
  { title: 'EngineHealth' },
);
export type EngineHealth = Static<typeof EngineHealth>;

export const RemoteEngine = Type.Object(
  {
    id: Type.String({ pattern: '^eng_[0-9a-f]+$' }),
    ...fields,
    has_secret: Type.Boolean(),
    from_file: Type.Boolean({
      description: 'Comes from the file given at start, and is changed there alone.',
    }),
    created: UnixSeconds,
    health: EngineHealth,
    trial: Nullable(EngineTrial),
  },
  { title: 'RemoteEngine' },
);
export type RemoteEngine = Static<typeof RemoteEngine>;

export const EngineRoute = Closed(
  {
    role: Role,
    mode: Type.Enum(['order', 'weight'], {
      description: 'order: the first that can; weight: the least busy for its weight.',
    }),
    targets: Type.Array(Type.String({ minLength: 1, maxLength: 48 }), {
      maxItems: 10_000,
      uniqueItems: true,
      description: 'Names of engines; `local` is this machine. Empty: every engine that serves the role.',
    }),
    spill_over: Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description:
          'Requests this machine works on at once before others go to the engines behind it; null: it never passes any on.',
      }),
    ),
  },
  { title: 'EngineRoute' },
);
export type EngineRoute = Static<typeof EngineRoute>;

export const EngineRouteView = Type.Object(
  {
    ...EngineRoute.properties,
    set: Type.Boolean({ description: 'False: nobody has set it; this is what holds without.' }),
    from_file: Type.Boolean({
      description: 'Comes from the file given at start, and is changed there alone.',
    }),
    serving: Type.Array(Type.String(), {
      description: 'Targets that would be asked now, first to last: where a request would go.',
    }),
  },
  { title: 'EngineRouteView' },
);
export type EngineRouteView = Static<typeof EngineRouteView>;

export const EngineList = Type.Object(
  {
    data: Type.Array(RemoteEngine),
    routes: Type.Array(EngineRouteView, { description: 'One for each role.' }),
    machine_regions: Type.Array(Region, { description: 'Regions that this machine belongs to.' }),
    sealed: Type.Boolean({ description: 'Engines beyond this machine are not asked while Lokal is sealed.' }),
  },
  { title: 'EngineList' },
);
export type EngineList = Static<typeof EngineList>;

/** One try of a request at one target. */
export const EngineAttempt = Type.Object(
  {
    role: Role,
    target: Type.String({ description: 'Name of the engine; `local` is this machine.' }),
    model: Nullable(Type.String()),
    outcome: Type.String({ description: '`answered`, or what went wrong.' }),
    ms: Type.Number({ description: 'To its first byte, or to its failure.' }),
    added_ms: Type.Optional(
      Type.Number({
        description: 'Of an answer from elsewhere, our own share: choosing, sending, reading on.',
      }),
    ),
    pseudonyms: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Values that it saw pseudonyms of; absent: it saw what was sent.',
      }),
    ),
  },
  { title: 'EngineAttempt' },
);
export type EngineAttempt = Static<typeof EngineAttempt>;
