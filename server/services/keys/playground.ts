/**
 * Keys of the console's playgrounds and of commands: live, short-lived, in memory alone. Each kind shares one id, so that what
 * people try out shows as one line of usage and counts against one limit.
 */
import { scopes } from '../../api/common.ts';
import type { PlaygroundKey } from '../../api/console/console.ts';
import type { Principal } from '../caller.ts';
import { isCommand } from '../console/sessions.ts';
import type { KeyDirectory } from './key-directory.ts';
import { newKeyRow } from './key-service.ts';
import { createSecret } from './secret.ts';

const lifeSeconds = 3_600;
export const playgroundId = 'key_0';
const plan = 'enterprise';
/** The person themselves: what they try goes where they have routed it. */
const granted = scopes.filter((scope) => scope !== 'keys');

const personAs = (keyId: string, name: string): Principal => ({
  keyId,
  name,
  plan,
  class: 'live',
  scopes: new Set(granted),
  models: null,
});

/** Whom work counts as that goes on when its session has ended. */
export const playgroundPrincipal = personAs(playgroundId, 'Playground');
export const commandPrincipal = personAs('key_cli', 'Command line');

/** The person themselves, by whichever way; null for a key of somebody's. */
export const personOf = (keyId: string | undefined): Principal | null =>
  [playgroundPrincipal, commandPrincipal].find((each) => each.keyId === keyId) ?? null;

/** Whose files and batches a caller's are: a replaced key's are its replacement's, those of commands the interface's. */
export const ownersOf =
  (keys: Pick<KeyDirectory, 'firstOf'>) =>
  ({ keyId }: Principal): string =>
    personOf(keyId) ? playgroundId : keys.firstOf(keyId);

/** @param session which it ends with */
export function issuePlaygroundKey(directory: KeyDirectory, session: string, nowMs: number): PlaygroundKey {
  const { keyId: id, name } = isCommand(session) ? commandPrincipal : playgroundPrincipal;
  const secret = createSecret('live');
  const created = Math.floor(nowMs / 1000);
  const expires = created + lifeSeconds;
  const row = newKeyRow({ name, plan, scopes: granted, expires }, secret, created);
  directory.addEphemeral({ ...row, id }, session);
  return { secret, expires };
}
