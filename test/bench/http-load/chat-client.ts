/** A streaming chat client that counts and times, and nothing more. */

export interface ChatQuestion {
  content: string;
  history?: { role: string; content: string }[];
  [field: string]: unknown;
}

export interface ChatStreamed {
  text: string;
  firstTokenMs: number;
}

export interface ChatClient {
  /** @throws Error when the answer is refused or breaks off */
  ask(question: ChatQuestion): Promise<ChatStreamed>;
}

export function createChatClient(port: number, key: string): ChatClient {
  return {
    async ask({ content, history = [], ...fields }) {
      const start = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'svc-lingua-7b',
          messages: [...history, { role: 'user', content }],
          stream: true,
          ...fields,
        }),
      });
      if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`);
      const answer: ChatStreamed = { text: '', firstTokenMs: Number.NaN };
      let finished = false;
      for await (const data of events(response.body)) {
        if (data === '[DONE]') finished = true;
        else {
          const text = textOf(data);
          if (text !== '' && answer.text === '') answer.firstTokenMs = performance.now() - start;
          answer.text += text;
        }
      }
      if (!finished) throw new Error('the stream broke off');
      return answer;
    },
  };
}

/** The `data` of each event. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const part of body.pipeThrough(
    new TextDecoderStream() as never,
  ) as unknown as AsyncIterable<string>) {
    const blocks = (rest + part).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) if (block.startsWith('data: ')) yield block.slice('data: '.length);
  }
}

function textOf(data: string): string {
  const chunk = JSON.parse(data) as { choices?: { delta: { content?: string } }[] };
  return chunk.choices?.[0]?.delta.content ?? '';
}
