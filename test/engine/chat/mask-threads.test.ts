import { afterAll, describe, expect, it } from 'vitest';
import { compileOutput } from '../../../server/engine/chat/output/compile-output.ts';
import type { OutputRequest } from '../../../server/engine/chat/output/compiled-output.ts';
import { MaskThreads } from '../../../server/engine/chat/output/mask-threads.ts';
import { Vocabulary } from '../../../server/engine/grammar/vocabulary.ts';
import { plainParams } from '../../support/chat/grammar-draws.ts';
import { testVocabulary } from '../../support/chat/vocabulary.ts';

const vocabulary = testVocabulary();
const threads = new MaskThreads(vocabulary, null);
afterAll(() => threads.close());

const asked = (schema: object): OutputRequest => ({
  ...plainParams,
  format: { type: 'json_schema', schema: schema as Record<string, unknown>, strict: true },
});
const object = (a: object) => ({
  type: 'object',
  properties: { a },
  required: ['a'],
  additionalProperties: false,
});
const by = (owner: string) => ({ owner, signal: new AbortController().signal });
const bytes = (text: string) => [...Buffer.from(text)];

describe('MaskThreads', () => {
  it('makes the masks that are made without a thread, and those along a draft', async () => {
    const request = asked(object({ enum: ['yes', 'no'] }));
    const compiled = compileOutput(request, { vocabulary, template: null })!;
    const masks = await threads.compile(request, by('one'));
    for (const sequence of [masks.open(), masks.open()]) {
      const mask = compiled.createMask();
      for (const token of bytes('{"a":"')) {
        const [made] = await sequence.next([]);
        expect(made).toEqual(mask.allowed());
        sequence.accept(token);
        mask.accept(token);
      }
      const along = await sequence.next(bytes('yesterday'));
      expect(along).toHaveLength(4);
      for (const [at, token] of bytes('yes').entries()) {
        expect(along[at]).toEqual(mask.allowed());
        mask.accept(token);
      }
      expect(along[3]).toEqual(mask.allowed());
      expect((await sequence.next([]))[0]).toEqual(along[0]);
    }
    masks.close();
  });

  it('refuses in the words of the compiler', async () => {
    const request = asked(object({ type: 'string', format: 'no such form', pattern: '(' }));
    const words = (() => {
      try {
        compileOutput(request, { vocabulary, template: null });
      } catch (error) {
        return error as { code: string; message: string; param: string };
      }
      throw new Error('it was not refused');
    })();
    const { code, message, param } = words;
    await expect(threads.compile(request, by('one'))).rejects.toMatchObject({ code, message, param });
  });

  it('a costly schema of one owner keeps no other waiting', async () => {
    const order: string[] = [];
    const costly = threads
      .compile(asked(object({ type: 'string', minLength: 100_000 })), by('one'))
      .catch(() => order.push('costly'));
    const cheap = threads.compile(asked(object({ type: 'null' })), by('other')).then((masks) => {
      order.push('cheap');
      masks.close();
    });
    await Promise.all([costly, cheap]);
    expect(order).toEqual(['cheap', 'costly']);
  });

  it('who leaves is not kept, and nobody is left waiting at the end', async () => {
    const own = new MaskThreads(vocabulary, null);
    const controller = new AbortController();
    const left = own.compile(asked(object({ type: 'null' })), { owner: 'one', signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    const masks = await own.compile(asked(object({ type: 'null' })), by('one'));
    const sequence = masks.open();
    const waiting = sequence.next([]);
    const ended = expect(waiting).rejects.toThrow('has ended');
    await own.close();
    await ended;
    await expect(sequence.next([])).rejects.toThrow('has ended');
  });
});

it('a vocabulary is the same on the other side', () => {
  const copy = new Vocabulary(structuredClone(vocabulary.toData()));
  expect([copy.size, copy.longest, copy.endIds]).toEqual([
    vocabulary.size,
    vocabulary.longest,
    vocabulary.endIds,
  ]);
  for (let id = 0; id < copy.size; id += 1) {
    expect(Buffer.from(copy.bytesOf(id))).toEqual(Buffer.from(vocabulary.bytesOf(id)));
    expect(copy.isControl(id)).toBe(vocabulary.isControl(id));
  }
  expect(copy.controlPieces()).toEqual(vocabulary.controlPieces());
});
