/** Operations of other protocols, each a translation onto a service that an operation of Lokal's own has. */

import type { OperationSpec } from '../operation-spec.ts';
import { Completion, CompletionsRequest } from '../services/completions.ts';
import { RerankRequest, RerankResult } from '../services/rerank.ts';
import { TokenizeRequest, TokenizeResult } from '../services/tokenize.ts';
import { McpAnswer, McpMessage } from './mcp.ts';
import { CountTokensRequest, CountTokensResult, Message, MessageEvent, MessagesRequest } from './messages.ts';
import {
  OllamaAnswer,
  OllamaChatRequest,
  OllamaEmbeddings,
  OllamaEmbedRequest,
  OllamaGenerateRequest,
  OllamaShow,
  OllamaShowRequest,
  OllamaTags,
  OllamaVersion,
} from './ollama.ts';
import { DeletedResponse, ResponseEvent, ResponseObject, ResponsesRequest } from './responses.ts';

const mebibyte = 1024 * 1024;
/** Of whatever becomes a chat request. */
const maxBodyBytes = 8 * mebibyte;

export const protocolOperations = {
  'POST /v1/responses': {
    summary: 'OpenAI’s Responses: text and function tools, streamed or whole',
    access: 'api',
    scope: 'chat',
    inference: true,
    dialect: 'responses',
    body: ResponsesRequest,
    maxBodyBytes,
    response: ResponseObject,
    event: ResponseEvent,
  },
  'GET /v1/responses/{id}': {
    summary: 'A kept response, where the settings keep them',
    access: 'api',
    scope: 'chat',
    dialect: 'responses',
    response: ResponseObject,
  },
  'DELETE /v1/responses/{id}': {
    summary: 'Forget a kept response',
    access: 'api',
    scope: 'chat',
    dialect: 'responses',
    writes: true,
    response: DeletedResponse,
  },
  'POST /v1/messages': {
    summary: 'Anthropic’s Messages: text and tools, streamed or whole',
    access: 'api',
    scope: 'chat',
    inference: true,
    dialect: 'messages',
    body: MessagesRequest,
    maxBodyBytes,
    response: Message,
    event: MessageEvent,
  },
  'POST /v1/messages/count_tokens': {
    summary: 'Tokens of the prompt that a message would be answered to',
    access: 'api',
    scope: 'chat',
    inference: true,
    dialect: 'messages',
    body: CountTokensRequest,
    maxBodyBytes,
    response: CountTokensResult,
  },
  'POST /v1/completions': {
    summary: 'A text gone on with, or a gap filled in, streamed or whole',
    access: 'api',
    scope: 'chat',
    inference: true,
    body: CompletionsRequest,
    maxBodyBytes,
    response: Completion,
    event: Completion,
  },
  'POST /v1/tokenize': {
    summary: 'Tokens of a text or of a conversation’s prompt',
    access: 'api',
    scope: 'chat',
    inference: true,
    body: TokenizeRequest,
    maxBodyBytes,
    response: TokenizeResult,
  },
  'POST /v1/rerank': {
    summary: 'Documents in the order of their relevance to a query',
    access: 'api',
    scope: 'embeddings',
    inference: true,
    body: RerankRequest,
    maxBodyBytes,
    response: RerankResult,
  },
  'POST /mcp': {
    summary: 'Model Context Protocol: tools over the services (Streamable HTTP)',
    access: 'api',
    // Each tool asks for the scope of its own service.
    scope: 'models',
    inference: true,
    body: McpMessage,
    response: McpAnswer,
  },
  'POST /api/chat': {
    summary: 'Ollama: a conversation, streamed unless told otherwise',
    access: 'api',
    scope: 'chat',
    inference: true,
    dialect: 'ollama',
    body: OllamaChatRequest,
    maxBodyBytes,
    response: OllamaAnswer,
    event: OllamaAnswer,
  },
  'POST /api/generate': {
    summary: 'Ollama: a prompt, streamed unless told otherwise',
    access: 'api',
    scope: 'chat',
    inference: true,
    dialect: 'ollama',
    body: OllamaGenerateRequest,
    maxBodyBytes,
    response: OllamaAnswer,
    event: OllamaAnswer,
  },
  'POST /api/embed': {
    summary: 'Ollama: vectors of texts',
    access: 'api',
    scope: 'embeddings',
    inference: true,
    dialect: 'ollama',
    body: OllamaEmbedRequest,
    maxBodyBytes,
    response: OllamaEmbeddings,
  },
  'GET /api/tags': {
    summary: 'Ollama: the models of the key',
    access: 'api',
    scope: 'models',
    dialect: 'ollama',
    response: OllamaTags,
  },
  'POST /api/show': {
    summary: 'Ollama: a model and its capabilities',
    access: 'api',
    scope: 'models',
    dialect: 'ollama',
    body: OllamaShowRequest,
    response: OllamaShow,
  },
  'GET /api/version': {
    summary: 'Ollama: the version of the server',
    access: 'api',
    scope: 'models',
    dialect: 'ollama',
    response: OllamaVersion,
  },
} as const satisfies Record<string, OperationSpec>;
