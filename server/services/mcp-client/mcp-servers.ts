/**
 * Servers of the Model Context Protocol that the person has added for the chat playground. None is started by itself: adding
 * keeps its command, starting runs it, and a call is made when the page asks for it, which it does with the person's consent.
 */
import { randomBytes } from 'node:crypto';
import type {
  McpCall,
  McpCallRequest,
  McpCallResult,
  McpServer,
  McpServerInput,
  McpServerList,
} from '../../api/console/mcp-servers.ts';
import { ApiError } from '../../errors.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { createSealedRecords, type SealedRecordDeps } from '../sealed-records.ts';
import { openHttpTransport, toLoopbackUrl } from './http-transport.ts';
import { beginSession, type McpSession } from './mcp-session.ts';
import type { McpTransport } from './rpc.ts';
import { openStdioTransport } from './stdio-transport.ts';

export interface McpServerService {
  list(): McpServerList;
  /** Starts nothing. @throws ApiError invalid_value, conflict */
  add(input: McpServerInput): McpServer;
  /** @throws ApiError not_found */
  remove(id: string): void;
  /** A server that cannot be used says so in its state. @throws ApiError not_found */
  start(id: string): Promise<McpServer>;
  /** @throws ApiError not_found */
  stop(id: string): McpServer;
  /** @throws ApiError not_found; conflict while it is not ready; invalid_value for a tool that it does not offer */
  call(id: string, request: McpCallRequest): Promise<McpCallResult>;
  /** @throws ApiError not_found */
  ask(id: string, tool: string): McpServer;
  close(): void;
}

interface Kept {
  name: string;
  command: string | null;
  args: string[];
  url: string | null;
  /** Tools whose every call is allowed. */
  always: string[];
}

interface Running {
  transport: McpTransport;
  session: McpSession | null;
  error: string | null;
}

export interface McpServerDeps extends SealedRecordDeps {
  audit: AuditLog;
  /** All that a started program gets to see of the environment. */
  env: NodeJS.ProcessEnv;
}

const mostServers = 32;
const mostCalls = 200;

export function createMcpServers({ audit, env, ...deps }: McpServerDeps): McpServerService {
  const records = createSealedRecords(deps, {
    kind: 'mcp_server',
    place: (part, id) => `mcp server ${id} ${part}`,
  });
  const running = new Map<string, Running>();
  const failed = new Map<string, string>();
  const calls: McpCall[] = [];

  function find(id: string): Kept {
    const record = records.find(id);
    if (!record) throw new ApiError('not_found', 'There is no such server.');
    return JSON.parse(record.content.toString()) as Kept;
  }

  const put = (id: string, kept: Kept) => records.put({ id, content: Buffer.from(JSON.stringify(kept)) });

  function show(id: string, { always, ...kept }: Kept): McpServer {
    const current = running.get(id);
    const error = failed.get(id) ?? null;
    return {
      id,
      ...kept,
      state: current ? (current.session ? 'ready' : 'starting') : error === null ? 'stopped' : 'failed',
      error,
      tools: (current?.session?.tools ?? []).map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
        always: always.includes(name),
      })),
    };
  }

  function end(id: string): void {
    running.get(id)?.transport.close();
    running.delete(id);
    failed.delete(id);
  }

  function all(): { id: string; kept: Kept }[] {
    return records
      .list()
      .map(({ id }) => ({ id, kept: find(id) }))
      .sort((a, b) => a.kept.name.localeCompare(b.kept.name));
  }

  return {
    list: () => ({ data: all().map(({ id, kept }) => show(id, kept)), calls }),

    add({ name, command, args = [], url }) {
      if ((command === undefined) === (url === undefined))
        throw new ApiError('missing_field', 'Send either command or url.', { param: 'command' });
      if (url !== undefined) toLoopbackUrl(url);
      const others = all();
      if (others.some(({ kept }) => kept.name === name))
        throw new ApiError('conflict', 'There is a server of that name already.', { param: 'name' });
      if (others.length >= mostServers)
        throw new ApiError('conflict', `At most ${mostServers} servers are kept.`);
      const id = randomBytes(8).toString('hex');
      const kept: Kept = { name, command: command ?? null, args, url: url ?? null, always: [] };
      audit.act(
        { action: 'mcp_server.add', target: name, changes: { kind: url === undefined ? 'program' : 'http' } },
        () => put(id, kept),
      );
      return show(id, kept);
    },

    remove(id) {
      const { name } = find(id);
      end(id);
      audit.act({ action: 'mcp_server.remove', target: name }, () => records.remove(id));
    },

    async start(id) {
      const kept = find(id);
      if (running.has(id)) return show(id, kept);
      failed.delete(id);
      audit.record({ action: 'mcp_server.start', target: kept.name });
      const transport = open(kept, env);
      const mine: Running = { transport, session: null, error: null };
      running.set(id, mine);
      const fail = (reason: string) => {
        if (running.get(id) !== mine) return;
        running.delete(id);
        failed.set(id, reason);
        transport.close();
      };
      transport.onEnded(fail);
      try {
        mine.session = await beginSession(transport);
      } catch (error) {
        fail((error as Error).message);
      }
      return show(id, find(id));
    },

    stop(id) {
      const kept = find(id);
      end(id);
      return show(id, kept);
    },

    async call(id, { tool, arguments: values, always }) {
      const kept = find(id);
      const session = running.get(id)?.session;
      if (!session) throw new ApiError('conflict', 'This server is not running.');
      if (!session.tools.some(({ name }) => name === tool))
        throw new ApiError('invalid_value', 'The server offers no such tool.', { param: 'tool' });
      if (always === true && !kept.always.includes(tool)) {
        const next = { ...kept, always: [...kept.always, tool] };
        audit.act({ action: 'mcp_server.allow', target: kept.name, changes: { tool } }, () => put(id, next));
      }
      const begunMs = performance.now();
      const result = await session
        .call(tool, values)
        .catch(
          (error: Error): McpCallResult => ({ text: `The tool failed: ${error.message}`, is_error: true }),
        );
      calls.unshift({
        sequence: (calls[0]?.sequence ?? 0) + 1,
        server: kept.name,
        tool,
        time: Math.floor(deps.now() / 1000),
        duration_ms: Math.round(performance.now() - begunMs),
        ok: !result.is_error,
      });
      calls.splice(mostCalls);
      return result;
    },

    ask(id, tool) {
      const kept = find(id);
      const next = { ...kept, always: kept.always.filter((each) => each !== tool) };
      audit.act({ action: 'mcp_server.ask', target: kept.name, changes: { tool } }, () => put(id, next));
      return show(id, next);
    },

    close() {
      for (const id of [...running.keys()]) end(id);
    },
  };
}

const open = ({ command, args, url }: Kept, env: NodeJS.ProcessEnv): McpTransport =>
  url === null ? openStdioTransport(command!, args, env) : openHttpTransport(toLoopbackUrl(url));
