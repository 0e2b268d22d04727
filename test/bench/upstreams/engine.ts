/** An engine in a process of its own, to be killed: streams `max_tokens` chunks, `seed` milliseconds apart. Its port is its argument. */
import { createServer } from 'node:http';

interface Asked {
  max_tokens: number;
  seed?: number;
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const server = createServer(async (request, response) => {
  if (request.url !== '/v1/chat/completions') {
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'tiny' }] }));
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { max_tokens: count, seed: pauseMs = 0 } = JSON.parse(Buffer.concat(parts).toString()) as Asked;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let token = 0; token < count && !response.destroyed; token += 1) {
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    response.write(chunk({ content: 'a ' }));
  }
  const usage = { prompt_tokens: 5, completion_tokens: count };
  response.end(`${chunk({}, 'stop')}data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('ready\n'));
