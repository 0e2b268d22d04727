import { describe, expect, it } from 'vitest';
import { calmAnswer, codeOf, openTestApp, send } from '../../support/app/test-app.ts';

const texts = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);

describe('moderations of several texts', () => {
  it('give one result each, in order, from svc-shield-base where no model is named', async () => {
    const methods = {
      moderation: {
        classify: ({ text }: { text: string }) => ({
          ...calmAnswer,
          scores: { violence: Number(text.slice(5)) / 100 },
        }),
      },
    };
    const test = openTestApp({ methods });
    const answer = await send(test, '/v1/moderations', test.key(), { body: { input: texts(32) } });
    const { model, results } = answer.json();
    expect(model).toBe('svc-shield-base');
    expect(
      results.map((each: { category_scores: { violence: number } }) => each.category_scores.violence),
    ).toEqual(texts(32).map((_, index) => index / 100));
  });

  it.each(['live', 'test'] as const)('of a %s key end at 32 and at 32 KB each', async (keyClass) => {
    const test = openTestApp();
    const ask = (input: unknown) =>
      send(test, '/v1/moderations', test.key({ class: keyClass }), { body: { input } });
    expect(codeOf(await ask(texts(33)))).toBe('too_many_inputs');
    expect((await ask(['a', 'é'.repeat(16_385)])).json().error).toMatchObject({
      code: 'input_too_long',
      param: 'input[1]',
    });
    expect(codeOf(await ask([]))).toBe('invalid_value');
  });

  it('are fixtures of the same request, with the model named or not', async () => {
    const test = openTestApp();
    const key = test.key({ class: 'test' });
    const ask = async (body: object) => (await send(test, '/v1/moderations', key, { body })).body;
    expect(await ask({ input: 'a' })).toBe(await ask({ model: 'svc-shield-base', input: 'a' }));
    // Of two texts of one length each keeps its own.
    const other = await ask({ input: 'b' });
    expect(other).not.toBe(await ask({ input: 'a' }));
    expect(await ask({ input: 'b' })).toBe(other);
    const two = JSON.parse(await ask({ input: ['a', 'b'], model: 'svc-guard-max' }));
    expect(two.results).toHaveLength(2);
  });

  it('of svc-shield-base refuse a language, which is the threat summary’s', async () => {
    const test = openTestApp();
    const body = { input: 'x', language: 'zh' };
    const answer = await send(test, '/v1/moderations', test.key(), { body });
    expect(answer.json().error).toMatchObject({ code: 'invalid_value', param: 'language' });
  });
});
