/** Tools of the servers that run, under names that a model may call. Pure. */

import type { McpServer, McpServerInput } from '../../../../../server/api/console/mcp-servers.ts';
import type { Tool } from '../../../../../server/api/services/chat.ts';

export interface McpTool {
  /** As the model calls it. */
  name: string;
  serverId: string;
  server: string;
  /** As its server calls it. */
  tool: string;
  /** Every call of it is allowed. */
  always: boolean;
  definition: Tool;
}

const toName = (text: string): string => text.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 64);

/** @param taken names of the tools that the person has typed */
export function toMcpTools(servers: readonly McpServer[], taken: readonly string[] = []): McpTool[] {
  const names = new Set(taken);
  return servers.flatMap(({ id, name: server, tools }) =>
    tools.flatMap(({ name: tool, description, input_schema, always }) => {
      const plain = toName(tool);
      const name = names.has(plain) ? toName(`${server}_${tool}`) : plain;
      if (names.has(name)) return [];
      names.add(name);
      const { $schema: _, ...parameters } = input_schema;
      const definition: Tool = { type: 'function', function: { name, description, parameters } };
      return [{ name, serverId: id, server, tool, always, definition }];
    }),
  );
}

/** A line as one types it: an address, or a program with its arguments, quoted where they hold spaces. Null: nothing is in it. */
export function readServerLine(line: string): Pick<McpServerInput, 'command' | 'args' | 'url'> | null {
  if (/^https?:\/\//i.test(line.trim())) return { url: line.trim() };
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
  const [command, ...args] = words;
  return command ? { command, args } : null;
}

/** The line that a server was added by. */
export const toServerLine = ({ command, args, url }: Pick<McpServer, 'command' | 'args' | 'url'>): string =>
  url ?? [command ?? '', ...args].map((word) => (/\s|^$/.test(word) ? `"${word}"` : word)).join(' ');
