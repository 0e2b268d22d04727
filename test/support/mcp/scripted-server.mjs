/** A server of the Model Context Protocol for tests, on standard input and output, or at a port: `node scripted-server.mjs [http]`. */
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const tools = [
  {
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  },
  { name: 'surroundings', description: 'Names of the environment.', inputSchema: { type: 'object' } },
  { name: 'leave', description: 'Ends the server.', inputSchema: { type: 'object' } },
  { name: 'scribble', description: 'Breaks the protocol.', inputSchema: { type: 'object' } },
];

function call({ name, arguments: values }) {
  const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
  if (name === 'add') return text(values.a + values.b);
  if (name === 'surroundings') return text(JSON.stringify([Object.keys(process.env).sort(), process.cwd()]));
  if (name === 'leave') process.exit(3);
  if (name === 'scribble') process.stdout.write('not a message\n');
  return { ...text('No such thing.'), isError: true };
}

function answer({ id, method, params }) {
  if (id === undefined || method === undefined) return null;
  const results = {
    initialize: () => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'scripted', version: '1' },
    }),
    // Two pages.
    'tools/list': () =>
      params.cursor === undefined ? { tools: tools.slice(0, 1), nextCursor: '1' } : { tools: tools.slice(1) },
    'tools/call': () => call(params),
  };
  return { jsonrpc: '2.0', id, result: results[method]() };
}

if (process.argv[2] === 'http') {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const answered = answer(JSON.parse(body));
    if (!answered) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's1' });
    response.write(
      ': hello\r\n\r\nevent: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\r\n\r\n',
    );
    response.end(`data: ${JSON.stringify(answered)}\n\n`);
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
} else {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'ping' })}\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    const answered = answer(message);
    if (answered) process.stdout.write(`${JSON.stringify(answered)}\n`);
  }
}
