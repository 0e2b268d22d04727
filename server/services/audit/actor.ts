/** Who acts, for the audit log: set where a request or a command begins, read where something is changed. */
import { AsyncLocalStorage } from 'node:async_hooks';

const actors = new AsyncLocalStorage<string>();

export const actAs = <T>(actor: string, work: () => T): T => actors.run(actor, work);

/** `system`: nobody asked, such as the key that a machine is started with. */
export const currentActor = (): string => actors.getStore() ?? 'system';
