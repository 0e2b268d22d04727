/** `node test/simulation/routing.ts [ENGINES [POLICY …]]`: routing in simulated time, a table of policies for each scenario. */
import { type Choose, type Scenario, simulate } from './fleet.ts';
import * as policies from './policies.ts';

const engines = Number(process.argv[2] ?? 2000);
const calm: Scenario = {
  engines,
  fronts: 1,
  load: 0.7,
  // Thousands of engines see as many requests in less time.
  seconds: engines > 500 ? 30 : 60,
  speedSpread: 1,
  weightsTold: false,
  conversationSkew: 0,
  meanSecondsToFailure: Number.POSITIVE_INFINITY,
  repairSeconds: 20,
  failure: 'refuses',
  outage: 0,
  refusalsCount: false,
};
const scenarios: Record<string, Partial<Scenario>> = {
  'all alike': {},
  'all alike, 90 % load': { load: 0.9 },
  'speeds 1 to 16, weights tell': { speedSpread: 16, weightsTold: true },
  'speeds 1 to 16, weights equal': { speedSpread: 16 },
  '16 fronts that know only their own': { fronts: 16 },
  'skewed conversations': { conversationSkew: 1.1 },
  'each dies every 10 min, refuses': { meanSecondsToFailure: 600 },
  'each dies every 10 min, hangs': { meanSecondsToFailure: 600, failure: 'hangs' },
  'each is 10 times slower now and then': { meanSecondsToFailure: 600, failure: 'slow' },
  'a fifth goes at once, refuses': { outage: 0.2 },
  'the same, refusals use up tries': { outage: 0.2, refusalsCount: true },
  'a fifth goes at once, hangs': { outage: 0.2, failure: 'hangs' },
  'a fifth goes at once, hangs, 16 fronts': { outage: 0.2, failure: 'hangs', fronts: 16 },
};

const wanted = process.argv.slice(3);
const chosen = Object.entries(policies).filter(([name]) => wanted.length === 0 || wanted.includes(name)) as [
  string,
  Choose,
][];
console.log('| scenario | policy | requests | failed | tries | p50 ms | p99 ms | same engine |');
console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const [scenario, changes] of Object.entries(scenarios)) {
  for (const [name, choose] of chosen) {
    const found = simulate({ ...calm, ...changes }, choose);
    const figures = [
      `${found.requests}`,
      `${found.failed}`,
      found.triesPerRequest.toFixed(3),
      found.p50Ms.toFixed(0),
      found.p99Ms.toFixed(0),
      `${(100 * found.sameEngine).toFixed(0)} %`,
    ];
    console.log(`| ${scenario} | ${name} | ${figures.join(' | ')} |`);
  }
}
