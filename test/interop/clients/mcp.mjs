import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { apiKey, assert, baseURL, check } from './check.mjs';

const { LOKAL_CLI: cli, LOKAL_FOLDER: allowed, LOKAL_OUTSIDE: outside } = process.env;
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

mkdirSync(allowed, { recursive: true });
mkdirSync(outside, { recursive: true });
for (const folder of [allowed, outside]) writeFileSync(join(folder, 'dot.png'), Buffer.from(png, 'base64'));
try {
  symlinkSync(join(outside, 'dot.png'), join(allowed, 'link.png'));
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
}

const image = { image: readFileSync(join(allowed, 'dot.png')).toString('base64') };
const calls = {
  parse_document: { file: png },
  search_text: { query: 'renew my passport', texts: ['Rainfall in Sabah', 'How to renew a passport'] },
  moderate: { text: 'A quiet afternoon.' },
  find_personal_data: { text: 'Write to siti@example.my.' },
  redact: { text: 'Write to siti@example.my.' },
  analyze_threat: { text: 'Failed password for root from 203.0.113.9 port 22 ssh2' },
  analyze_image: image,
  embed: { texts: ['a', 'b'] },
};
const mistakes = [
  ['embed', {}],
  ['embed', { texts: 'a' }],
  ['embed', { texts: ['a'], more: 1 }],
  ['search_text', { query: 'a', texts: [] }],
  ['moderate', { text: 7 }],
  ['parse_document', {}],
];
const paths = [
  '/etc/passwd',
  'dot.png',
  join(outside, 'dot.png'),
  join(allowed, 'link.png'),
  join(allowed, '..', 'outside', 'dot.png'),
  join(allowed, 'none.png'),
  allowed,
];
const textOf = ({ content: [first] }) => first.text;

const headers = { Authorization: `Bearer ${apiKey}` };
const transports = {
  http: () => new StreamableHTTPClientTransport(new URL('/mcp', baseURL), { requestInit: { headers } }),
  stdio: () =>
    new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp'], env: { ...process.env } }),
};
for (const [name, open] of Object.entries(transports)) {
  const client = new Client({ name: 'interop', version: '1' });
  await check(`${name}: connect`, () => client.connect(open()));
  await check(`${name}: tools`, async () => {
    const { tools } = await client.listTools();
    const missing = Object.keys(calls).filter((each) => !tools.some((tool) => tool.name === each));
    assert(missing.length === 0, `missing: ${missing}`);
    assert(
      tools.every(({ inputSchema, description }) => inputSchema.type === 'object' && description),
      'no schema',
    );
  });
  for (const [tool, values] of Object.entries(calls))
    await check(`${name}: ${tool}`, async () => {
      const result = await client.callTool({ name: tool, arguments: values });
      assert(!result.isError && result.structuredContent, JSON.stringify(result).slice(0, 250));
    });
  await check(`${name}: mistaken arguments are told to the model`, async () => {
    for (const [tool, values] of mistakes) {
      const result = await client.callTool({ name: tool, arguments: values });
      assert(result.isError && textOf(result).length > 10, `${tool} ${JSON.stringify(values)}`);
    }
  });
  await check(`${name}: files of the allowed folder alone, links followed`, async () => {
    const path = join(allowed, 'dot.png');
    const read = await client.callTool({ name: 'analyze_image', arguments: { path } });
    assert(!read.isError, textOf(read));
    for (const each of paths) {
      const result = await client.callTool({ name: 'analyze_image', arguments: { path: each } });
      assert(result.isError, `${each} was read`);
    }
  });
  await check(`${name}: an unknown tool`, async () => {
    const error = await client.callTool({ name: 'rm', arguments: {} }).catch((each) => each);
    assert(error.code === -32602, String(error));
  });
  await check(`${name}: resources`, async () => {
    const { resources } = await client.listResources();
    assert(resources.length === 3, JSON.stringify(resources));
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      assert(JSON.parse(contents[0].text), uri);
    }
    const error = await client.readResource({ uri: 'file:///etc/passwd' }).catch((each) => each);
    assert(error.code === -32602, String(error));
  });
  await check(`${name}: ping and close`, async () => {
    await client.ping();
    await client.close();
  });
}
