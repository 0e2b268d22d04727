/** A fleet of engines in simulated time: what fronts that route by their own counts alone make of skew and failures. */
import { EventQueue } from './event-queue.ts';

/** An engine as a front sees it: its own requests there and its own verdict, nothing else. */
export interface SeenEngine {
  index: number;
  weight: number;
  running: number;
  /** Failures since its last good answer. */
  failures: number;
  usable: boolean;
}

/** Picks an engine for a request, or -1; `tried` are those that failed it. */
export type Choose = (
  engines: readonly SeenEngine[],
  request: { conversation: number; tried: readonly number[]; random: () => number },
) => number;

export type Failure = 'refuses' | 'hangs' | 'slow';

export interface Scenario {
  engines: number;
  fronts: number;
  /** Of what the living engines could do. */
  load: number;
  seconds: number;
  /** The fastest engine's speed over the slowest's. */
  speedSpread: number;
  /** Engines whose speed differs have a weight that tells so. */
  weightsTold: boolean;
  /** Exponent of Zipf's law over conversations; 0 = all alike. */
  conversationSkew: number;
  /** Mean seconds between failures of one engine; Infinity = never. */
  meanSecondsToFailure: number;
  repairSeconds: number;
  failure: Failure;
  /** Share of all engines that fail together, a third into the run. */
  outage: number;
  /** A connection that is refused uses up one of a request's tries. */
  refusalsCount: boolean;
}

export interface Outcome {
  requests: number;
  failed: number;
  triesPerRequest: number;
  p50Ms: number;
  p99Ms: number;
  /** Requests that met the engine which answered their conversation before. */
  sameEngine: number;
}

const slots = 4;
const queueLimit = 16;
const meanWorkSeconds = 2;
const firstByteTimeout = 10;
const connectSeconds = 0.002;
const maxTries = 3;
const failuresToOut = 2;
const firstPause = 1;
const longestPause = 60;

interface Engine {
  speed: number;
  up: boolean;
  working: number;
  waiting: (() => void)[];
  /** Ends what is running there. */
  broken: Set<() => void>;
}

interface FrontView extends SeenEngine {
  pause: number;
  trial: boolean;
}

/** mulberry32: the same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const exponential = (mean: number, random: () => number) => -mean * Math.log(1 - random());

export function simulate(scenario: Scenario, choose: Choose, seed = 1): Outcome {
  const random = randomNumbers(seed);
  const queue = new EventQueue();
  const engines: Engine[] = Array.from({ length: scenario.engines }, () => ({
    speed: scenario.speedSpread ** (random() - 0.5),
    up: true,
    working: 0,
    waiting: [],
    broken: new Set(),
  }));
  const fronts: FrontView[][] = Array.from({ length: scenario.fronts }, () =>
    engines.map(({ speed }, index) => ({
      index,
      weight: scenario.weightsTold ? speed : 1,
      running: 0,
      usable: true,
      failures: 0,
      pause: firstPause,
      trial: false,
    })),
  );
  const latencies: number[] = [];
  const lastEngine = new Map<number, number>();
  const outcome = { requests: 0, failed: 0, tries: 0, same: 0, repeated: 0 };

  const fail = (index: number) => {
    const engine = engines[index]!;
    if (!engine.up) return;
    engine.up = false;
    if (scenario.failure === 'refuses') for (const end of [...engine.broken]) end();
    queue.in(scenario.repairSeconds, () => {
      engine.up = true;
    });
  };
  const planFailure = (index: number) =>
    queue.in(exponential(scenario.meanSecondsToFailure, random), () => {
      fail(index);
      planFailure(index);
    });
  if (Number.isFinite(scenario.meanSecondsToFailure)) for (const index of engines.keys()) planFailure(index);
  if (scenario.outage > 0)
    queue.in(scenario.seconds / 3, () => {
      for (let index = 0; index < engines.length * scenario.outage; index += 1) fail(index);
    });

  /** A verdict of one front about one engine; out of use it is tried by one request after a growing pause. */
  const judge = (view: FrontView, good: boolean) => {
    if (good) {
      Object.assign(view, { failures: 0, pause: firstPause, usable: true, trial: false });
      return;
    }
    view.failures += 1;
    if (!view.trial && view.failures < failuresToOut) return;
    if (view.trial) view.pause = Math.min(view.pause * 2, longestPause);
    view.trial = false;
    view.usable = false;
    queue.in(view.pause * (0.75 + random() / 2), () => {
      view.usable = true;
      view.trial = true;
    });
  };

  /** One try: calls `done` with how it went; `cheap`: nothing was sent. */
  const attempt = (
    view: FrontView,
    done: (end: { good: boolean; judged: boolean; cheap: boolean }) => void,
  ) => {
    const engine = engines[view.index]!;
    const fast = scenario.failure === 'slow' || engine.up;
    if (!fast) {
      const wait = scenario.failure === 'hangs' ? firstByteTimeout : connectSeconds;
      queue.in(wait, () => done({ good: false, judged: true, cheap: scenario.failure === 'refuses' }));
      return;
    }
    if (engine.waiting.length >= queueLimit) {
      queue.in(connectSeconds, () => done({ good: false, judged: false, cheap: false }));
      return;
    }
    let over = false;
    const finish = (good: boolean) => {
      if (over) return;
      over = true;
      engine.broken.delete(broken);
      done({ good, judged: true, cheap: false });
    };
    const broken = () => {
      finish(false);
      const at = engine.waiting.indexOf(start);
      if (at >= 0) engine.waiting.splice(at, 1);
      else release();
    };
    const release = () => {
      engine.working -= 1;
      engine.waiting.shift()?.();
    };
    const start = () => {
      engine.working += 1;
      const slowed = scenario.failure === 'slow' && !engine.up ? 10 : 1;
      const seconds = (exponential(meanWorkSeconds, random) * slowed) / engine.speed;
      queue.in(seconds, () => {
        if (over) return;
        finish(true);
        release();
      });
    };
    engine.broken.add(broken);
    if (engine.working < slots) start();
    else engine.waiting.push(start);
  };

  const conversations = engines.length * 10;
  /** Zipf by inversion of a continuous law, close enough for skew. */
  const drawConversation = () => {
    const { conversationSkew: skew } = scenario;
    if (skew === 0) return Math.floor(random() * conversations);
    const top = (conversations ** (1 - skew) - 1) * random() + 1;
    return Math.floor(top ** (1 / (1 - skew))) - 1;
  };

  const request = () => {
    const views = fronts[Math.floor(random() * fronts.length)]!;
    const conversation = drawConversation();
    const tried: number[] = [];
    let left = maxTries;
    const startedAt = queue.now;
    outcome.requests += 1;
    const next = () => {
      const index = left > 0 ? choose(views, { conversation, tried, random }) : -1;
      const view = views[index];
      if (!view) {
        outcome.failed += 1;
        return;
      }
      outcome.tries += 1;
      view.running += 1;
      // A trial is one request: others wait for its verdict.
      if (view.trial) view.usable = false;
      attempt(view, ({ cheap, good, judged }) => {
        view.running -= 1;
        if (judged) judge(view, good);
        else if (view.trial) view.usable = true;
        if (!good) {
          tried.push(index);
          if (!cheap || scenario.refusalsCount) left -= 1;
          next();
          return;
        }
        latencies.push(queue.now - startedAt);
        const last = lastEngine.get(conversation);
        if (last !== undefined) {
          outcome.repeated += 1;
          if (last === index) outcome.same += 1;
        }
        lastEngine.set(conversation, index);
      });
    };
    next();
  };
  const capacity = engines.reduce((sum, { speed }) => sum + (slots * speed) / meanWorkSeconds, 0);
  const between = 1 / (capacity * scenario.load);
  const arrive = () => {
    request();
    if (queue.now < scenario.seconds) queue.in(exponential(between, random), arrive);
  };
  queue.in(0, arrive);
  queue.runUntil(scenario.seconds);

  latencies.sort((a, b) => a - b);
  const at = (share: number) => 1000 * (latencies[Math.floor(latencies.length * share)] ?? Number.NaN);
  return {
    requests: outcome.requests,
    failed: outcome.failed,
    triesPerRequest: outcome.tries / outcome.requests,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    sameEngine: outcome.same / Math.max(1, outcome.repeated),
  };
}
