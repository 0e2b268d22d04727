/** A contender in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { progress } from '../measure.ts';
import type { FromContender, Limits, Question, Rate } from './contender.ts';

export interface Side {
  loadMs: number;
  privateMb: number | null;
  /** Version and instruction sets, where the contender says them. */
  build?: string;
  ask(question: Question): Promise<Rate>;
  close(): void;
}

/** Null where its program is not there; why, on stderr. */
export async function startSide(script: URL, model: string, limits?: Limits): Promise<Side | null> {
  const sizes = limits ? [limits.sequences, limits.positions] : [];
  const child = fork(script, [model, availableParallelism(), ...sizes].map(String), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const name = basename(script.pathname);
  const first = await answerOf(child);
  if (!('ready' in first)) {
    progress(`${name}: ${'absent' in first ? first.absent : 'it did not say that it is ready'}`);
    child.kill();
    return null;
  }
  const { build, ...ready } = first.ready;
  return {
    ...ready,
    ...(build && { build }),
    async ask(question) {
      child.send(question);
      const answer = await answerOf(child);
      if (!('answer' in answer)) throw new Error(`${name} gave no rate`);
      return answer.answer;
    },
    close: () => void child.kill(),
  };
}

/** The child's next message. @throws Error when it ends instead */
function answerOf(child: ChildProcess): Promise<FromContender> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a contender ended with code ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as FromContender);
    });
  });
}
