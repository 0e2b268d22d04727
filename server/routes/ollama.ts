/** Ollama's paths; who may use them without a key is decided in plugins/admission/keyless.ts. */
import type { FastifyInstance } from 'fastify';
import type { OllamaService } from '../services/protocols/ollama/create-ollama.ts';
import { registerOperation } from './operation.ts';

export function registerOllama(app: FastifyInstance, ollama: OllamaService, version: string): void {
  registerOperation(app, 'POST /api/chat', ({ body, caller }) => ollama.chat(body, caller));
  registerOperation(app, 'POST /api/generate', ({ body, caller }) => ollama.generate(body, caller));
  registerOperation(app, 'POST /api/embed', ({ body, caller }) => ollama.embed(body, caller));
  registerOperation(app, 'GET /api/tags', ({ caller }) => ollama.tags(caller));
  registerOperation(app, 'POST /api/show', ({ body, caller }) => ollama.show(body, caller));
  registerOperation(app, 'GET /api/version', () => ({ version }));
}
