import { expect, test } from 'vitest';
import { copyPlain } from '../../../../server/engine/documents/pdf/copy-plain.ts';

test('a message of plain values, lists, objects and bytes is copied whole, and shares nothing', () => {
  const message = {
    action: 'commonobj',
    data: ['f1', null, undefined, 2, true, { bytes: new Uint8Array([1, 2, 3]).subarray(1), list: [[1]] }],
  };
  const copy = copyPlain(message)!;
  expect(copy).toEqual(message);
  const [own, theirs] = [copy.data[5], message.data[5]] as { bytes: Uint8Array; list: number[][] }[];
  expect(own!.bytes.buffer).not.toBe(theirs!.bytes.buffer);
  expect(own!.list[0]).not.toBe(theirs!.list[0]);
});

test('buffers that are given away go over as they are', () => {
  const bytes = new Uint8Array([1, 2]);
  expect(copyPlain({ data: bytes.buffer }, [bytes.buffer])!.data).toBe(bytes.buffer);
  expect(copyPlain({ data: bytes }, [bytes.buffer])!.data).toBe(bytes);
});

test('what is not plain, or leads back to itself, is left to the platform', () => {
  const loop: { own?: object } = {};
  loop.own = loop;
  for (const value of [new Map(), new Error('x'), () => 1, new ArrayBuffer(1), loop, new Float32Array(1)])
    expect(copyPlain({ data: [value] })).toBeNull();
});
