/**
 * Moves the weights that onnxruntime saved beside a model to borders the kernels can use.
 *
 * onnxruntime writes prepacked weights one after another without alignment, but its quantized kernels find their parts by
 * rounding addresses up: mapped at an odd offset they read garbage (NaN logits). Every region is therefore copied to a
 * border of its own, and the model's `external_data` entries are rewritten. A second model without the prepacked entries
 * serves processors of another kind, whose kernels want another layout: same weights, packed again while loading.
 */
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { ProtobufWriter } from '../../onnx/graph/protobuf.ts';
import { readFields, rewritten, textAt } from '../../onnx/graph/protobuf-reader.ts';
import { regionStart } from './data-file.ts';

/** Numbers of fields in onnx.proto. */
const modelGraph = 7;
const graphInitializer = 5;
const tensorExternalData = 13;

export interface ExternalDataPaths {
  /** The model as saved; rewritten in place. */
  model: string;
  /** Written: the model without prepacked entries. */
  portable: string;
  /** The weights as saved; rewritten in place. */
  data: string;
}

export async function alignExternalData({ model, portable, data }: ExternalDataPaths): Promise<void> {
  const saved = await readFile(model);
  const mover = new RegionMover();
  const prepacked = rewriteModel(saved, (key, value) => mover.entry(key, value));
  const plain = rewriteModel(saved, (key, value) =>
    key.startsWith('prepacked_') ? null : mover.entry(key, value),
  );
  const moved = `${data}.moved`;
  await mover.copy(data, moved);
  await rename(moved, data);
  await writeFile(model, prepacked);
  await writeFile(portable, plain);
}

type Rewrite = (key: string, value: string) => string | null;

function rewriteModel(model: Uint8Array, rewrite: Rewrite): Uint8Array {
  return rewritten(model, {
    [modelGraph]: (graph) =>
      rewritten(graph, { [graphInitializer]: (tensor) => rewriteTensor(tensor, rewrite) }),
  });
}

/** `offset` and `length` are entries of their own and belong together, so a tensor is read before it is rewritten. */
function rewriteTensor(tensor: Uint8Array, rewrite: Rewrite): Uint8Array {
  const entries = [...readFields(tensor)]
    .filter((field) => field.number === tensorExternalData)
    .map(readEntry);
  if (entries.length === 0) return tensor;
  const found = new Map(entries);
  const place = rewrite('place', `${found.get('offset')};${found.get('length')}`);
  const writer = new ProtobufWriter();
  for (const field of readFields(tensor)) if (field.number !== tensorExternalData) writer.raw(field.whole);
  for (const [key, value] of entries) {
    const next = key === 'offset' ? place : key.startsWith('prepacked_') ? rewrite(key, value) : value;
    if (next !== null) writer.message(tensorExternalData, new ProtobufWriter().text(1, key).text(2, next));
  }
  return writer.finish();
}

const readEntry = ({ content }: { content: Uint8Array }): [key: string, value: string] => [
  textAt(content, 1),
  textAt(content, 2),
];

/** Gives every region its new offset, the same one whenever it is asked again, and copies them all at the end. */
class RegionMover {
  private readonly regions = new Map<number, { to: number; length: number }>();
  private end = 0;

  /** `place`: "offset;length" → the new offset. `prepacked_N`: "name|offset;length;checksum|…" → the same, moved. */
  entry(key: string, value: string): string {
    if (key === 'place') {
      const [from, length] = value.split(';').map(Number);
      return String(this.move(from!, length!));
    }
    const [name, ...blobs] = value.split('|');
    const moved = blobs.map((blob) => {
      const [from, length, ...rest] = blob.split(';');
      return [this.move(Number(from), Number(length)), length, ...rest].join(';');
    });
    return [name, ...moved].join('|');
  }

  private move(from: number, length: number): number {
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(length)) {
      throw new Error('the saved model names a region of its weights that makes no sense');
    }
    const known = this.regions.get(from);
    if (known) return known.to;
    const to = regionStart(this.end, length);
    this.regions.set(from, { to, length });
    this.end = to + length;
    return to;
  }

  async copy(source: string, target: string): Promise<void> {
    await using input = await open(source, 'r');
    await using output = await open(target, 'wx');
    const piece = Buffer.alloc(4 << 20);
    for (const [from, { to, length }] of this.regions) {
      for (let done = 0; done < length; ) {
        const most = Math.min(piece.length, length - done);
        const { bytesRead } = await input.read(piece, 0, most, from + done);
        if (bytesRead === 0) throw new Error('the saved weights are shorter than the saved model says');
        await output.write(piece, 0, bytesRead, to + done);
        done += bytesRead;
      }
    }
    await output.truncate(this.end);
  }
}
