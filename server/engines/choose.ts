/** The order in which a request's targets are asked. Pure: a simulation runs it with thousands of engines. */
import { hash } from 'node:crypto';
import type { EngineRoute } from '../api/console/engines.ts';
import type { EngineTarget } from './target.ts';

export type Choosable = Pick<
  EngineTarget,
  | 'name'
  | 'weight'
  | 'running'
  | 'concurrency'
  | 'standing'
  | 'ailing'
  | 'askableFromMs'
  | 'remote'
  | 'verdict'
>;

export interface ChooseOptions {
  route: Pick<EngineRoute, 'mode' | 'spill_over'>;
  /** Requests of one conversation go where it was, for its cached prompt. */
  session: string | null;
  /** 0 to 1. */
  random?: () => number;
}

/** A conversation's engine may be this much busier than the mean before another one is asked. */
const affinitySlack = 1.25;

/**
 * Those that may be asked now, first to last; an engine that failed lately stands behind those that did not, and a full one behind
 * all. Empty where all are closed.
 */
export function orderTargets<T extends Choosable>(targets: readonly T[], options: ChooseOptions): T[] {
  const askable = targets.filter(({ standing }) => standing !== 'closed');
  const { route, session } = options;
  const listed =
    route.mode === 'order' ? spilled(askable, route.spill_over) : byLoad(askable, session, options.random);
  const rank = (target: T) =>
    (target.running >= target.concurrency ? 4 : 0) +
    (target.standing === 'probation' ? 2 : 0) +
    (target.ailing ? 1 : 0);
  return listed
    .map((target, place) => ({ target, place, rank: rank(target) }))
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ target }) => target);
}

/** This machine goes last while it has as much to do as it may keep. */
function spilled<T extends Choosable>(targets: readonly T[], spillOver: number | null): readonly T[] {
  const local = targets.find(({ remote }) => !remote);
  if (!local || spillOver === null || local.running < spillOver) return targets;
  return [...targets.filter((target) => target !== local), local];
}

/** Least running for its weight, equals by chance; first the conversation's own, while it is not far busier than the rest. */
function byLoad<T extends Choosable>(
  targets: readonly T[],
  session: string | null,
  random: () => number = Math.random,
): T[] {
  const scored = targets.map((target) => ({
    target,
    load: (target.running + 1) / target.weight,
    chance: random(),
  }));
  scored.sort((a, b) => a.load - b.load || a.chance - b.chance);
  const ordered = scored.map(({ target }) => target);
  if (session === null || ordered.length < 2) return ordered;
  const own = preferred(ordered, session);
  const running = ordered.reduce((sum, target) => sum + target.running, 0);
  const weights = ordered.reduce((sum, target) => sum + target.weight, 0);
  const fair = Math.ceil(((running + 1) / weights) * own.weight * affinitySlack);
  if (own.running + 1 > fair) return ordered;
  return [own, ...ordered.filter((target) => target !== own)];
}

/** Rendezvous hashing: a target that comes or goes moves its own conversations and no others. */
function preferred<T extends Choosable>(targets: readonly T[], session: string): T {
  const score = ({ name, weight }: T) => {
    const bits = Number.parseInt(hash('sha256', `${session}\n${name}`, 'hex').slice(0, 12), 16);
    return -weight / Math.log((bits + 1) / 2 ** 48);
  };
  let best = targets[0]!;
  let highest = score(best);
  for (const target of targets.slice(1)) {
    const each = score(target);
    if (each > highest) [best, highest] = [target, each];
  }
  return best;
}

/** Of targets that are all closed, the one that has been out the longest; undefined where none is merely out. */
export function longestOut<T extends Choosable>(targets: readonly T[]): T | undefined {
  const out = targets.filter(({ verdict }) => verdict === 'out');
  return out.sort((a, b) => a.askableFromMs - b.askableFromMs)[0];
}
