/**
 * Keys of the console's playgrounds: live, short-lived, in memory alone. All share one id, so that what people try out
 * shows as one line of usage and counts against one limit.
 */
import { scopes } from '../../api/common.ts';
import type { PlaygroundKey } from '../../api/console/console.ts';
import type { Principal } from '../caller.ts';
import type { KeyDirectory } from './key-directory.ts';
import { newKeyRow } from './key-service.ts';
import { createSecret } from './secret.ts';

const lifeSeconds = 3_600;
export const playgroundId = 'key_0';
const facts = { name: 'Playground', plan: 'enterprise' } as const;
/** The person themselves: what they try goes where they have routed it. */
const granted = scopes.filter((scope) => scope !== 'keys');

/** Whom work counts as that goes on when its session has ended. */
export const playgroundPrincipal: Principal = {
  ...facts,
  keyId: playgroundId,
  class: 'live',
  scopes: new Set(granted),
  models: null,
};

/** @param session which it ends with */
export function issuePlaygroundKey(directory: KeyDirectory, session: string, nowMs: number): PlaygroundKey {
  const secret = createSecret('live');
  const created = Math.floor(nowMs / 1000);
  const expires = created + lifeSeconds;
  const row = newKeyRow({ ...facts, scopes: granted, expires }, secret, created);
  directory.addEphemeral({ ...row, id: playgroundId }, session);
  return { secret, expires };
}
