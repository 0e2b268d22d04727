/** Server-sent events read from a fetch body: EventSource can neither POST nor carry a key. */

/** The `data:` of each event, in order; comments and other fields are passed over. Ends with the body. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let buffer = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      buffer += (value ?? '').replaceAll('\r', '');
      const blocks = buffer.split('\n\n');
      buffer = done ? '' : (blocks.pop() ?? '');
      for (const block of blocks) {
        const data = toData(block);
        if (data !== null) yield data;
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function toData(block: string): string | null {
  const lines = block.split('\n').filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? null : lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n');
}
