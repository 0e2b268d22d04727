/** Ways to choose among engines, to compare with the one the router has. */
import { type Choosable, orderTargets } from '../../server/engines/choose.ts';
import type { Choose, SeenEngine } from './fleet.ts';

const loadOf = ({ running, weight }: SeenEngine) => (running + 1) / weight;
const open = (engine: SeenEngine, tried: readonly number[]) => engine.usable && !tried.includes(engine.index);

interface Target extends Choosable {
  index: number;
}

/** As the router takes it, by weight. */
const byRouter =
  (affinity: boolean): Choose =>
  (engines, { conversation, random, tried }) => {
    const targets: Target[] = engines
      .filter((engine) => open(engine, tried))
      .map(({ failures, index, running, weight }) => ({
        index,
        name: `engine-${index}`,
        weight,
        running,
        concurrency: 20,
        standing: 'open',
        ailing: failures > 0,
        askableFromMs: 0,
        remote: true,
        verdict: 'healthy',
      }));
    const route = { mode: 'weight', spill_over: null } as const;
    const session = affinity ? `conversation ${conversation}` : null;
    return orderTargets(targets, { route, session, random })[0]?.index ?? -1;
  };

export const router = byRouter(false);
export const routerWithConversations = byRouter(true);

/** Least running per weight over all; of equals the first in the list. */
export const leastFirst: Choose = (engines, { tried }) => {
  let best: SeenEngine | null = null;
  for (const engine of engines)
    if (open(engine, tried) && (!best || loadOf(engine) < loadOf(best))) best = engine;
  return best?.index ?? -1;
};

function leastOf(toll: (engine: SeenEngine) => number): Choose {
  return (engines, { random, tried }) => {
    let best = -1;
    let lowest = Number.POSITIVE_INFINITY;
    let equals = 0;
    for (const engine of engines) {
      if (!open(engine, tried)) continue;
      const its = toll(engine);
      if (its < lowest) [lowest, equals] = [its, 0];
      if (its > lowest) continue;
      equals += 1;
      if (random() * equals < 1) best = engine.index;
    }
    return best;
  };
}

/** Least running per weight over all; of equals one drawn. */
export const leastDrawn: Choose = leastOf(loadOf);

/** The same; an engine whose last answer failed only when no other is left. */
export const leastWary: Choose = leastOf((engine) => loadOf(engine) + (engine.failures > 0 ? 1e9 : 0));

/** The less loaded of two that are drawn. */
export const twoDrawn: Choose = (engines, { random, tried }) => {
  const draw = () => {
    for (let attempt = 0; attempt < 16; attempt += 1) {
      const engine = engines[Math.floor(random() * engines.length)]!;
      if (open(engine, tried)) return engine;
    }
    return engines.find((engine) => open(engine, tried));
  };
  const [one, two] = [draw(), draw()];
  if (!one || !two) return -1;
  return loadOf(one) <= loadOf(two) ? one.index : two.index;
};

/** One drawn by weight, whatever it is doing. */
export const drawnByWeight: Choose = (engines, { random, tried }) => {
  let total = 0;
  for (const engine of engines) if (open(engine, tried)) total += engine.weight;
  let left = random() * total;
  for (const engine of engines) {
    if (!open(engine, tried)) continue;
    left -= engine.weight;
    if (left <= 0) return engine.index;
  }
  return -1;
};

/** Rendezvous hashing by conversation, whatever the load. */
export const byConversation: Choose = (engines, { conversation, tried }) => {
  let best = -1;
  let highest = Number.NEGATIVE_INFINITY;
  for (const engine of engines) {
    if (!open(engine, tried)) continue;
    const score = -engine.weight / Math.log(hash(conversation, engine.index));
    if (score > highest) [best, highest] = [engine.index, score];
  }
  return best;
};

/** Rendezvous hashing, but for engines that run over 1.25 times their share: the next by the hash. */
export const byConversationBounded: Choose = (engines, request) => {
  let running = 1;
  let weight = 0;
  for (const engine of engines) {
    if (!open(engine, request.tried)) continue;
    running += engine.running;
    weight += engine.weight;
  }
  const bound = (engine: SeenEngine) => Math.ceil((1.25 * running * engine.weight) / weight);
  const below = (engine: SeenEngine) => engine.running < bound(engine);
  const chosen = byConversation(
    engines.map((engine) => (below(engine) ? engine : { ...engine, usable: false })),
    request,
  );
  return chosen >= 0 ? chosen : leastDrawn(engines, request);
};

/** Of (0, 1), the same for the same pair. */
function hash(one: number, other: number): number {
  let mixed = Math.imul(one + 1, 0x9e3779b1) ^ Math.imul(other + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (((mixed ^ (mixed >>> 16)) >>> 0) + 1) / (2 ** 32 + 2);
}
