import { describe, expect, it } from 'vitest';
import { readEvents } from '../../renderer/src/api/sse.ts';

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
