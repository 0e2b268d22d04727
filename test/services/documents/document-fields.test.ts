/** Fields of documents that the chat pack is asked for, where the person switched that on. */
import { expect, it } from 'vitest';
import type { GenerateParams } from '../../../server/engine/chat/types.ts';
import { groundValues } from '../../../server/engine/documents/llm-extraction/ground-values.ts';
import type { CustomTemplateParams, PageLine, ParseResult } from '../../../server/engine/documents/types.ts';
import { ApiError } from '../../../server/errors.ts';
import { createDocuments } from '../../../server/services/documents/documents.ts';
import { createFixtureEngines } from '../../../server/services/fixtures/engines.ts';
import { makeCaller } from '../../support/caller.ts';
import { type FakeMethods, fakeEngines } from '../../support/fake-engines.ts';

const template: CustomTemplateParams = {
  name: 'cold-store',
  fields: [
    { name: 'reference', type: 'text', labels: ['Reference'] },
    { name: 'inspector', type: 'text' },
    { name: 'weight', type: 'number' },
  ],
};

const words = ['Reference', 'PSP-77', 'seen', 'by', 'Siti', 'Rahman'];
const line: PageLine = {
  page: 1,
  text: words.join(' '),
  bbox: [0, 0, 1, 1],
  words: words.map((text, at) => ({ text, bbox: [at / 10, 0, (at + 1) / 10, 1] })),
};
const evidence = { rule: 'label' as const, sources: [] };
const read: ParseResult = {
  type: 'custom:cold-store',
  fields: {
    reference: { value: 'PSP-77', confidence: 0.9, page: 1, bbox: [0.1, 0, 0.2, 1], raw: 'PSP-77', evidence },
  },
  tables: [],
  checkboxes: [],
  signatures: [],
  barcodes: [],
  stamps: [],
  confidence: 0.9,
  warnings: ['A word.', 'Not found on the document: inspector, weight.'],
  pages: 1,
};

function serve(document_fields: 'rules' | 'chat', methods: FakeMethods = {}) {
  const documents = createDocuments({
    engines: fakeEngines({
      documents: {
        *parse({ withLines }) {
          yield { kind: 'result', result: { ...read, ...(withLines ? { lines: [line] } : {}) } };
        },
        groundValues,
      },
      ...methods,
    }),
    fixtures: createFixtureEngines(),
    urls: {
      check: () => expect.fail('no URL was given'),
      fetch: async () => expect.fail('nothing is fetched'),
    },
    templates: { get: () => template },
    settings: () => ({ document_fields }),
    onProgress: () => {},
  });
  return () =>
    documents.parse(
      { model: 'svc-parse-pro', file: 'JVBERi0=', template: 'custom:cold-store' },
      makeCaller(),
    );
}

const answering = (text: string, asked: GenerateParams[] = []): FakeMethods => ({
  chat: {
    *generate(params) {
      asked.push(params);
      yield { kind: 'text', choice: 0, text };
    },
  },
});

it('fills what stands on the page, says what it dropped, and names the pack', async () => {
  const asked: GenerateParams[] = [];
  const answer = JSON.stringify({ inspector: 'Siti Rahman', weight: '12' });
  const result = await serve('chat', answering(answer, asked))();
  expect(result.fields).toMatchObject({
    reference: { value: 'PSP-77', confidence: 0.9 },
    inspector: { value: 'Siti Rahman', filled_by: 'fake@1', page: 1 },
  });
  expect(Object.keys(result.fields)).toHaveLength(2);
  expect(result.confidence).toBeLessThan(0.9);
  expect(result).not.toHaveProperty('lines');
  expect(result.warnings).toEqual([
    'A word.',
    'Not found on the document: weight.',
    'Filled by the chat pack, to be looked at: inspector.',
    'Answered by the chat pack but dropped, as it does not stand on the page or is another field there: weight.',
  ]);
  const { format, messages, temperature } = asked[0]!;
  expect(format).toMatchObject({ type: 'json_schema', strict: true });
  expect(Object.keys((format as unknown as { schema: { properties: object } }).schema.properties)).toEqual([
    'inspector',
    'weight',
  ]);
  expect(temperature).toBe(0);
  expect(messages.at(-1)?.content).toContain('seen by Siti Rahman');
});

it('asks nobody where it is switched off', async () => {
  const asked: GenerateParams[] = [];
  const result = await serve('rules', answering('{}', asked))();
  expect(asked).toEqual([]);
  expect(result.warnings).toEqual(read.warnings);
});

it.each([
  ['an answer that was cut', answering('{"inspector": "Si'), 'no usable answer'],
  ['no chat pack that answers', {}, 'model_not_installed'],
] as const)('leaves the rules their answer and says so: %s', async (_, methods, why) => {
  const result = await serve('chat', methods)();
  expect(result.fields).toEqual(read.fields);
  expect(result.warnings).toEqual([...read.warnings, `The chat pack could not fill fields: ${why}.`]);
});

it('asks again with less text where the window is too small', async () => {
  const lengths: number[] = [];
  const long = 'word '.repeat(1_500);
  const words: PageLine['words'] = [{ text: 'Siti', bbox: [0.5, 0, 0.6, 1] }];
  const result = await serve('chat', {
    documents: {
      *parse() {
        yield { kind: 'result', result: { ...read, lines: [{ ...line, text: long, words }] } };
      },
      groundValues,
    },
    chat: {
      *generate({ messages }) {
        const { length } = String(messages.at(-1)?.content);
        lengths.push(length);
        if (length > 3_000) throw new ApiError('context_length_exceeded', 'too long');
        yield { kind: 'text', choice: 0, text: '{"inspector": "Siti", "weight": null}' };
      },
    },
  })();
  expect(lengths.length).toBeGreaterThan(1);
  expect(result.fields.inspector?.value).toBe('Siti');
  expect(result.warnings).toContain(
    'The document is longer than the chat pack reads: its end was not given to it.',
  );
});
