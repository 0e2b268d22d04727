import { expect, it } from 'vitest';
import { readServerLine, toMcpTools, toServerLine } from '../../renderer/src/pages/chat/tools/mcp-tools.ts';
import type { McpServer } from '../../server/api/console/mcp-servers.ts';

const server = (name: string, ...tools: string[]): McpServer => ({
  id: name,
  name,
  command: 'x',
  args: [],
  url: null,
  state: 'ready',
  error: null,
  tools: tools.map((tool) => ({
    name: tool,
    description: '',
    input_schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
    always: false,
  })),
});

it('tools get names that a model may call, each once, and none that was typed', () => {
  const tools = toMcpTools(
    [server('One', 'read file', 'add'), server('Two', 'add', 'get_weather')],
    ['get_weather'],
  );
  expect(tools.map(({ name, server: of, tool }) => [name, of, tool])).toEqual([
    ['read_file', 'One', 'read file'],
    ['add', 'One', 'add'],
    ['Two_add', 'Two', 'add'],
    ['Two_get_weather', 'Two', 'get_weather'],
  ]);
  expect(tools[0]?.definition.function.parameters).toEqual({ type: 'object' });
});

it('a line is an address, or a program with arguments that may be quoted', () => {
  expect(readServerLine(' http://127.0.0.1:80/mcp ')).toEqual({ url: 'http://127.0.0.1:80/mcp' });
  const line = `node "/my tools/server.js" --root 'a b' ""`;
  expect(readServerLine(line)).toEqual({
    command: 'node',
    args: ['/my tools/server.js', '--root', 'a b', ''],
  });
  expect(readServerLine('  ')).toBeNull();
  const shown = toServerLine({ command: 'node', args: ['/my tools/server.js', ''], url: null });
  expect(shown).toBe('node "/my tools/server.js" ""');
});
