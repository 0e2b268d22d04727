import { Tokenizer } from '@huggingface/tokenizers';
import type { EngineOptions, EnginePack } from '../../engine.ts';
import { openOnFirst } from '../../onnx/open.ts';
import type { Session } from '../../onnx/session.ts';
import { Tensor } from '../../onnx/tensor.ts';
import { type Scores, zeroScores } from '../categories.ts';
import { sentenceWindows } from '../windows.ts';
import type { Classifier, TextWindow } from './classifier.ts';
import { pathInPack, readClassifierJson, refuseClassifierPack } from './classifier-pack-files.ts';
import { categoryScores, readSequenceConfig, type SequenceConfig } from './sequence-config.ts';

/** Rows of one run. */
const batchRows = 8;

/** The parts that opening brought together. */
interface Parts {
  session: Session;
  provider: string;
  tokenizer: Tokenizer;
  config: SequenceConfig;
}

/** A Hugging Face sequence classifier: text → label probabilities → our categories. */
class SequenceClassifier implements Classifier {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get thresholds(): Scores {
    return this.#parts.config.thresholds;
  }

  get provider(): string {
    return this.#parts.provider;
  }

  windows(text: string): TextWindow[] {
    const count = (part: string) => this.#encode(part, { start: 0, end: part.length }).length;
    return sentenceWindows(text, this.#parts.config.maxTokens, count);
  }

  async score(text: string, segments: TextWindow[], signal: AbortSignal): Promise<Scores[]> {
    const scores: Scores[] = [];
    for (let at = 0; at < segments.length; at += batchRows) {
      signal.throwIfAborted();
      const rows = segments
        .slice(at, at + batchRows)
        .map((segment) => this.#encode(text, segment).slice(0, this.#parts.config.maxTokens));
      scores.push(...(await this.#run(rows, signal)));
    }
    return scores;
  }

  close(): Promise<void> {
    return this.#parts.session.close();
  }

  #encode(text: string, { start, end }: TextWindow): number[] {
    return this.#parts.tokenizer.encode(text.slice(start, end)).ids;
  }

  async #run(rows: number[][], signal: AbortSignal): Promise<Scores[]> {
    const { session, config } = this.#parts;
    const length = Math.max(1, ...rows.map((row) => row.length));
    const make = (value: (id: number | undefined) => number) =>
      new Tensor(
        'int64',
        BigInt64Array.from(rows.flatMap((row) => Array.from({ length }, (_, at) => BigInt(value(row[at]))))),
        [rows.length, length],
      );
    const all: Record<string, Tensor> = {
      input_ids: make((id) => id ?? 0),
      attention_mask: make((id) => (id === undefined ? 0 : 1)),
      token_type_ids: make(() => 0),
    };
    const inputs = Object.fromEntries(session.inputs.map(({ name }) => [name, all[name] as Tensor]));
    const [output] = Object.values(await session.run(inputs, { signal }));
    const logits = output?.data as Float32Array;
    const width = logits.length / rows.length;
    const scores = rows.map((_, row) =>
      categoryScores(logits.slice(row * width, (row + 1) * width), config, zeroScores()),
    );
    for (const tensor of [...Object.values(all), output]) tensor?.close();
    return scores;
  }
}

/** @throws EngineError for a graph with other inputs, or with outputs that `labels` does not name one by one. */
function checkGraph(session: Session, config: SequenceConfig): void {
  const known = ['input_ids', 'attention_mask', 'token_type_ids'];
  const foreign = session.inputs.find(({ name }) => !known.includes(name));
  if (foreign) throw refuseClassifierPack(`its graph wants an input named ${foreign.name}`);
  const width = session.outputs[0]?.dims?.at(-1);
  if (typeof width === 'number' && width > 0 && width !== config.labels.length) {
    throw refuseClassifierPack(`its graph has ${width} labels, its manifest ${config.labels.length}`);
  }
}

/** @throws EngineError internal_error when manifest and graph do not fit each other */
export async function openSequenceClassifier(pack: EnginePack, options: EngineOptions): Promise<Classifier> {
  const config = readSequenceConfig(pack.manifest);
  const definition = await readClassifierJson(pack.folder, config.tokenizer);
  const settings = await readClassifierJson(pack.folder, 'tokenizer_config.json').catch(() => ({}));
  const path = pathInPack(pack.folder, config.model);
  const { session, provider } = await openOnFirst(options.providers, path, {
    threads: options.threads,
    graph: 'classifier',
  });
  checkGraph(session, config);
  return new SequenceClassifier({
    session,
    provider,
    tokenizer: new Tokenizer(definition, settings),
    config,
  });
}
