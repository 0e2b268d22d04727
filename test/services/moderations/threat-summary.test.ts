import { expect, it } from 'vitest';
import type { GenerateParams } from '../../../server/engine/chat/types.ts';
import type { Analysis, ThreatAnalyzeParams } from '../../../server/engine/threat/types.ts';
import { createFixtureEngines } from '../../../server/services/fixtures/engines.ts';
import { createModerations } from '../../../server/services/moderations/moderations.ts';
import { makeCaller } from '../../support/caller.ts';
import { type FakeMethods, fakeEngines } from '../../support/fake-engines.ts';
import { never, openThreatEngine } from '../../support/threat-engine.ts';

const log = 'Nov 12 02:13:41 web-01 sshd[1]: Failed password for root from 203.0.113.7 port 1 ssh2\n'.repeat(
  12,
);
const engine = await openThreatEngine();
const analyze = (params: ThreatAnalyzeParams): Promise<Analysis> => engine.methods.analyze(params, never);

function serve(threat_summaries: 'rules' | 'chat', methods: FakeMethods) {
  const moderations = createModerations({
    engines: fakeEngines({ threat: { analyze: analyze }, ...methods }),
    fixtures: createFixtureEngines(),
    settings: () => ({ threat_summaries }),
  });
  return async (input: string, language?: 'en' | 'ms' | 'zh') => {
    const body = { model: 'svc-guard-max', input, ...(language && { language }) };
    const { results } = await moderations(body, makeCaller());
    return results[0] as { summary: string; summary_by?: string; language: string };
  };
}

function writer(asked: GenerateParams[]): FakeMethods {
  return {
    chat: {
      generate: async function* (params) {
        asked.push(params);
        yield { kind: 'text', choice: 0, text: ' Someone guesses passwords. ' };
      },
    },
  };
}

it('the chat pack words the summary where that is switched on, and the answer names it', async () => {
  const asked: GenerateParams[] = [];
  const answer = await serve('chat', writer(asked))(log);
  expect(answer.summary).toBe('Someone guesses passwords.');
  expect(answer.summary_by).toMatch(/@/u);
  const told = asked[0]?.messages.map(({ content }) => content).join() ?? '';
  expect(told).toMatch(/Findings:/u);
  expect(told).not.toContain('sshd[1]');
});

it.each([
  ['switched off', 'rules', writer([])],
  ['no chat pack that answers', 'chat', {}],
] as const)('the summary of the rules stands: %s', async (_, who, methods) => {
  const answer = await serve(who, methods)(log);
  expect(answer.summary).toMatch(/events? read/u);
  expect(answer.summary_by).toBeUndefined();
});

it('a quiet log is not asked about', async () => {
  const asked: GenerateParams[] = [];
  const answer = await serve('chat', writer(asked))('all is well');
  expect(asked).toEqual([]);
  expect(answer.summary_by).toBeUndefined();
});

it('summary and actions come in the language that was asked for, else in that of the text', async () => {
  const ask = serve('rules', {});
  expect(await ask(log, 'zh')).toMatchObject({
    language: 'zh',
    summary: expect.stringMatching(/\p{Script=Han}/u),
  });
  expect((await ask(log)).language).toBe('en');
});
