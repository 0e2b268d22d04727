/** One streamed conversation: turns, the answer under way, stop, retry. Kept in this page only. */
import { useEffect, useRef, useState } from 'react';
import type { ChatRequest } from '../../../../server/api/chat.ts';
import { useClient } from '../../api/api-context.tsx';
import { isAbort, Problem } from '../../api/problem.ts';
import { readEvents } from '../../api/sse.ts';
import { type Draft, emptyDraft, mergeChunk, type StreamEvent } from './chat-stream.ts';
import type { Parameters } from './parameters-panel.tsx';

export interface Turn {
  role: 'user' | 'assistant';
  content: string;
  /** The assistant's alone: counts and speed, once known. */
  draft?: Draft;
}

export function useChat(parameters: Parameters) {
  const client = useClient();
  const [turns, setTurns] = useState<Turn[]>([]);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);

  // Who leaves the page no longer waits for the answer, and generation stops with the connection.
  useEffect(() => () => abort.current?.abort(), []);

  const request = (history: Turn[] = turns): ChatRequest => ({
    model: 'svc-lingua-7b',
    messages: [
      ...(parameters.system.trim() ? [{ role: 'system' as const, content: parameters.system.trim() }] : []),
      ...history.map(({ role, content }) => ({ role, content })),
    ],
    temperature: parameters.temperature,
    top_p: parameters.topP,
    max_tokens: parameters.maxTokens,
    ...(parameters.seed === null ? {} : { seed: parameters.seed }),
    stream: true,
    stream_options: { include_usage: true },
  });

  async function run(history: Turn[]) {
    const mine = new AbortController();
    abort.current = mine;
    setError(null);
    setRunning(true);
    let draft = emptyDraft(performance.now());
    const show = () => setTurns([...history, { role: 'assistant', content: draft.content, draft }]);
    setTurns(history);
    try {
      const response = await client.open('POST /v1/chat/completions', {
        body: request(history),
        signal: mine.signal,
      });
      for await (const data of readEvents(response.body as ReadableStream<Uint8Array>)) {
        if (data === '[DONE]') break;
        const event = JSON.parse(data) as StreamEvent;
        if ('error' in event)
          throw new Problem(event.error.message, { status: response.status, ...event.error });
        draft = mergeChunk(draft, event, performance.now());
        show();
      }
    } catch (problem) {
      if (!isAbort(problem)) setError(problem);
    } finally {
      if (abort.current === mine) setRunning(false);
    }
  }

  return {
    turns,
    running,
    error,
    request: () => request(),
    send: (content: string) => void run([...turns, { role: 'user', content }]),
    retry: () => void run(turns.at(-1)?.role === 'assistant' ? turns.slice(0, -1) : turns),
    stop: () => abort.current?.abort(),
    clear: () => {
      abort.current?.abort();
      setTurns([]);
      setError(null);
    },
  };
}
