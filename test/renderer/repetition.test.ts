import { describe, expect, it } from 'vitest';
import { ChatAnswer } from '../../renderer/src/pages/chat/model/answer.ts';
import { repeatedTail } from '../../renderer/src/pages/chat/model/repetition.ts';

describe('repeatedTail', () => {
  it.each(['res ', 'The same sentence again. ', '"# "', '再来一次。'])(
    'hears %j said over and over',
    (unit) => {
      expect(repeatedTail(`Here it begins: ${unit.repeat(100)}`)).toBeGreaterThan(0);
    },
  );

  it.each([
    ['text', 'It was the best of times, it was the worst of times. '.repeat(2)],
    ['a rule', `| a | b |\n${'-'.repeat(100)}\n`],
    ['numbered lines', Array.from({ length: 100 }, (_, at) => `${at}. item ${at * 7}`).join('\n')],
    ['a short laugh', 'ha'.repeat(60)],
    ['nothing', ''],
  ])('leaves %s alone', (_name, text) => {
    expect(repeatedTail(text)).toBe(0);
  });

  it('an answer loops by its words or by the arguments of its call', () => {
    const answer = new ChatAnswer(0, null);
    const chunk = (delta: object) =>
      ({ choices: [{ index: 0, delta, finish_reason: null }] }) as unknown as Parameters<
        ChatAnswer['add']
      >[0];
    answer.add(chunk({ content: 'A fine beginning. ' }), 1);
    expect(answer.isLooping()).toBe(false);
    answer.add(chunk({ tool_calls: [{ index: 0, function: { arguments: 'no '.repeat(200) } }] }), 2);
    expect(answer.isLooping()).toBe(true);
    expect(answer.toMessages('repetition')[0]?.figures?.finishReason).toBe('repetition');
  });
});
