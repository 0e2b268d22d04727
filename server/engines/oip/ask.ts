/** Requests of the Open Inference Protocol v2, tensors as JSON. */
import type { RemoteAsk } from '../adapter.ts';
import { readText, statusFault } from '../connection.ts';
import { parseJsonObject } from '../openai/embeddings.ts';

export interface OipTensor {
  name: string;
  datatype: string;
  shape: number[];
  /** Flat, or nested as the shape says. */
  data: (number | number[])[];
}

const mostAnswerBytes = 64 * 1024 * 1024;

/** A GET, or a POST of `body`. @throws EngineFault */
export async function askOip<T>(
  path: string,
  { connection, signal, caller }: Pick<RemoteAsk, 'connection' | 'signal' | 'caller'>,
  body?: object,
): Promise<T> {
  const response = await connection.send({
    path,
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal,
    caller,
  });
  if (response.status !== 200) throw await statusFault(response);
  return parseJsonObject<T>(await readText(response, mostAnswerBytes));
}

/** Inputs of rows of one length: `[rows.length, length]`. */
export function tokensOf(rows: readonly (readonly number[])[]): OipTensor[] {
  const shape = [rows.length, rows[0]?.length ?? 0];
  const ids = rows.flat();
  return [
    { name: 'input_ids', datatype: 'INT64', shape, data: ids },
    { name: 'attention_mask', datatype: 'INT64', shape, data: ids.map(() => 1) },
  ];
}
