/** manifest.json of a pack: what it is, which roles it fills, and the hash of every file. Snake case, as on disk. */
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { modelIds } from '../api/common.ts';
import { engineKinds } from '../engine/protocol.ts';

const name = { minLength: 1, maxLength: 200 };

export const Manifest = Type.Object({
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,63}$' }),
  version: Type.String({ pattern: '^[0-9A-Za-z][0-9A-Za-z.+-]{0,31}$' }),
  name: Type.String(name),
  publisher: Type.String(name),
  roles: Type.Array(Type.Enum([...modelIds]), { minItems: 1, uniqueItems: true }),
  /** `builtin`: an engine of ours without weights; `onnx`: graphs in the folder. */
  format: Type.Enum(['builtin', 'onnx']),
  engine: Type.Enum([...engineKinds]),
  files: Type.Array(
    Type.Object({
      path: Type.String({ minLength: 1, maxLength: 400 }),
      size_bytes: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
    { maxItems: 10_000 },
  ),
  licence: Type.String(name),
  languages: Type.Array(Type.String({ maxLength: 35 }), { maxItems: 200 }),
  /** Trained by us and shipped, or brought by the person. */
  status: Type.Enum(['starter', 'imported']),
  description: Type.String({ maxLength: 4000 }),
  /** The description in other languages of the interface (`ms`, `zh`). */
  descriptions: Type.Optional(
    Type.Record(Type.String({ maxLength: 35 }), Type.String({ maxLength: 4000 }), { maxProperties: 20 }),
  ),
  /** Resident megabytes of its host when serving; an estimate that decides evictions before the load. */
  memory_mb: Type.Optional(Type.Number({ minimum: 0 })),
  context: Type.Optional(Type.Integer({ minimum: 1 })),
  dims: Type.Optional(Type.Integer({ minimum: 1 })),
  quantization: Type.Optional(Type.String(name)),
  /** As packs of earlier versions spell it. */
  quantisation: Type.Optional(Type.String(name)),
  provenance: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
/** Engines read further blocks of their own (`encoder`, `classifier`): each engine's README names its keys. */
export type Manifest = Static<typeof Manifest>;

const checker = Compile(Manifest);

/** @throws Error naming the first field that is wrong */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('manifest.json is not valid JSON');
  }
  if (!checker.Check(value)) {
    const [problem] = checker.Errors(value);
    const field = problem?.instancePath.slice(1).replaceAll('/', '.') || 'manifest.json';
    throw new Error(`manifest.json: ${field} ${problem?.message ?? 'is not as the schema asks'}`);
  }
  for (const file of value.files) checkPackPath(file.path);
  // Those two names are the pack's own.
  if (value.files.some(({ path }) => path === 'manifest.json' || path === 'signature.json'))
    throw new Error('manifest.json: it names itself or its signature among the files');
  return value;
}

/** A path inside a pack is relative, uses `/` and never climbs. @throws Error naming the path */
export function checkPackPath(path: string): void {
  const parts = path.split('/');
  const bad = path.includes('\\') || path.includes('\0') || path.includes(':');
  if (bad || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new Error(`manifest.json: the file path ${JSON.stringify(path)} leaves the pack`);
  }
}

export const packRef = (manifest: Manifest): string => `${manifest.id}@${manifest.version}`;
