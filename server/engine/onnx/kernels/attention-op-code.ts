/** The functions of attention that onnxruntime calls: sizes are checked, then tokens taken in, pieces worked on, and put together. */

import {
  type Assembler,
  at,
  type Label,
  newLabel,
  r12,
  r13,
  r14,
  rax,
  rbp,
  rbx,
  rcx,
  rdx,
  rsi,
  rsp,
} from './assembler.ts';
import {
  type AttentionShape,
  attentionInputs,
  keyBlock,
  partialOf,
  pieceKeys,
  pieceTokens,
  attentionTask as task,
} from './attention-layout.ts';
import { type EmittedOperator, OperatorEmitter, type OperatorSignature } from './operator-emitter.ts';
import { x64Convention } from './x64-conventions.ts';

/** New tokens from which on several threads take them in and put results together. */
const sharedTokens = 4;

/** The parts that instruction sets write, each as a routine of the System V calling convention. */
export interface AttentionParts<Code extends Assembler> {
  code: Code;
  /** Address of the constants that they read. */
  tables: bigint;
  /** Adds `void prepare(task, token)`. */
  emitPrepare(code: Code, shape: AttentionShape, tables: bigint): Label;
  /** Adds `void attend(task, item)`. */
  emitAttend(code: Code, shape: AttentionShape, tables: bigint): Label;
  /** Adds `void merge(task, token)`. */
  emitMerge(code: Code, shape: AttentionShape, tables: bigint): Label;
}

export const emitAttention = <Code extends Assembler>(
  parts: AttentionParts<Code>,
  shape: AttentionShape,
  signature: OperatorSignature,
): EmittedOperator => new AttentionOperatorEmitter(parts, shape).emit(signature);

/** Demands of attention on its inputs, for a task that lies so many bytes (`base`) from a frame's start. */
export abstract class AttentionSetup<Code extends Assembler> extends OperatorEmitter<Code> {
  /** Demands the rank and sizes of the tensor at hand: fields of the frame, numbers, or any. */
  protected dimensions(sizes: readonly (Size | number | null)[]): void {
    const { code, frame } = this;
    this.readShape();
    code.mov(rax, at(rsp, frame.rank));
    this.demand('e', () => code.cmpConstant(rax, sizes.length));
    for (const [index, size] of sizes.entries()) {
      if (size === null) continue;
      code.mov(rax, at(rsp, frame.dimensions + 8 * index));
      if (typeof size === 'number') code.movConstant(rcx, size);
      else code.mov(rcx, at(rsp, size.field));
      this.demand('e', () => code.cmp(rax, rcx));
    }
  }

  protected keep(dimension: number, field: number): void {
    this.code.mov(rax, at(rsp, this.frame.dimensions + 8 * dimension));
    this.code.store(at(rsp, field), rax);
  }

  /** Keys, then values: of the same size, whole blocks, and the same memory before and after. `output`: the place of the latter. */
  protected cache({ headDim, kvHeads }: AttentionShape, base: number, { output, part }: CachePart): void {
    const { code } = this;
    const [past, present] =
      part === 'keys' ? [task.keys, task.presentKeys] : [task.values, task.presentValues];
    const positions = part === 'keys' ? null : { field: base + task.positions };
    this.dimensions([{ field: base + task.rows }, kvHeads, positions, headDim]);
    this.keep(2, base + task.positions);
    code.mov(rax, at(rsp, base + task.positions));
    code.andConstant(rax, keyBlock - 1);
    this.demand('e', () => code.cmpConstant(rax, 0));
    this.makeOutput(output, base + present);
    code.mov(rax, at(rsp, base + present));
    code.mov(rcx, at(rsp, base + past));
    this.demand('e', () => code.cmp(rax, rcx));
  }

  protected seqlens(base: number): void {
    const { code, frame } = this;
    this.readShape();
    code.mov(rax, at(rsp, frame.count));
    code.mov(rcx, at(rsp, base + task.rows));
    this.demand('e', () => code.cmp(rax, rcx));
  }

  /** Counts the work, once all inputs are read. */
  protected plan(shape: AttentionShape, base: number): void {
    this.#first(base);
    this.#checkRows(shape, base);
    this.#counts(base);
  }

  /** As many new tokens as there are at all: the first prompt. */
  #first(base: number): void {
    const { code } = this;
    code.mov(rax, at(rsp, base + task.total));
    code.movsxd(rax, at(rax));
    code.mov(rcx, at(rsp, base + task.tokens));
    code.movConstant(rdx, 0);
    code.movConstant(rsi, 1);
    code.cmp(rax, rcx);
    code.cmov('e', rdx, rsi);
    code.store(at(rsp, base + task.first), rdx);
  }

  /** No row may begin before its cache or end behind it, or behind the tables. Leaves the longest in r13. */
  #checkRows({ rotaryDims, rotaryRows }: AttentionShape, base: number): void {
    const { code } = this;
    const again = newLabel();
    code.mov(rbp, at(rsp, base + task.seqlens));
    code.mov(r14, at(rsp, base + task.rows));
    code.movConstant(r13, 0);
    code.place(again);
    code.movsxd(rax, at(rbp));
    code.addConstant(rax, 1);
    code.mov(rcx, at(rsp, base + task.tokens));
    code.mov(rdx, at(rsp, base + task.first));
    code.cmpConstant(rdx, 1);
    code.cmov('e', rax, rcx);
    this.demand('ge', () => code.cmp(rax, rcx));
    code.mov(rcx, at(rsp, base + task.positions));
    this.demand('le', () => code.cmp(rax, rcx));
    if (rotaryDims > 0) this.demand('le', () => code.cmpConstant(rax, rotaryRows));
    code.cmp(rax, r13);
    code.cmov('g', r13, rax);
    code.addConstant(rbp, 4);
    code.subConstant(r14, 1);
    code.j('ne', again);
  }

  #counts(base: number): void {
    const { code } = this;
    for (const { field, size } of [
      { field: task.pieces, size: pieceKeys },
      { field: task.tokenBlocks, size: pieceTokens },
    ]) {
      if (field === task.pieces) code.mov(rax, r13);
      else code.mov(rax, at(rsp, base + task.tokens));
      code.addConstant(rax, size - 1);
      code.divConstant(size);
      code.store(at(rsp, base + field), rax);
    }
  }

  /** rbx: tokens of all rows. `enlarge` may make more of the bytes in rsi. */
  protected makeMemory(shape: AttentionShape, base: number, enlarge?: () => void): void {
    const { headDim, heads } = shape;
    const { code } = this;
    code.mov(rsi, at(rsp, base + task.pieces));
    code.imul(rsi, rsi, partialOf(shape).row * 4);
    code.addConstant(rsi, headDim * 4);
    code.imul(rax, rbx, heads);
    code.multiply(rsi, rax);
    enlarge?.();
    code.addConstant(rsi, 64);
    this.allocate(base + task.memory);
    code.mov(rax, at(rsp, base + task.memory));
    code.addConstant(rax, 63);
    code.andConstant(rax, -64);
    code.store(at(rsp, base + task.queries), rax);
    code.imul(rcx, rbx, heads * headDim * 4);
    code.add(rax, rcx);
    code.store(at(rsp, base + task.partials), rax);
  }

  /** Items of `attend`, in rdx. */
  protected countItems({ kvHeads }: AttentionShape, base: number): void {
    const { code } = this;
    code.mov(rdx, at(rsp, base + task.rows));
    for (const field of [task.tokenBlocks, task.pieces]) {
      code.mov(rax, at(rsp, base + field));
      code.multiply(rdx, rax);
    }
    code.imul(rdx, rdx, kvHeads);
  }
}

class AttentionOperatorEmitter<Code extends Assembler> extends AttentionSetup<Code> {
  readonly #shape: AttentionShape;
  readonly #parts: AttentionParts<Code>;

  constructor(parts: AttentionParts<Code>, shape: AttentionShape) {
    super(
      parts.code,
      x64Convention,
      task.size,
      'an input of attention is not of the shape that its code was made for',
    );
    this.#shape = shape;
    this.#parts = parts;
  }

  /** Tables of turns must be of the sizes that the code was made for. */
  create(): Label {
    const { rotaryDims, rotaryRows } = this.#shape;
    const inputs = attentionInputs(this.#shape);
    const count = (rotaryRows * rotaryDims) / 2;
    const tables = rotaryDims > 0 ? [inputs.length - 2, inputs.length - 1] : [];
    return this.createOf(tables.map((index) => ({ index, count })));
  }

  /** OrtStatus * compute(kernel, context). r12: context. */
  compute(): Label {
    const { code } = this;
    const prepare = this.#parts.emitPrepare(code, this.#shape, this.#parts.tables);
    const attend = this.#parts.emitAttend(code, this.#shape, this.#parts.tables);
    const merge = this.#parts.emitMerge(code, this.#shape, this.#parts.tables);
    return this.function(() => {
      code.mov(r12, rsi);
      for (const [index, { field }] of attentionInputs(this.#shape).entries()) {
        this.readInput(index, field);
        this.#checkInput(field);
      }
      this.#makeResult();
      code.mov(rbx, at(rsp, task.rows));
      code.mov(rax, at(rsp, task.tokens));
      code.multiply(rbx, rax);
      code.movConstant(rax, 0);
      code.test(rbx, rbx);
      code.j('e', this.end);
      this.plan(this.#shape, 0);
      this.makeMemory(this.#shape, 0);
      this.#work({ prepare, attend, merge });
    });
  }

  #checkInput(field: number): void {
    const { headDim, heads, kvHeads, packed } = this.#shape;
    const width = (packed ? heads + 2 * kvHeads : heads) * headDim;
    if (field === task.query) {
      this.dimensions([null, null, width]);
      this.keep(0, task.rows);
      this.keep(1, task.tokens);
    } else if (field === task.key || field === task.value)
      this.dimensions([{ field: task.rows }, { field: task.tokens }, kvHeads * headDim]);
    else if (field === task.keys) this.cache(this.#shape, 0, { output: 1, part: 'keys' });
    else if (field === task.values) this.cache(this.#shape, 0, { output: 2, part: 'values' });
    else if (field === task.seqlens) this.seqlens(0);
  }

  #makeResult(): void {
    const { headDim, heads } = this.#shape;
    const { code, frame } = this;
    for (const [index, field] of [task.rows, task.tokens].entries()) {
      code.mov(rax, at(rsp, field));
      code.store(at(rsp, frame.dimensions + 8 * index), rax);
    }
    code.movConstant(rax, heads * headDim);
    code.store(at(rsp, frame.dimensions + 16), rax);
    code.movConstant(rax, 3);
    code.store(at(rsp, frame.rank), rax);
    this.makeOutput(0, task.y);
  }

  #work({ attend, merge, prepare }: Record<'prepare' | 'attend' | 'merge', Label>): void {
    const { code } = this;
    const free = newLabel();
    const step = (run: () => void) => {
      run();
      code.mov(r13, rax);
      code.test(rax, rax);
      code.j('ne', free);
    };
    step(() => this.spread(prepare, sharedTokens));
    step(() => {
      this.countItems(this.#shape, 0);
      this.parallel(attend);
    });
    step(() => this.spread(merge, sharedTokens));
    code.place(free);
    this.free(task.memory);
    code.mov(rax, r13);
  }
}

interface Size {
  field: number;
}

interface CachePart {
  output: number;
  part: 'keys' | 'values';
}
