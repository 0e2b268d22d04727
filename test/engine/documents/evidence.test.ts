/** Each field says by which rule its value was chosen, and from which readings its words come. */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { FieldEntry } from '../../../server/engine/documents/types.ts';
import { drawnCorpus } from '../../support/documents/drawn-corpus.ts';
import { parse, sample } from './helpers.ts';

test('of a born-digital invoice', async () => {
  const { fields } = await parse(await readFile(sample('invoice')));
  expect(fields.total!.evidence).toEqual({ rule: 'label', sources: ['text_layer'] });
  expect(fields.seller_address!.evidence).toEqual({ rule: 'block', sources: ['text_layer'] });
  const [item] = fields.line_items!.value as Record<string, FieldEntry>[];
  expect(item!.amount!.evidence).toEqual({ rule: 'column', sources: ['text_layer'] });
});

test('of a scan', { timeout: 120_000 }, async () => {
  const scan = drawnCorpus.find(({ name }) => name === 'receipt as a scan')!;
  const { fields } = await parse((await scan.make()).bytes);
  expect(fields.total!.evidence).toEqual({ rule: 'label', sources: ['recognition'] });
});
