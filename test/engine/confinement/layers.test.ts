import { describe, expect, it } from 'vitest';
import { finishConfinement } from '../../../server/engine/confinement/confinement.ts';
import { sandboxProfile } from '../../../server/engine/confinement/macos.ts';
import { encode, hostFilter, type Instruction } from '../../../server/engine/confinement/seccomp.ts';
import { type CallNumbers, callNumbers } from '../../../server/engine/confinement/system-calls.ts';

/** Runs a filter as the kernel does, for the instructions that ours are made of. */
function decide(program: Instruction[], data: { number: number; audit: number; argument?: number }): number {
  let loaded = 0;
  for (let at = 0; at < program.length; at += 1) {
    const { code, ifTrue, ifFalse, k } = program[at]!;
    if (code === 0x06) return k >>> 0;
    if (code === 0x20) loaded = { 0: data.number, 4: data.audit, 16: data.argument ?? 0 }[k] ?? 0;
    const holds = { 21: loaded === k, 37: loaded > k, 53: loaded >= k, 69: (loaded & k) !== 0 }[code];
    if (holds !== undefined) at += holds ? ifTrue : ifFalse;
  }
  throw new Error('the filter has no end');
}

const [allow, refuse, absent, kill] = [0x7fff0000, 0x00050001, 0x00050026, 0x80000000];

describe.each(['x64', 'arm64'])('the filter of a host on %s', (architecture) => {
  const calls = callNumbers(architecture) as CallNumbers;
  const filter = hostFilter(calls, 4321);
  const of = (number: number, argument = 0) => decide(filter, { number, audit: calls.audit, argument });

  it('refuses every listed call, and those of another architecture for good', () => {
    for (const number of calls.refused) expect([number, of(number)]).toEqual([number, refuse]);
    for (const number of calls.absent) expect([number, of(number)]).toEqual([number, absent]);
    expect(decide(filter, { number: 0, audit: 0x40000003 })).toBe(kill);
    expect(of(0x40000000 + 41)).toBe(absent);
    expect(of(600)).toBe(absent);
  });

  it('lets threads be made, not processes; signals to itself, not to others', () => {
    expect(of(calls.clone, 0x00010000 | 0x100)).toBe(allow);
    expect(of(calls.clone, 17)).toBe(refuse);
    for (const call of [calls.kill, calls.tgkill]) {
      expect(of(call, 4321)).toBe(allow);
      expect(of(call, 1)).toBe(refuse);
    }
    expect([of(calls.socketpair, 1), of(calls.socketpair, 2)]).toEqual([allow, refuse]);
    expect([of(calls.prlimit64, 0), of(calls.prlimit64, 1)]).toEqual([allow, refuse]);
  });

  it('lets everything else pass: reading, writing, waiting', () => {
    const futex = architecture === 'x64' ? 202 : 98;
    for (const number of [futex, architecture === 'x64' ? 0 : 63, architecture === 'x64' ? 1 : 64])
      expect(of(number)).toBe(allow);
    expect(encode(filter).length).toBe(filter.length * 8);
    expect(filter.length).toBeLessThan(4096);
  });
});

describe('what a host says of its confinement', () => {
  const say = (holding: string[], missing: string[]) =>
    finishConfinement(JSON.stringify({ holding, missing }));

  it('is off or partial with the reason', () => {
    expect(say([], ['LOKAL_CONFINEMENT is off'])).toBe('off; LOKAL_CONFINEMENT is off');
    expect(say(['seccomp'], ['landlock: this kernel has none'])).toBe(
      'partial; landlock: this kernel has none',
    );
    expect(finishConfinement(undefined)).toBe('off; it was started without the launcher');
  });
});

describe('the sandbox profile of macOS', () => {
  it('denies network, programs and writing, and opens what was given with its quotes escaped', () => {
    const grant = { reads: ['/packs/a "b"'], writes: ['/packs/new'], devices: false };
    const launch = { main: '/app/server/engine/main.js', libraryPath: '', grant, off: null };
    const profile = sandboxProfile(launch, '/Users/siti');
    for (const rule of ['(deny network*)', '(deny process-exec*)', '(deny file-write*)'])
      expect(profile).toContain(rule);
    expect(profile).toContain('(subpath "/packs/a \\"b\\"")');
    expect(profile).toContain('(allow file-write* (subpath "/packs/new"))');
    expect(profile.indexOf('(deny file-read-data')).toBeLessThan(profile.indexOf('(allow file-read-data'));
  });
});
