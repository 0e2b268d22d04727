import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { apiKey, assert, baseURL, check } from './check.mjs';

const client = new Client({ name: 'interop', version: '1' });
const headers = { Authorization: `Bearer ${apiKey}` };
const url = new URL('/mcp', baseURL);

await check('connect', () =>
  client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } })),
);
await check('tools', async () => {
  const { tools } = await client.listTools();
  assert(tools.length >= 7 && tools.every(({ inputSchema }) => inputSchema.type === 'object'), 'tools');
});
await check('a call', async () => {
  const texts = ['Rainfall in Sabah', 'How to renew a passport'];
  const result = await client.callTool({
    name: 'search_text',
    arguments: { query: 'renew my passport', texts },
  });
  assert(result.structuredContent.results.length === 2, JSON.stringify(result));
});
await check('a refusal', async () => {
  const result = await client.callTool({ name: 'parse_document', arguments: { path: '/etc/passwd' } });
  assert(result.isError && /mcp_folders/.test(result.content[0].text), JSON.stringify(result));
});
await check('resources', async () => {
  const { contents } = await client.readResource({ uri: 'lokal://models' });
  assert(JSON.parse(contents[0].text).data.length === 6, 'models');
});
await check('close', () => client.close());
