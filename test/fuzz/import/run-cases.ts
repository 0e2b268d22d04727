/**
 * Process that imports damaged sources, one after the other, and tells of each before it begins: what ends the process is
 * known by the last. `node run-cases.ts KIND FROM TO SEED ROOT`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine as openEmbeddings } from '../../../server/engine/embeddings/engine.ts';
import { EngineError } from '../../../server/engine/engine.ts';
import { openEngine as openConverter } from '../../../server/engine/model-import/engine.ts';
import { openEngine as openThreat } from '../../../server/engine/threat/engine.ts';
import { ApiError, isErrorCode } from '../../../server/errors.ts';
import { type Conversion, importPack } from '../../../server/packs/import.ts';
import type { Pack } from '../../../server/packs/registry.ts';
import { readRuleArchive } from '../../../server/services/console/rule-archive.ts';
import { random } from '../../support/chat/tiny-decoder.ts';
import { clear, type Kind, sourceOf } from './sources.ts';

export interface Told {
  index: number;
  /** Where it is: what a host does in the product, or the server itself. */
  at?: 'server' | 'host';
  done?: { outcome: 'imported' | 'refused' | 'broken'; text: string; ms: number };
}

const [kind, from, to, seed, root] = process.argv.slice(2) as [Kind, string, string, string, string];
const tell = (told: Told) => process.send!(told);
const [sources, packs] = [join(root, 'sources'), join(root, 'packs')];
for (const folder of [sources, packs]) mkdirSync(folder, { recursive: true });
const write = await sourceOf(kind, root);
const guard = new URL('../../../models/packs/guard-starter', import.meta.url).pathname;
const threat =
  kind === 'rules'
    ? await openThreat(
        {
          ref: 'guard-starter@0.1.0',
          folder: guard,
          manifest: JSON.parse(readFileSync(join(guard, 'manifest.json'), 'utf8')),
        },
        { threads: 1, providers: ['cpu'] },
      )
    : null;
const signal = new AbortController().signal;

async function convert({ source, target, preset, onProgress }: Conversion): Promise<void> {
  const engine = await openConverter({ ref: 'convert', folder: target, manifest: {} });
  const params = { source, preset, context: null };
  try {
    for await (const { done, total } of engine.methods.convert(params, { signal } as never))
      onProgress(total === 0 ? 0 : done / total);
  } catch (error) {
    throw asTold(error, 'The engine failed.');
  }
}

async function tryPack(pack: Pack): Promise<void> {
  if (pack.manifest.engine !== 'embeddings' || kind !== 'onnx') return;
  try {
    const engine = await openEmbeddings(
      { ref: pack.ref, folder: pack.folder, manifest: { ...pack.manifest } },
      { threads: 1, providers: ['cpu'] },
    );
    await engine.close();
  } catch (error) {
    throw asTold(error, 'The pack could not be opened.');
  }
}

/** As it comes out of a host: an error's own words only where the engine meant them. */
function asTold(error: unknown, otherwise: string): ApiError {
  return error instanceof EngineError && isErrorCode(error.code)
    ? new ApiError(error.code, error.message, { param: error.param })
    : new ApiError('internal_error', otherwise);
}

async function importOne(index: number, source: string): Promise<void> {
  if (kind === 'rules') {
    const { files } = await readRuleArchive(readFileSync(source));
    tell({ index, at: 'host' });
    await threat!.methods.importRules({ files });
    return;
  }
  const onPhase = (phase: string) =>
    tell({ index, at: phase === 'converting' || phase === 'loading' ? 'host' : 'server' });
  await importPack(source, { packs, convert, tryPack, admit: () => {}, onPhase }, { signal });
}

/** One line that a person can act on. */
function judge(error: unknown): string | null {
  if (!(error instanceof ApiError || error instanceof EngineError))
    return `no error of ours: ${(error as Error).stack?.slice(0, 400)}`;
  const { code, message } = error;
  if (!['invalid_value', 'payload_too_large', 'conflict', 'too_many_inputs'].includes(code))
    return `${code}: ${message}`;
  if (/\n/.test(message) || message.length > 500 || message.includes(root))
    return `an unclear line: ${message.slice(0, 600)}`;
  if (
    /is not a function|Cannot read|undefined|is not iterable|Invalid (array|string) length|out of range|Maximum call|BigInt|ERR_/.test(
      message,
    )
  )
    return `an error of the program: ${message.slice(0, 300)}`;
  return null;
}

for (let index = Number(from); index < Number(to); index += 1) {
  tell({ index, at: 'server' });
  clear(sources);
  clear(packs);
  // Number 0 is whole, and must be taken.
  const source = write(sources, index === 0 ? null : random(Number(seed) * 1_000_003 + index));
  const startedAt = performance.now();
  let outcome: NonNullable<Told['done']>['outcome'] = 'imported';
  let text = '';
  try {
    await importOne(index, source);
  } catch (error) {
    outcome = 'refused';
    text = (error as Error).message;
    const wrong = index === 0 ? `the whole one was refused: ${text}` : judge(error);
    if (wrong !== null) [outcome, text] = ['broken', wrong];
  }
  const left = outcome === 'imported' ? [] : readdirSync(packs);
  const escaped = readdirSync(root).filter((name) => !/^(sources|packs|whole-)/.test(name));
  if (left.length + escaped.length > 0 || existsSync('/tmp/escaped'))
    [outcome, text] = ['broken', `left behind: ${[...left, ...escaped].join(', ')} ${text}`];
  tell({ index, done: { outcome, text: text.slice(0, 800), ms: Math.round(performance.now() - startedAt) } });
}
process.disconnect();
