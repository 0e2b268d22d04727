/** Machine code of row operators; a family of instructions says how wide a register is and how it does what differs. */
import {
  type Assembler,
  at,
  type General,
  type Label,
  type Memory,
  r8,
  r9,
  r10,
  r11,
  rax,
  rcx,
  rdi,
  rdx,
  rsi,
  type Vector,
} from './assembler.ts';
import { AttentionAssembler } from './attention-assembler.ts';
import { Avx2AttentionAssembler } from './avx2-attention-assembler.ts';
import { avx2Broadcast, avx2Exponential, loadAvx2Exponents } from './avx2-powers.ts';
import { broadcast, exponential, loadExponents } from './avx512-powers.ts';
import { type RowShape, rowTask as task } from './row-layout.ts';

/** Instructions of a family. Registers from 7 on are theirs while powers are made. */
export interface RowInstructions<Code extends Assembler = Assembler> {
  code: Code;
  lanes: number;
  load(to: Vector, from: Memory): void;
  store(to: Memory, from: Vector): void;
  /** Uses rax. */
  broadcast(to: Vector, value: number): void;
  loadExponents(): void;
  /** x becomes 2^x; uses the three registers from `spare` on. */
  power(x: Vector, spare: Vector): void;
  squareRoot(to: Vector, from: Vector): void;
  /** All lanes become their sum; uses another register. */
  total(of: Vector, spare: Vector): void;
}

export function avx512RowInstructions(): RowInstructions {
  const code = new AttentionAssembler();
  return {
    code,
    lanes: 16,
    load: (to, from) => code.vmovdqu32(to, from),
    store: (to, from) => code.storeVmovdqu32(to, from),
    broadcast: (to, value) => broadcast(code, to, value),
    loadExponents: () => loadExponents(code),
    power: (x, spare) => exponential(code, x, spare, spare + 1),
    squareRoot: (to, from) => code.vsqrtps(to, from),
    total(of, spare) {
      for (const choice of [0x4e, 0xb1]) {
        code.vshuff32x4(spare, of, of, choice);
        code.vaddps(of, of, spare);
        code.vpermilps(spare, of, choice);
        code.vaddps(of, of, spare);
      }
    },
  };
}

/** Its power has the bits of an infinite number, as larger ones have by other instructions. */
const largest = 128;

export function avx2RowInstructions(): RowInstructions {
  const code = new Avx2AttentionAssembler();
  const limit = 7;
  return {
    code,
    lanes: 8,
    load: (to, from) => code.vmovdqu(to, from),
    store: (to, from) => code.storeVmovdqu(to, from),
    broadcast: (to, value) => avx2Broadcast(code, to, value),
    loadExponents() {
      loadAvx2Exponents(code);
      avx2Broadcast(code, limit, largest);
    },
    power(x, spare) {
      code.vminps(x, x, limit);
      avx2Exponential(code, x, spare);
    },
    squareRoot: (to, from) => code.vsqrtps(to, from),
    total(of, spare) {
      code.vextracti128(spare, of);
      code.vaddps(of, of, spare);
      code.vhaddps(of, of, of);
      code.vhaddps(of, of, of);
      code.vbroadcastss(of, of);
    },
  };
}

/** Adds `void work(task, row)`, of the System V calling convention. */
export function emitRowWork(instructions: RowInstructions, shape: RowShape): Label {
  const { code } = instructions;
  return code.routine(() => {
    if (shape.kind === 'gated') emitGated(instructions, shape.columns);
    else emitNormed(instructions, shape);
    code.vzeroupper();
  });
}

/** Place of the row in a tensor of rows of so many numbers. */
function find(code: Assembler, to: General, field: number, columns: number): void {
  code.imul(to, rsi, columns * 4);
  code.mov(rax, at(rdi, field));
  code.add(to, rax);
}

/** As often as registers fill a row, with the places of each moving on. */
function eachRegister(
  { code, lanes }: RowInstructions,
  columns: number,
  places: readonly General[],
  body: () => void,
): void {
  code.repeat(r11, columns / lanes, () => {
    body();
    for (const place of places) code.addConstant(place, lanes * 4);
  });
}

function emitGated(instructions: RowInstructions, columns: number): void {
  const { code } = instructions;
  const [gate, power, factor, one]: Vector[] = [0, 1, 5, 6];
  find(code, rcx, task.x, 2 * columns);
  code.lea(rdx, at(rcx, columns * 4));
  find(code, r8, task.y, columns);
  instructions.loadExponents();
  instructions.broadcast(factor!, -Math.LOG2E);
  instructions.broadcast(one!, 1);
  eachRegister(instructions, columns, [rcx, rdx, r8], () => {
    instructions.load(gate!, at(rcx));
    code.vmulps(power!, gate!, factor!);
    instructions.power(power!, 2);
    code.vaddps(power!, power!, one!);
    code.vdivps(gate!, gate!, power!);
    code.vmulps(gate!, gate!, at(rdx));
    instructions.store(at(r8), gate!);
  });
}

function emitNormed(
  instructions: RowInstructions,
  { columns, epsilon }: Extract<RowShape, { kind: 'normed' }>,
): void {
  const { code } = instructions;
  const [sum, squares, spare]: Vector[] = [0, 1, 2];
  find(code, rcx, task.x, columns);
  find(code, rdx, task.addend, columns);
  find(code, r8, task.sum, columns);
  find(code, r9, task.y, columns);
  code.mov(r10, at(rdi, task.weights));
  instructions.broadcast(squares!, 0);
  eachRegister(instructions, columns, [rcx, rdx, r8], () => {
    instructions.load(sum!, at(rcx));
    instructions.load(spare!, at(rdx));
    code.vaddps(sum!, sum!, spare!);
    instructions.store(at(r8), sum!);
    code.vfmadd231ps(squares!, sum!, sum!);
  });
  instructions.total(squares!, spare!);
  instructions.broadcast(spare!, 1 / columns);
  code.vmulps(squares!, squares!, spare!);
  instructions.broadcast(spare!, epsilon);
  code.vaddps(squares!, squares!, spare!);
  instructions.squareRoot(squares!, squares!);
  instructions.broadcast(spare!, 1);
  code.vdivps(squares!, spare!, squares!);
  code.subConstant(r8, columns * 4);
  eachRegister(instructions, columns, [r8, r9, r10], () => {
    instructions.load(sum!, at(r8));
    code.vmulps(sum!, sum!, squares!);
    code.vmulps(sum!, sum!, at(r10));
    instructions.store(at(r9), sum!);
  });
}
