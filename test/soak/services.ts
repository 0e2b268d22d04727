/**
 * `npm run soak [-- --minutes N]`: all six services asked in turn, every answer held against the one taken before, the load
 * kept at about a quarter of a core; an engine host is killed every minute, each pack's in turn. Prints one JSON object with
 * what was answered and how memory (after a full garbage collection), handles and files went. Exit code 1 for a wrong answer,
 * an error that no kill explains, or growth (judged from an hour on: before, caches fill).
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Started, startServer } from '../bench/http-load/servers.ts';
import { cpuMs, progress, rounded } from '../bench/measure.ts';
import { createLiveKey } from '../support/chat/live-key.ts';
import { childrenOf } from '../support/children-of.ts';
import { collectGarbage, freePort } from './services-load/collector.ts';
import { type Question, questions, toComparable } from './services-load/questions.ts';
import { countFiles, NamedHosts, type Sample, takeSample, trendOf } from './services-load/watch.ts';

const { values: given } = parseArgs({ options: { minutes: { type: 'string', default: '120' } } });
const minutes = Number(given.minutes);
const share = 0.25;
const killEveryMs = 60_000;
const sampleEveryMs = 30_000;
/** An engine opens again within it, on a machine that is busy with other things. */
const recoveryMs = 120_000;

const root = mkdtempSync(join(tmpdir(), 'lokal-soak-'));
const folders = { home: join(root, 'home'), tmp: join(root, 'tmp') };
mkdirSync(folders.home);
mkdirSync(folders.tmp);
const key = createLiveKey(folders.home);

const seen = { answers: 0, right: 0, replayed: 0, left: 0, kills: 0, broken_by_kill: 0 };
/** Answers that say themselves that a limit of time was met: of a machine that is busy with other things, not of the server. */
const late: Record<string, number> = {};
const wrong: string[] = [];
const unexplained: string[] = [];
const recoveries: number[] = [];
const samples: Sample[] = [];
let killedAt = Number.NEGATIVE_INFINITY;

interface Answer {
  status: number;
  text: string;
}

async function ask(
  port: number,
  { path, body }: Question,
  options: { signal?: AbortSignal; idempotencyKey?: string } = {},
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
    },
    body: JSON.stringify(body),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  return { status: response.status, text: await response.text() };
}

const comparable = ({ body }: Question, { text }: Answer): string => toComparable(text, body.stream === true);

const isLate = ({ text }: Answer): boolean => /takes? too long|took (too long|longer)/.test(text);

function recordLate({ name }: Question): void {
  late[name] = (late[name] ?? 0) + 1;
}

/** Until it is answered; only a kill excuses an error, and only for as long as an engine takes to open again. */
async function askUntilRight(port: number, question: Question, reference: string): Promise<void> {
  const since = performance.now();
  let broken = 0;
  for (;;) {
    const sentAt = performance.now();
    let problem: string;
    try {
      const answer = await ask(port, question);
      if (answer.status === 200) {
        seen.answers += 1;
        const got = comparable(question, answer);
        if (isLate(answer)) recordLate(question);
        else if (got === reference) seen.right += 1;
        else wrong.push(`${question.name}: ${got.slice(0, 300)}`);
        if (broken > 0) recoveries.push(performance.now() - since);
        return;
      }
      if (isLate(answer)) return recordLate(question);
      problem = `${answer.status} ${answer.text.slice(0, 200)}`;
    } catch (error) {
      problem = String((error as Error).message);
    }
    const explained = sentAt - killedAt < recoveryMs || killedAt > sentAt;
    if (!explained || performance.now() - since > recoveryMs) {
      unexplained.push(`${question.name}: ${problem}`);
      return;
    }
    seen.broken_by_kill += 1;
    broken += 1;
    await sleep(1_000);
  }
}

/** The same request under one Idempotency-Key, twice: the same bytes. */
async function askTwice(port: number, question: Question, name: string): Promise<void> {
  const first = await ask(port, question, { idempotencyKey: name });
  const second = await ask(port, question, { idempotencyKey: name });
  if (first.status !== 200 || second.status !== 200) return;
  seen.replayed += 1;
  if (first.text !== second.text) wrong.push(`${question.name}: another answer under one Idempotency-Key`);
}

/** A client that goes away in the middle. */
async function leave(port: number, question: Question): Promise<void> {
  await ask(port, question, { signal: AbortSignal.timeout(15) }).catch(() => {});
  seen.left += 1;
}

async function killInTurn(hosts: NamedHosts, end: number): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    // A moment of its own each time, so that kills meet every stage of a request.
    await sleep(killEveryMs + (Math.random() - 0.5) * 2_000, undefined, { ref: false });
    if (performance.now() > end) return;
    if (!hosts.kill(turn)) continue;
    killedAt = performance.now();
    seen.kills += 1;
  }
}

async function load(server: Started): Promise<void> {
  const { port } = server;
  const pid = server.child.pid!;
  const all = await questions();
  const hosts = new NamedHosts(pid);
  const references = new Map<string, string>();
  for (const question of [...all, ...all]) {
    const answer = await ask(port, question);
    if (answer.status !== 200)
      throw new Error(`${question.name} is answered ${answer.status}: ${answer.text}`);
    const got = comparable(question, answer);
    if ((references.get(question.name) ?? got) !== got) throw new Error(`${question.name} has two answers`);
    references.set(question.name, got);
    hosts.look(question.service);
  }
  const startedAt = performance.now();
  const busyBefore = cpuMs(pid);
  const end = startedAt + minutes * 60_000;
  void killInTurn(hosts, end);
  let sampledAt = startedAt;
  for (let round = 0; performance.now() < end; round += 1) {
    for (const question of all) {
      await askUntilRight(port, question, references.get(question.name)!);
      hosts.look(question.service);
      const busy = cpuMs(pid) - busyBefore;
      const elapsed = performance.now() - startedAt;
      await sleep(Math.min(30_000, Math.max(50, busy / share - elapsed)));
      if (performance.now() - sampledAt < sampleEveryMs) continue;
      sampledAt = performance.now();
      await collectGarbage(inspectorPort);
      const sample = { minute: (sampledAt - startedAt) / 60_000, values: takeSample(pid, hosts, folders) };
      samples.push(sample);
      if (samples.length % 10 === 1)
        progress(
          JSON.stringify({ ...seen, wrong: wrong.length, unexplained: unexplained.length, ...sample }),
        );
    }
    await askTwice(port, all[round % all.length]!, `soak-${round}`);
    await leave(port, all[(round * 5) % all.length]!);
  }
}

const cli = new URL('../../server/cli.ts', import.meta.url);
const inspectorPort = await freePort();
const server = await startServer(
  cli,
  ['serve', '--port', '0', '--json'],
  { LOKAL_HOME: folders.home, TMPDIR: folders.tmp },
  [`--inspect=127.0.0.1:${inspectorPort}`],
);
const last: number[] = [];
try {
  await load(server);
  last.push(...childrenOf(server.child.pid!));
} finally {
  await server.stop();
}
await sleep(3_000);
const remaining = {
  processes: last.filter((pid) => existsSync(`/proc/${pid}`)).length,
  tmp_files: countFiles(folders.tmp),
};
rmSync(root, { recursive: true, force: true });
const series = [...new Set(samples.flatMap(({ values }) => Object.keys(values)))];
const trends = Object.fromEntries(series.map((name) => [name, trendOf(samples, name)]));
/** Hosts begin anew every few minutes, so theirs are told and not judged. */
const grown = ['server_mb', 'server_handles', 'home_files', 'tmp_files', 'hosts'].filter(
  (name) => minutes >= 60 && trends[name]!.growth > 1.1,
);
console.log(
  JSON.stringify({
    soak: 'services',
    minutes,
    ...seen,
    wrong: wrong.length,
    unexplained: unexplained.length,
    late,
    longest_recovery_ms: rounded(Math.max(0, ...recoveries)),
    grown,
    trends,
    remaining,
    examples: [...wrong, ...unexplained].slice(0, 10),
  }),
);
process.exitCode =
  wrong.length + unexplained.length + grown.length + remaining.processes + remaining.tmp_files > 0 ? 1 : 0;
