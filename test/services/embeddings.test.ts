import { describe, expect, it } from 'vitest';
import { ApiError } from '../../server/errors.ts';
import { createEmbeddings } from '../../server/services/embeddings.ts';
import { createFixtureEngines } from '../../server/services/fixtures/engines.ts';
import { makeCaller } from '../support/caller.ts';
import { fakeEngines } from '../support/fake-engines.ts';

const model = 'svc-embed-base';
const unit = (rows: number) =>
  Float32Array.from({ length: rows * 1024 }, (_, index) => (index % 1024 === 0 ? 1 : 0));
const engines = fakeEngines({
  embeddings: {
    embed: ({ texts }) => {
      if (texts.includes('too long')) {
        const at = texts.indexOf('too long');
        throw new ApiError('input_too_long', `input[${at}] is too long.`, { param: `input[${at}]` });
      }
      return { vectors: unit(texts.length), tokens: texts.map(() => 3) };
    },
  },
});
const embeddings = createEmbeddings({ engines, fixtures: createFixtureEngines() });

describe('embeddings', () => {
  it('keep the order of the inputs, count their tokens and name the pack that answered', async () => {
    const caller = makeCaller();
    const answer = await embeddings({ model, input: ['a', 'b', 'c'] }, caller);
    expect(answer.data.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(answer.usage).toEqual({ prompt_tokens: 9, total_tokens: 9 });
    expect(caller.meter).toMatchObject({ model, promptTokens: 9, pack: 'fake@1', provider: 'cpu' });
  });

  it('are little-endian float32 in base64', async () => {
    const { data } = await embeddings({ model, input: 'a', encoding_format: 'base64' }, makeCaller());
    const bytes = Buffer.from(data[0]?.embedding as string, 'base64');
    expect(bytes.length).toBe(4096);
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([1, 0]);
  });

  it.each([
    [['a', ' '], 'invalid_value', 'input[1]'],
    ['', 'invalid_value', 'input'],
    [Array(97).fill('a'), 'too_many_inputs', 'input'],
    ['too long', 'input_too_long', 'input'],
    [['a', 'too long'], 'input_too_long', 'input[1]'],
  ])('refuses %j', async (input, code, param) => {
    await expect(embeddings({ model, input: input as string[] }, makeCaller())).rejects.toMatchObject({
      code,
      param,
    });
  });

  it('are not for another model, nor for a key that cannot see this one', async () => {
    const ask = (name: string, caller = makeCaller()) => embeddings({ model: name, input: 'a' }, caller);
    await expect(ask('svc-parse-pro')).rejects.toMatchObject({ code: 'invalid_value', param: 'model' });
    await expect(ask('text-embedding-3-small')).rejects.toMatchObject({ code: 'model_not_found' });
    await expect(ask(model, makeCaller({ models: ['svc-parse-pro'] }))).rejects.toMatchObject({
      code: 'model_not_found',
    });
  });
});
