/** The chat protocols side by side: agents’ conversations replayed in each give the engine the same request. */
import { describe, expect, it } from 'vitest';
import type { GenerateEvent, GenerateParams } from '../../server/engine/chat/types.ts';
import {
  type AgentTurn,
  eventDataOf,
  protocolPaths,
  repairTranscript,
  requestsAfter,
  streamedTurnOf,
  turnOf,
} from '../support/agent-transcript.ts';
import { openTestApp, send } from '../support/app/test-app.ts';

/** A turn as an engine would send it, arguments in fragments that break anywhere. */
function* eventsOf({ text, calls }: AgentTurn): Generator<GenerateEvent> {
  yield { kind: 'prompt', tokens: 100 };
  if (text !== null)
    for (const piece of text.match(/.{1,5}/gs)!) yield { kind: 'text', choice: 0, text: piece };
  for (const [call, { id, name, input }] of calls.entries()) {
    yield { kind: 'tool', choice: 0, call, id, name };
    for (const piece of JSON.stringify(input).match(/.{1,3}/gs)!)
      yield { kind: 'arguments', choice: 0, call, text: piece };
  }
  yield { kind: 'finish', choice: 0, reason: 'tool_calls', tokens: 9 };
}

describe('an agent’s twenty turns', () => {
  it('ask the engine alike in every protocol, and are answered alike, whole and streamed', async () => {
    const asked: GenerateParams[] = [];
    let turn = 0;
    const generate = (params: GenerateParams) => {
      asked.push(params);
      return eventsOf(repairTranscript.turns[turn]!);
    };
    const app = openTestApp({ methods: { chat: { generate } } });
    const key = app.key();
    for (; turn < repairTranscript.turns.length; turn += 1) {
      const { text, calls } = repairTranscript.turns[turn]!;
      const requests = requestsAfter(repairTranscript, turn);
      for (const path of protocolPaths) {
        const whole = await send(app, path, key, { body: requests[path] });
        expect(turnOf[path](whole.json()), `${path} ${turn}`).toEqual({ text, calls });
        const streamed = await send(app, path, key, { body: { ...requests[path], stream: true } });
        expect(streamedTurnOf[path](eventDataOf(streamed.body)), `${path} ${turn}`).toEqual({ text, calls });
      }
      const [first, ...others] = asked.splice(0);
      for (const each of others) expect(each).toEqual(first);
      expect(first?.messages).toHaveLength(
        2 + repairTranscript.turns.slice(0, turn).reduce((sum, { results }) => sum + 1 + results.length, 0),
      );
    }
  });

  it('leave the engine at once when a stream is broken off', async () => {
    const ended: boolean[] = [];
    const generate = async function* (
      _params: GenerateParams,
      { signal }: { signal: AbortSignal },
    ): AsyncGenerator<GenerateEvent> {
      yield { kind: 'prompt', tokens: 3 };
      yield { kind: 'text', choice: 0, text: 'I look' };
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      ended.push(signal.aborted);
    };
    const app = openTestApp({ methods: { chat: { generate } } });
    const key = app.key();
    const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
    const requests = requestsAfter(repairTranscript, 3);
    for (const [index, path] of protocolPaths.entries()) {
      const client = new AbortController();
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...requests[path], stream: true }),
        signal: client.signal,
      });
      let text = '';
      const decoder = new TextDecoder();
      for await (const piece of response.body!) {
        text += decoder.decode(piece as Uint8Array, { stream: true });
        if (text.includes('I look')) break;
      }
      client.abort();
      await expect.poll(() => ended.length, { timeout: 10_000 }).toBe(index + 1);
    }
    expect(ended).toEqual([true, true, true]);
    // What it had used is metered: the prompt and a token each time.
    app.services.flush();
    await expect
      .poll(() => app.services.usage.report(30)[0])
      .toMatchObject({ requests: 3, prompt_tokens: 9 });
  });
});
