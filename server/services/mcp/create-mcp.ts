/**
 * The Model Context Protocol: tools over the services, resources that tell of models and templates. A request is answered by
 * itself; nothing is kept between requests, so there are no sessions to lose.
 */

import type { ModelId } from '../../api/common.ts';
import type { McpAnswer, McpMessage } from '../../api/protocols/mcp.ts';
import { documentTemplates } from '../../api/services/documents.ts';
import { EngineError } from '../../engine/engine.ts';
import { ApiError } from '../../errors.ts';
import { version as lokalVersion } from '../../version.ts';
import type { Caller } from '../caller.ts';
import { visibleModels } from '../model-call.ts';
import type { ModelsService } from '../models.ts';
import { createTools, type ToolDeps } from './tools.ts';

/** Null: the message asks for no answer. */
export type McpService = (message: McpMessage, caller: Caller) => Promise<McpAnswer | null>;

export interface McpDeps extends ToolDeps {
  models: ModelsService;
  /** The pack that serves a model for a key; null: none is bound. */
  packOf: (model: ModelId, caller: Caller) => string | null;
  /** Names of the templates made on this machine. */
  customTemplates: () => string[];
}

/** The newest first; what they differ in is nothing that is answered here. */
const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Codes of JSON-RPC 2.0. */
const methodNotFound = -32_601;
const invalidParams = -32_602;

class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type Params = NonNullable<McpMessage['params']>;
type Result = Record<string, unknown>;

export function createMcp(deps: McpDeps): McpService {
  const tools = createTools(deps);
  const resources = [
    {
      uri: 'lokal://models',
      name: 'models',
      description: 'The models that this key may use.',
      read: (caller: Caller): object => deps.models.list(caller),
    },
    {
      uri: 'lokal://packs',
      name: 'packs',
      description: 'The pack that serves each of them, as id@version.',
      read: (caller: Caller): object =>
        visibleModels(caller.principal).map((model) => ({ model, pack: deps.packOf(model, caller) })),
    },
    {
      uri: 'lokal://templates',
      name: 'templates',
      description: 'Templates of parse_document.',
      read: (): object => [...documentTemplates, ...deps.customTemplates().map((name) => `custom:${name}`)],
    },
  ];

  async function callTool({ name, arguments: values = {} }: Params, caller: Caller): Promise<Result> {
    const called = tools.find((tool) => tool.name === name);
    if (!called) throw new RpcError(invalidParams, 'There is no such tool.');
    try {
      const result = await called.call(values, caller);
      return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
    } catch (error) {
      // A model can mend what it reads; what ends the request ends it as every other.
      if (!isAnswerable(error)) throw error;
      return { content: [{ type: 'text', text: error.message }], isError: true };
    }
  }

  const methods: Record<string, (params: Params, caller: Caller) => Result | Promise<Result>> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion: protocolVersions.find((each) => each === protocolVersion) ?? protocolVersions[0],
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'lokal', title: 'Lokal', version: lokalVersion },
    }),
    ping: () => ({}),
    'tools/list': () => ({
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    }),
    'tools/call': callTool,
    'resources/list': () => ({
      resources: resources.map(({ read: _, ...facts }) => ({ ...facts, mimeType: 'application/json' })),
    }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/read'({ uri }, caller) {
      const resource = resources.find((each) => each.uri === uri);
      if (!resource) throw new RpcError(invalidParams, 'There is no such resource.');
      const text = JSON.stringify(resource.read(caller));
      return { contents: [{ uri, mimeType: 'application/json', text }] };
    },
  };

  return async ({ id, method, params = {} }, caller) => {
    if (id === undefined || method === undefined) return null;
    try {
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (!run) throw new RpcError(methodNotFound, 'There is no such method.');
      return { jsonrpc: '2.0', id, result: await run(params, caller) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } };
    }
  };
}

/** Faults of the arguments or the bound packs, not of the server. */
const isAnswerable = (error: unknown): error is ApiError | EngineError =>
  error instanceof EngineError || (error instanceof ApiError && error.status >= 400 && error.status < 500);
