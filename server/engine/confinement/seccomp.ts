/**
 * The seccomp filter of a host: a program of classic BPF that the kernel runs before each system call. What is refused
 * gets EPERM and not a kill: libraries try calls they can do without (libuv io_uring, glibc's look-ups a socket), and a
 * damaged picture must cost its request, not the process.
 */
import type { System } from '../system.ts';
import { type CallNumbers, lastKnownCall } from './system-calls.ts';

export interface Instruction {
  code: number;
  ifTrue: number;
  ifFalse: number;
  k: number;
}

const op = { load: 0x20, equal: 0x15, above: 0x25, atLeast: 0x35, bitsSet: 0x45, answer: 0x06 };
/** Offsets in struct seccomp_data; little-endian machines alone. */
const at = { number: 0, architecture: 4, firstArgument: 16, firstArgumentHigh: 20 };
const answers = { kill: 0x80000000, errno: 0x00050000, allow: 0x7fff0000 };
const errno = { EPERM: 1, ENOSYS: 38 };
const x32Bit = 0x40000000;
const unixSockets = 1;
const cloneThread = 0x00010000;

const answer = (k: number): Instruction => ({ code: op.answer, ifTrue: 0, ifFalse: 0, k });
const load = (k: number): Instruction => ({ code: op.load, ifTrue: 0, ifFalse: 0, k });
/** Passes over the next `ifFalse` instructions unless it holds. */
const unless = (code: number, k: number, ifFalse: number): Instruction => ({ code, ifTrue: 0, ifFalse, k });
const refuse = answer(answers.errno | errno.EPERM);
const absent = answer(answers.errno | errno.ENOSYS);

const answered = (number: number, how: Instruction): Instruction[] => [unless(op.equal, number, 1), how];

/** The call is allowed when `holds` of its first argument's low half; the number is loaded again for what follows. */
function allowedWhere(number: number, holds: Instruction[]): Instruction[] {
  const body = [load(at.firstArgument), ...holds, refuse];
  return [unless(op.equal, number, body.length), ...body];
}

/** `[value, …]`: the argument is one of them. */
const isOneOf = (values: number[]): Instruction[] =>
  values.flatMap((value) => [unless(op.equal, value, 1), answer(answers.allow)]);

/**
 * Everything but the execution of programs, which the launcher still needs once.
 * @param pid of the host, which may signal itself and nobody else
 */
export function hostFilter(calls: CallNumbers, pid: number): Instruction[] {
  return [
    load(at.architecture),
    { code: op.equal, ifTrue: 1, ifFalse: 0, k: calls.audit },
    answer(answers.kill),
    load(at.number),
    unless(op.atLeast, x32Bit, 1),
    absent,
    unless(op.above, lastKnownCall, 1),
    absent,
    ...calls.absent.flatMap((number) => answered(number, absent)),
    ...calls.refused.flatMap((number) => answered(number, refuse)),
    ...allowedWhere(calls.socketpair, isOneOf([unixSockets])),
    // A thread, never a process.
    ...allowedWhere(calls.clone, [unless(op.bitsSet, cloneThread, 1), answer(answers.allow)]),
    ...allowedWhere(calls.kill, isOneOf([pid])),
    ...allowedWhere(calls.tgkill, isOneOf([pid])),
    ...allowedWhere(calls.prlimit64, isOneOf([0, pid])),
    answer(answers.allow),
  ];
}

/** No program is executed any more. */
export const noExecution = (calls: CallNumbers): Instruction[] => [
  load(at.number),
  ...answered(calls.execve, refuse),
  ...answered(calls.execveat, refuse),
  answer(answers.allow),
];

/** struct sock_filter, 8 bytes each. */
export function encode(program: Instruction[]): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  for (const [index, { code, ifTrue, ifFalse, k }] of program.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, ifTrue);
    bytes.setUint8(index * 8 + 3, ifFalse);
    bytes.setUint32(index * 8 + 4, k >>> 0, true);
  }
  return new Uint8Array(bytes.buffer);
}

const setFilter = 1;
/**
 * All threads; and speculation stays as it was: kernels before 5.16 otherwise switch store bypass off for every process
 * with a filter, which costs all of its work some speed and protects nothing here, as a host holds no secret of another.
 */
const flags = 1 | 4;

/** Takes hold of all threads of the process, and of what they start. @throws SystemError */
export function install(system: System, calls: CallNumbers, program: Instruction[]): void {
  const filter = encode(program);
  const header = new DataView(new ArrayBuffer(16));
  header.setUint16(0, program.length, true);
  header.setBigUint64(8, system.addressOf(filter), true);
  const address = system.addressOf(new Uint8Array(header.buffer));
  system.call('seccomp', calls.seccomp, setFilter, flags, address);
}
