/** The functions of a chain that onnxruntime calls: places of all rows are found, then the chain's stages run. */
import { type Assembler, at, type General, r12, r13, rax, rbx, rcx, rdx, rsi, rsp } from './assembler.ts';
import { attentionTask } from './attention-layout.ts';
import { AttentionSetup } from './attention-op-code.ts';
import {
  type ChainNode,
  type ChainRows,
  type ChainShape,
  chainTask,
  mostOwnRows,
  taskSizeOf,
} from './chain-layout.ts';
import { type ChainRoutines, type ChainStage, stagesOf } from './chain-stages.ts';
import { emitParticipant, lineFields, stageBytes } from './chain-work.ts';
import { task as productTask } from './matmul-layout.ts';
import type { EmittedOperator, OperatorSignature } from './operator-emitter.ts';
import { rowTask } from './row-layout.ts';
import { x64Convention } from './x64-conventions.ts';

/** Quantized rows lie together. */
const together = 16;
/** Bytes between two values' rows: without them they would lie whole pages apart, where a load waits for the store before it. */
const apart = 5 * 64;

export const emitChain = (
  code: Assembler,
  routines: ChainRoutines,
  shape: ChainShape,
  signature: OperatorSignature,
): EmittedOperator => new ChainOperatorEmitter(code, routines, shape).emit(signature);

/** Places of the nodes' tasks, in bytes from the frame's start. */
function taskPlaces(nodes: readonly ChainNode[]): { bases: number[]; size: number } {
  let size = chainTask.size;
  const bases = nodes.map((node) => {
    size += taskSizeOf(node);
    return size - taskSizeOf(node);
  });
  return { bases, size };
}

class ChainOperatorEmitter extends AttentionSetup<Assembler> {
  readonly #shape: ChainShape;
  readonly #stages: ChainStage[];
  /** Bytes of each product's quantized row. */
  readonly #quantizedRows: readonly number[];
  /** Fields that get the address of a value, by its place. */
  readonly #fields = new Map<string, number[]>();
  readonly #attentions: { node: Extract<ChainNode, { kind: 'attention' }>; base: number }[] = [];
  readonly #products: number[] = [];

  constructor(code: Assembler, routines: ChainRoutines, shape: ChainShape) {
    const { bases, size } = taskPlaces(shape.nodes);
    super(code, x64Convention, size, 'an input of a chain is not of the shape that its code was made for');
    this.#shape = shape;
    const { quantizedRows, stages } = stagesOf(shape, bases, routines);
    this.#stages = stages;
    this.#quantizedRows = quantizedRows;
    for (const [index, node] of shape.nodes.entries()) this.#addFields(node, bases[index]!);
  }

  #addFields(node: ChainNode, base: number): void {
    const { kind } = node;
    const add = (place: ChainRows, field: number) => {
      const key = JSON.stringify(place);
      this.#fields.set(key, [...(this.#fields.get(key) ?? []), base + field]);
    };
    const addInputs = (inputs: readonly number[], fields: readonly number[]) => {
      for (const [index, input] of inputs.entries()) add({ input }, fields[index]!);
    };
    if (kind === 'product') {
      add(node.x, productTask.x);
      add(node.y, productTask.y);
      addInputs(node.weights, [productTask.codes, productTask.scales, productTask.zeros]);
      this.#products.push(base);
    } else if (kind === 'attention') {
      const { keys, query, key, value, values } = attentionTask;
      for (const [index, rows] of node.rows.entries()) add(rows, [query, key, value][index]!);
      add(node.y, attentionTask.y);
      addInputs(
        [...node.past, node.seqlens, node.total],
        [keys, values, attentionTask.seqlens, attentionTask.total],
      );
      addInputs(node.tables, [attentionTask.cosines, attentionTask.sines]);
      this.#attentions.push({ node, base });
    } else {
      add(node.x, rowTask.x);
      add(node.y, rowTask.y);
      if (kind !== 'normed') return;
      add(node.addend, rowTask.addend);
      add(node.sum, rowTask.sum);
      addInputs([node.weights], [rowTask.weights]);
    }
  }

  /** Constants must be of the sizes that the code was made for. */
  create() {
    const constants = this.#shape.inputs.flatMap(({ count }, index) =>
      count === undefined ? [] : [{ index, count }],
    );
    return this.createOf(constants);
  }

  /** OrtStatus * compute(kernel, context). r12: context, rbx: rows. */
  compute() {
    const { code } = this;
    const participant = emitParticipant(code, this.#stages, this.#shape);
    return this.function(() => {
      code.mov(r12, rsi);
      this.#readRows();
      this.#makeMemory();
      this.#makeOutputs();
      this.#placeRows();
      this.#readInputs();
      code.mov(rbx, at(rsp, chainTask.rows));
      code.movConstant(rax, 0);
      code.test(rbx, rbx);
      code.j('e', this.end);
      for (const { base, node } of this.#attentions) this.plan(node.shape, base);
      code.mov(rbx, at(rsp, chainTask.rows));
      this.#plan();
      this.#clearCounters();
      code.movConstant(rdx, this.#shape.threads);
      this.parallel(participant);
      code.mov(r13, rax);
      this.free(this.#attentions[0]!.base + attentionTask.memory);
      code.mov(rax, r13);
    });
  }

  /** The first input's rows: how many there are, and of how many tokens. */
  #readRows(): void {
    const { code, frame } = this;
    const { width } = this.#shape.inputs[0]!;
    this.readInput(0, chainTask.address);
    this.dimensions([null, null, width!]);
    this.keep(0, chainTask.batch);
    this.keep(1, chainTask.tokens);
    this.#fill({ input: 0 });
    code.mov(rax, at(rsp, frame.count));
    code.divConstant(width!);
    code.store(at(rsp, chainTask.rows), rax);
    code.mov(rbx, rax);
    code.movConstant(rcx, 0);
    code.movConstant(rdx, 1);
    code.cmpConstant(rbx, mostOwnRows);
    code.cmov('le', rcx, rdx);
    code.store(at(rsp, chainTask.own), rcx);
  }

  /** One of two by whether each value has memory of its own; uses rdx. */
  #choose(to: General, otherwise: General): void {
    const { code } = this;
    code.mov(rdx, at(rsp, chainTask.own));
    code.cmpConstant(rdx, 0);
    code.cmov('e', to, otherwise);
  }

  /** The address at hand, to all fields that want it. */
  #fill(place: ChainRows): void {
    const { code } = this;
    code.mov(rax, at(rsp, chainTask.address));
    this.#fillFrom(place);
  }

  #fillFrom(place: ChainRows): void {
    for (const field of this.#fields.get(JSON.stringify(place)) ?? []) this.code.store(at(rsp, field), rax);
  }

  #output(index: number, sizes: readonly (number | { field: number })[]): void {
    const { code, frame } = this;
    for (const [dimension, size] of sizes.entries()) {
      if (typeof size === 'number') code.movConstant(rax, size);
      else code.mov(rax, at(rsp, size.field));
      code.store(at(rsp, frame.dimensions + 8 * dimension), rax);
    }
    code.movConstant(rax, sizes.length);
    code.store(at(rsp, frame.rank), rax);
    this.makeOutput(index, chainTask.address);
  }

  /** Rows, then quantized ones, sixteen together, then what threads count. */
  #makeMemory(): void {
    const { outputs, ownBytes, rowBytes, threads } = this.#shape;
    const { code } = this;
    const counters = this.#stages.length * stageBytes(threads);
    const padded = () => {
      code.lea(rcx, at(rbx, together - 1));
      code.andConstant(rcx, -together);
      code.imul(rsi, rcx, Math.max(...this.#quantizedRows));
      code.imul(rcx, rcx, this.#quantizedBefore(this.#quantizedRows.length));
      this.#choose(rcx, rsi);
    };
    code.imul(rax, rbx, ownBytes / 4);
    code.imul(rcx, rbx, rowBytes / 4);
    this.#choose(rax, rcx);
    padded();
    code.addConstant(rcx, counters + this.#ownRows().length * apart + 2 * 64 + 3);
    // Bytes of quantized rows come in fours.
    code.store(at(rsp, chainTask.items), rax);
    code.mov(rax, rcx);
    code.divConstant(4);
    code.mov(rcx, at(rsp, chainTask.items));
    code.add(rax, rcx);
    code.store(at(rsp, chainTask.items), rax);
    this.#output(outputs.length, [{ field: chainTask.items }]);
    code.mov(rax, at(rsp, chainTask.address));
    code.addConstant(rax, 63);
    code.andConstant(rax, -64);
    code.store(at(rsp, chainTask.counters), rax);
    code.addConstant(rax, counters);
    for (const [index, base] of this.#products.entries()) {
      // Of its own there are no more rows than lie together.
      code.lea(rcx, at(rax, together * this.#quantizedBefore(index)));
      this.#choose(rcx, rax);
      code.store(at(rsp, base + productTask.quantized), rcx);
      code.store(at(rsp, base + productTask.rows), rbx);
    }
    padded();
    code.add(rax, rcx);
    code.addConstant(rax, 63);
    code.andConstant(rax, -64);
    code.store(at(rsp, chainTask.memory), rax);
  }

  /** Bytes of the quantized rows of the first products, a row each. */
  #quantizedBefore(products: number): number {
    return this.#quantizedRows.slice(0, products).reduce((sum, row) => sum + row, 0);
  }

  #makeOutputs(): void {
    for (const [output, { width }] of this.#shape.outputs.entries()) {
      if (width === undefined) continue;
      this.#output(output, [{ field: chainTask.batch }, { field: chainTask.tokens }, width]);
      this.#fill({ output });
    }
  }

  /** Of those that lie in the run's memory. */
  #placeRows(): void {
    const { code } = this;
    const rows = this.#ownRows();
    const places = [...new Set(rows.map(({ bytes }) => bytes))].sort((a, b) => a - b);
    for (const [index, place] of rows.entries()) {
      code.imul(rax, rbx, place.own);
      code.addConstant(rax, index * apart);
      code.imul(rcx, rbx, place.bytes);
      code.addConstant(rcx, places.indexOf(place.bytes) * apart);
      this.#choose(rax, rcx);
      code.mov(rcx, at(rsp, chainTask.memory));
      code.add(rax, rcx);
      this.#fillFrom(place);
    }
  }

  /** In the order in which they lie where each has its own memory. */
  #ownRows(): { bytes: number; own: number }[] {
    const places = [...this.#fields.keys()].map((key) => JSON.parse(key) as ChainRows);
    return places.filter((place) => 'bytes' in place).sort((a, b) => a.own - b.own);
  }

  #readInputs(): void {
    const { code } = this;
    for (const { base } of this.#attentions)
      for (const [field, from] of [
        [attentionTask.rows, chainTask.batch],
        [attentionTask.tokens, chainTask.tokens],
      ] as const) {
        code.mov(rax, at(rsp, from));
        code.store(at(rsp, base + field), rax);
      }
    for (const [input, { width }] of this.#shape.inputs.entries()) {
      if (input === 0) continue;
      this.readInput(input, chainTask.address);
      this.#fill({ input });
      if (width !== undefined)
        this.dimensions([{ field: chainTask.batch }, { field: chainTask.tokens }, width]);
      for (const { base, node } of this.#attentions) {
        const index = node.past.indexOf(input);
        if (index >= 0)
          this.cache(node.shape, base, {
            output: node.present[index]!,
            part: index === 0 ? 'keys' : 'values',
          });
        if (node.seqlens === input) this.seqlens(base);
      }
    }
  }

  /** Memory of attention, and each thread's share. rbx: rows. */
  #plan(): void {
    const { code } = this;
    const { threads } = this.#shape;
    const [first, ...others] = this.#attentions;
    const { base, node } = first!;
    this.makeMemory(node.shape, base, () => {
      code.movConstant(rax, 0);
      code.mov(rcx, rsi);
      this.#choose(rcx, rax);
      code.store(at(rsp, chainTask.attentionStride), rcx);
      code.imul(rcx, rcx, others.length);
      code.add(rsi, rcx);
    });
    for (const [index, other] of others.entries())
      for (const field of [attentionTask.queries, attentionTask.partials]) {
        code.mov(rax, at(rsp, chainTask.attentionStride));
        code.imul(rax, rax, index + 1);
        code.mov(rcx, at(rsp, base + field));
        code.add(rax, rcx);
        code.store(at(rsp, other.base + field), rax);
      }
    this.countItems(node.shape, base);
    code.store(at(rsp, chainTask.items), rdx);
    for (const [from, to] of [
      [chainTask.items, chainTask.itemShare],
      [chainTask.rows, chainTask.rowShare],
    ] as const) {
      code.mov(rax, at(rsp, from));
      code.addConstant(rax, threads - 1);
      code.divConstant(threads);
      code.store(at(rsp, to), rax);
    }
  }

  #clearCounters(): void {
    const { code } = this;
    const { threads } = this.#shape;
    code.mov(rcx, at(rsp, chainTask.counters));
    code.movConstant(rax, 0);
    code.repeat(rdx, (this.#stages.length * stageBytes(threads)) / 64, () => {
      for (const field of Object.values(lineFields)) code.store(at(rcx, field), rax);
      code.addConstant(rcx, 64);
    });
  }
}
