/** The stages of a chain: what may run side by side, each item a row or a piece of work. Between stages all threads meet. */
import type { Pointer } from '../library/library.ts';
import type { AttentionShape } from './attention-layout.ts';
import { type ChainShape, chainTask } from './chain-layout.ts';
import type { WorkPlan } from './custom-op-code.ts';
import { layoutOf, type MatMulShape } from './matmul-layout.ts';
import type { RowShape } from './row-layout.ts';

/** Code of the operators' parts, `void part(task, item)` of the System V calling convention, where it lies. */
export interface ChainRoutines {
  product(shape: MatMulShape): { quantize: Pointer; multiply: Pointer; plan: WorkPlan };
  attention(shape: AttentionShape): { prepare: Pointer; attend: Pointer; merge: Pointer };
  rows(shape: RowShape): Pointer;
  /** Attention stores each number once, when it is done. */
  attendsOnce: boolean;
}

/** A number, or the field that holds it. */
export type ItemCount = number | { field: number };

export interface ChainStage {
  /** One after another for each item, with the tasks that lie so far from the frame's start. */
  routines: { address: Pointer; task: number }[];
  count: ItemCount;
  /** Items of a thread. */
  share: ItemCount;
  /** Of a product: bytes of codes of an item. */
  codes?: number;
  /** Its items can be done twice, side by side: they store nothing but what stays. */
  repeatable: boolean;
}

export function stagesOf(
  { nodes, threads }: ChainShape,
  bases: readonly number[],
  parts: ChainRoutines,
): { stages: ChainStage[]; quantizedRows: number[] } {
  const stages: ChainStage[] = [];
  const quantizedRows: number[] = [];
  const byRow = { count: { field: chainTask.rows }, share: { field: chainTask.rowShare } };
  // Work on one row after another is one stage: no row waits for others.
  const addRows = (address: Pointer, task: number) => {
    const last = stages.at(-1);
    if (typeof last?.count === 'object' && last.count.field === chainTask.rows)
      last.routines.push({ address, task });
    else stages.push({ routines: [{ address, task }], ...byRow, repeatable: true });
  };
  for (const [index, node] of nodes.entries()) {
    const task = bases[index]!;
    if (node.kind === 'product') {
      const { multiply, plan, quantize } = parts.product(node.shape);
      const count = Math.ceil(node.shape.outputs / plan.pieceOutputs);
      quantizedRows.push(plan.row);
      addRows(quantize, task);
      stages.push({
        routines: [{ address: multiply, task }],
        count,
        share: Math.ceil(count / threads),
        codes: plan.pieceOutputs * layoutOf(node.shape).codeRow,
        repeatable: true,
      });
    } else if (node.kind === 'attention') {
      const { attend, merge, prepare } = parts.attention(node.shape);
      addRows(prepare, task);
      stages.push({
        routines: [{ address: attend, task }],
        count: { field: chainTask.items },
        share: { field: chainTask.itemShare },
        repeatable: parts.attendsOnce,
      });
      addRows(merge, task);
    } else addRows(parts.rows(node.shape), task);
  }
  return { stages, quantizedRows };
}
