import { expect, it } from 'vitest';
import { urgedSelfHarmScore } from '../../../server/engine/moderation/self-harm.ts';

it.each(['kill yourself', 'Just go kill yourself already!', 'you should hang yourself, loser'])(
  'hears that a life is to be ended: %s',
  (text) => expect(urgedSelfHarmScore(text)).toBeGreaterThan(0.5),
);

it.each([
  'Please do not kill yourself.',
  'kill yourself laughing',
  'He told her to kill herself.',
  'kill the process yourself',
  'How do I kill yourself in the game?',
  'I want to kill myself',
])('leaves to the classifier: %s', (text) => expect(urgedSelfHarmScore(text)).toBe(0));
