/** A ranking by the cross-encoder that is chosen for it. */
import { expect, it } from 'vitest';
import type { RerankParams } from '../../server/engine/embeddings/types.ts';
import { createFixtureEngines } from '../../server/services/fixtures/engines.ts';
import { createRerank } from '../../server/services/rerank.ts';
import { makeCaller } from '../support/caller.ts';
import { fakeEngines } from '../support/fake-engines.ts';

it('has its scores, its order, its tokens and its name', async () => {
  const asked: RerankParams[] = [];
  const rerank = (params: RerankParams) => {
    asked.push(params);
    const scores = params.documents.map((text) => 1 / (1 + text.length));
    return { scores, tokens: params.documents.map(() => 3) };
  };
  const engines = { ...fakeEngines({ embeddings: { rerank } }), reranker: () => 'minilm@1' };
  const caller = makeCaller();
  const service = createRerank({ engines, fixtures: createFixtureEngines() });
  const documents = Array.from({ length: 100 }, (_, index) => 'x'.repeat(1 + ((index * 7) % 100)));
  const { results, usage } = await service(
    { model: 'svc-embed-base', query: 'q', documents, top_n: 3 },
    caller,
  );
  expect(results.map(({ index }) => documents[index]!.length)).toEqual([1, 2, 3]);
  expect(results[0]?.relevance_score).toBe(0.5);
  expect(usage.total_tokens).toBe(300);
  expect(asked.map((each) => each.documents.length)).toEqual([64, 36]);
  expect(caller.meter.pack).toBe('minilm@1');
});
