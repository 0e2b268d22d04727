/**
 * Chains: neighboring operators of a decoder as one, so that between them neither the runtime nor its threads are asked. The
 * parts are those that run alone elsewhere; a chain says in which order, and where their rows lie.
 */
import { createHash } from 'node:crypto';
import { type AttentionShape, attentionTask } from './attention-layout.ts';
import { type MatMulShape, task as productTask } from './matmul-layout.ts';
import { type RowShape, rowTask } from './row-layout.ts';

/**
 * Rows of numbers: an input or an output by its place, or memory of the run's own, so many bytes a row from its start: `bytes` where
 * values follow each other in one place, `own` where each has a place of its own.
 */
export type ChainRows = { input: number } | { output: number } | { bytes: number; own: number };

/** Numbers are places among the operator's inputs and outputs. */
export type ChainNode =
  | { kind: 'product'; shape: MatMulShape; x: ChainRows; y: ChainRows; weights: number[] }
  | { kind: 'gated'; shape: RowShape; x: ChainRows; y: ChainRows }
  | {
      kind: 'normed';
      shape: RowShape;
      x: ChainRows;
      addend: ChainRows;
      weights: number;
      sum: ChainRows;
      y: ChainRows;
    }
  | {
      kind: 'attention';
      shape: AttentionShape;
      /** Queries; where these hold not all, keys and values. */
      rows: ChainRows[];
      /** Keys and values, before and after. */
      past: [number, number];
      present: [number, number];
      seqlens: number;
      total: number;
      tables: number[];
      y: ChainRows;
    };

export interface ChainTensor {
  /** As ONNX numbers them: float32 1, uint8 2, int32 6, float16 10. */
  type: number;
  /** Numbers of a row, where it holds rows. */
  width?: number;
  /** Numbers that there must be, where it is constant. */
  count?: number;
}

export interface ChainShape {
  /** Threads that share the work. */
  threads: number;
  /** Times that a thread looks before it does what others have at hand, or lets them have its processor. */
  looks: number;
  nodes: ChainNode[];
  /** The first one's rows say how many there are. */
  inputs: ChainTensor[];
  /** Behind them comes one more: the memory of a run. */
  outputs: ChainTensor[];
  /** Bytes of a row in the memory of a run, where values follow each other in one place, and where each has its own. */
  rowBytes: number;
  ownBytes: number;
}

export const chainName = (shape: ChainShape): string =>
  `Chain_${createHash('sha256').update(JSON.stringify(shape)).digest('hex').slice(0, 16)}`;

/** Bytes that the memory of a run has for each row of so many numbers: the next value's rows begin with a line of a cache. */
export const rowBytesOf = (width: number): number => Math.ceil(width / 16) * 64;

/**
 * Rows up to which each value of a run has memory of its own. Work on it can then be done twice and by a thread that comes late: it reads
 * and writes the same again.
 */
export const mostOwnRows = 4;

/** Fields of a run, in bytes from its start; the nodes' tasks follow. */
export const chainTask = {
  /** Of the tensor at hand. */
  address: 0,
  rows: 8,
  batch: 16,
  tokens: 24,
  memory: 32,
  counters: 40,
  rowShare: 48,
  items: 56,
  itemShare: 64,
  /** 1: each value has memory of its own. */
  own: 72,
  /** Bytes from the memory of one attention to the next one's. */
  attentionStride: 80,
  size: 88,
};

export const taskSizeOf = ({ kind }: ChainNode): number =>
  ({ product: productTask, gated: rowTask, normed: rowTask, attention: attentionTask })[kind].size;
