import { expect, test } from 'vitest';
import { detect } from '../../server/engine/moderation/detectors.ts';
import { loadPiiDetector } from '../../server/engine/moderation/pii/detect-pii.ts';
import { loadSentenceRules } from '../../server/engine/moderation/sentence-rules.ts';
import { finish, inTurns } from '../../server/engine/steps.ts';
import { shieldStarter, simplified } from '../support/moderation/shield-pack.ts';

const signal = () => new AbortController().signal;

test('a short text does not wait for a long one that came before it', async () => {
  const detectors = {
    detectPii: await loadPiiDetector(shieldStarter),
    rules: await loadSentenceRules(shieldStarter, simplified),
    simplified,
  };
  const order: string[] = [];
  const ask = (text: string, name: string) =>
    inTurns(detect(text, detectors), signal()).then(() => order.push(name));
  await Promise.all([ask('{"a":'.repeat(6_000), 'long'), ask('a small text', 'short')]);
  expect(order).toEqual(['short', 'long']);
});

test('work ends where its signal aborts', async () => {
  const controller = new AbortController();
  let steps = 0;
  function* endless(): Generator<void, never> {
    for (;;) {
      steps += 1;
      yield;
    }
  }
  setImmediate(() => controller.abort(new Error('gone')));
  await expect(inTurns(endless(), controller.signal)).rejects.toThrow('gone');
  expect(steps).toBeGreaterThan(0);
});

test('finish takes all steps at once', () => {
  function* counting(): Generator<void, number> {
    yield;
    yield;
    return 7;
  }
  expect(finish(counting())).toBe(7);
});
