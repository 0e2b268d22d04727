/** /console/packs*: the packs on this machine, what serves each model, and import. */
import { type Static, Type } from 'typebox';
import { Closed, Confidence, modelIds, Nullable, UnixSeconds } from '../common.ts';
import { imageTasks } from '../services/images.ts';

const ModelIdName = Type.Enum([...modelIds]);

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
    confinement: Nullable(
      Type.String({
        description: '`on`; `partial` or `off` and the reason, where its process is not fully confined.',
      }),
    ),
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
    int8_kv_cache: Type.Boolean({
      description:
        'Keys and values in 8 bits: a quarter of the memory, and faster answers in long conversations; prompts take longer. Not for models that came as ONNX.',
    }),
  },
  { title: 'ChatPackOptions' },
);
export type ChatPackOptions = Static<typeof ChatPackOptions>;

/** Who vouches for a pack. */
export const PackSignature = Type.Object(
  {
    state: Type.Enum(['trusted', 'unknown', 'unsigned', 'wrong'], {
      description:
        'trusted: by a signer on the list; unknown: by another; wrong: changed after it was signed.',
    }),
    signer: Nullable(Type.String({ description: 'As on the list, else what the signer calls itself.' })),
    signed: Nullable(Type.String({ description: 'ISO 8601, by the clock of the signer.' })),
    public_key: Nullable(Type.String()),
    fingerprint: Nullable(Type.String()),
  },
  { title: 'PackSignature' },
);
export type PackSignature = Static<typeof PackSignature>;

export const TrustRequest = Closed(
  {
    public_key: Type.String({ pattern: '^ed25519:[A-Za-z0-9_-]{43}$' }),
    name: Type.String({
      pattern: '^[^\\x00-\\x1f\\x7f]*[^\\s\\x00-\\x1f\\x7f][^\\x00-\\x1f\\x7f]*$',
      maxLength: 100,
    }),
  },
  { title: 'TrustRequest' },
);
export type TrustRequest = Static<typeof TrustRequest>;

export const TrustedKey = Type.Object(
  { public_key: Type.String(), name: Type.String(), fingerprint: Type.String(), added: UnixSeconds },
  { title: 'TrustedKey' },
);
export type TrustedKey = Static<typeof TrustedKey>;

export const TrustList = Type.Object({ data: Type.Array(TrustedKey) }, { title: 'TrustList' });

/** Tasks of svc-vision-pro; `rerank` of svc-embed-base. */
export const packTasks = [...imageTasks, 'rerank'] as const;
export type PackTask = (typeof packTasks)[number];

export const PackSummary = Type.Object(
  {
    ref: Type.String({ description: 'id@version' }),
    id: Type.String(),
    version: Type.String(),
    name: Type.String(),
    publisher: Type.String(),
    roles: Type.Array(ModelIdName),
    tasks: Type.Array(Type.Enum([...packTasks]), {
      description: 'What it can answer for in place of its role’s pack.',
    }),
    format: Type.String(),
    licence: Type.String(),
    languages: Type.Array(Type.String()),
    status: Type.String({ description: 'starter or imported' }),
    size_bytes: Type.Integer({ minimum: 0 }),
    memory_mb: Nullable(Type.Number()),
    description: Type.String(),
    descriptions: Type.Record(Type.String(), Type.String(), { description: 'In other languages: ms, zh.' }),
    installed: UnixSeconds,
    removable: Type.Boolean(),
    signature: Nullable(PackSignature),
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
          caption: Type.Optional(Nullable(Type.String())),
          objects: Type.Optional(Nullable(Type.String())),
          scene_graph: Type.Optional(Nullable(Type.String())),
          rerank: Type.Optional(Nullable(Type.String())),
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
    task: Type.Optional(Type.Enum([...packTasks], { description: 'For this task of the role alone.' })),
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

/** Cost of an import; nothing has been written. */
export const ImportEstimate = Type.Object(
  {
    kind: Type.Enum(['pack', 'bundle', 'decoder', 'encoder', 'vision', 'recognizer']),
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
    signature: Nullable(PackSignature),
    source_bytes: Type.Integer({ minimum: 0 }),
    free_disk_bytes: Type.Integer({ minimum: 0 }),
    machine_memory_mb: Type.Integer({ minimum: 0 }),
  },
  { title: 'ImportEstimate' },
);
export type ImportEstimate = Static<typeof ImportEstimate>;

export const ChecksumRequest = Closed(ImportSource, { title: 'ChecksumRequest' });
export type ChecksumRequest = Static<typeof ChecksumRequest>;

export const FileChecksum = Type.Object({
  name: Type.String(),
  size_bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String(),
});
export type FileChecksum = Static<typeof FileChecksum>;

export const ChecksumList = Type.Object({ data: Type.Array(FileChecksum) }, { title: 'ChecksumList' });
export type ChecksumList = Static<typeof ChecksumList>;

/** Figures of this machine that tell which models it can serve, and how fast. */
export const MachineFigures = Type.Object(
  {
    memory_mb: Type.Integer({ minimum: 0 }),
    ceiling_mb: Type.Integer({ minimum: 0, description: 'Memory that all engine hosts together may take.' }),
    processors: Type.Integer({ minimum: 1 }),
    free_disk_bytes: Type.Integer({ minimum: 0 }),
    read_bytes_per_second: Nullable(
      Type.Number({
        description: 'Measured once: memory read by all processors together; null where that failed.',
      }),
    ),
  },
  { title: 'MachineFigures' },
);
export type MachineFigures = Static<typeof MachineFigures>;

export const FoundModel = Type.Object({
  source: Type.Enum(['ollama', 'lm_studio', 'hugging_face']),
  name: Type.String(),
  path: Type.String(),
  kind: Type.Enum(['pack', 'bundle', 'decoder', 'encoder', 'vision', 'recognizer']),
  size_bytes: Type.Integer({ minimum: 0 }),
});
export type FoundModel = Static<typeof FoundModel>;

export const FoundModels = Type.Object({ data: Type.Array(FoundModel) }, { title: 'FoundModels' });
export type FoundModels = Static<typeof FoundModels>;

export const BrowseRequest = Closed(
  {
    path: Nullable(Type.String({ maxLength: 4096, description: 'null: the home folder' })),
    name: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the names that are meant.' })),
  },
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
        kind: Nullable(Type.Enum(['pack', 'bundle', 'decoder', 'encoder', 'vision', 'recognizer'])),
        size_bytes: Nullable(Type.Integer({ minimum: 0 })),
      }),
    ),
    left_out: Type.Integer({
      minimum: 0,
      description: 'Entries beyond the 500 that are listed; `name` narrows them.',
    }),
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
        description: 'How a chat model is quantized; other packs are taken as they are.',
      }),
    ),
  },
  { title: 'ImportRequest' },
);
export type ImportRequest = Static<typeof ImportRequest>;
