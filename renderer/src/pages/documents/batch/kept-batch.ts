/** A batch as it is kept across restarts: its files, what was read of them, corrected and approved. */
import { toBase64 } from '../../../components/source-file.ts';
import type { Batch, BatchItem } from './batch.ts';

export interface KeptBatch {
  items: (Pick<BatchItem, 'name' | 'read' | 'result' | 'approved' | 'problem'> & {
    base64: string;
    corrections: [place: string, text: string][];
  })[];
  template: Batch['template'];
}

/** More would fit no request as base64. */
const mostBytes = 30 * 1024 * 1024;

export const isKeepable = ({ items }: Batch): boolean =>
  items.length > 0 && items.reduce((sum, { file }) => sum + file.size, 0) <= mostBytes;

/** Each file is read once, however often its batch changes. */
const encoded = new WeakMap<File, Promise<string>>();

function encode(file: File): Promise<string> {
  const known = encoded.get(file) ?? toBase64(file);
  encoded.set(file, known);
  return known;
}

export async function toKept({ items, template }: Batch): Promise<KeptBatch> {
  const kept = items.map(async ({ file, name, read, result, approved, problem, corrections }) => ({
    ...{ name, read, result, approved, problem },
    base64: await encode(file),
    corrections: [...corrections],
  }));
  return { items: await Promise.all(kept), template };
}

/** The rest of the files waits for the person's word. */
export function fromKept({ items, template }: KeptBatch): Batch {
  const restored = items.map(({ base64, corrections, ...item }, id): BatchItem => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const state = item.result ? 'done' : item.problem ? 'failed' : 'waiting';
    const file = new File([bytes], item.name);
    return { ...item, id, file, state, progress: null, corrections: new Map(corrections) };
  });
  return { items: restored, paused: restored.some(({ state }) => state === 'waiting'), template };
}
