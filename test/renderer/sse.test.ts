import { describe, expect, it } from 'vitest';
import { readEvents } from '../../renderer/src/api/sse.ts';
import { emptyDraft, mergeChunk, tokensPerSecond } from '../../renderer/src/pages/chat/chat-stream.ts';

function streamOf(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

describe('readEvents', () => {
  const text =
    ': ping\n\ndata: {"a":"é中"}\r\n\r\nevent: x\ndata: one\ndata: two\n\ndata: [DONE]\n\ndata: unfinished';

  it.each([1, 2, 7, 1000])('joins what %i-byte pieces bring', async (size) => {
    const events: string[] = [];
    for await (const event of readEvents(streamOf(text, size))) events.push(event);
    expect(events).toEqual(['{"a":"é中"}', 'one\ntwo', '[DONE]', 'unfinished']);
  });

  it('lets go of the body when the reader stops early', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const event of readEvents(body)) {
      expect(event).toBe('x');
      break;
    }
    expect(cancelled).toBe(true);
  });
});

describe('mergeChunk', () => {
  const chunk = (content: string | null, rest: object = {}) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk' as const,
    created: 1,
    model: 'svc-lingua-7b',
    choices: content === null ? [] : [{ index: 0, delta: { content }, finish_reason: null }],
    ...rest,
  });

  it('adds text up and takes the usage of the last chunk', () => {
    let draft = emptyDraft(0);
    draft = mergeChunk(draft, chunk(''), 50);
    draft = mergeChunk(draft, chunk('Hel'), 100);
    draft = mergeChunk(draft, chunk('lo'), 1100);
    const usage = { prompt_tokens: 7, completion_tokens: 11, total_tokens: 18 };
    draft = mergeChunk(draft, chunk(null, { usage }), 1200);
    expect(draft).toMatchObject({
      content: 'Hello',
      promptTokens: 7,
      completionTokens: 11,
      firstMs: 100,
      lastMs: 1100,
    });
    expect(tokensPerSecond(draft)).toBe(10);
  });

  it('gives no speed where there is nothing to divide', () => {
    expect(tokensPerSecond(emptyDraft(0))).toBe(null);
    expect(tokensPerSecond(mergeChunk(emptyDraft(0), chunk('a'), 5))).toBe(null);
  });
});
