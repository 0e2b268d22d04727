/** JSON-RPC 2.0 as the Model Context Protocol uses it, over whatever carries its messages. */

export interface RpcMessage {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export interface McpTransport {
  /** Sends a request and gives its answer; null for a notification. @throws Error when the server is gone or the signal aborts */
  exchange(message: RpcMessage, signal: AbortSignal): Promise<RpcMessage | null>;
  /** Called once, when the server has ended by itself. */
  onEnded(listener: (reason: string) => void): void;
  close(): void;
}

/** Longest message of a server; a longer one ends it. */
export const maxMessageBytes = 8 * 1024 * 1024;

const methodNotFound = -32_601;

/** Answer to what a server asks of its client: it is alive, and offers nothing. */
export const answerServer = ({ id, method }: RpcMessage): RpcMessage =>
  method === 'ping'
    ? { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), result: {} }
    : {
        jsonrpc: '2.0',
        ...(id === undefined ? {} : { id }),
        error: { code: methodNotFound, message: 'This client offers no such method.' },
      };
