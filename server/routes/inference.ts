/** The inference endpoints and the model list: each hands its validated body to one service. */
import type { FastifyInstance } from 'fastify';
import type { ChatService } from '../services/chat/chat.ts';
import type { DocumentsService } from '../services/documents/documents.ts';
import type { EmbeddingsService } from '../services/embeddings.ts';
import type { ImagesService } from '../services/images/images.ts';
import type { ModelsService } from '../services/models.ts';
import type { ModerationsService } from '../services/moderations/moderations.ts';
import type { CompletionsService } from '../services/protocols/completions.ts';
import type { MessagesService } from '../services/protocols/messages/create-messages.ts';
import type { ResponsesService } from '../services/protocols/responses/create-responses.ts';
import type { AnonymizeService } from '../services/redaction/anonymize.ts';
import type { RedactService } from '../services/redaction/redact.ts';
import type { RerankService } from '../services/rerank.ts';
import type { TokenizeService } from '../services/tokenize.ts';
import { registerOperation } from './operation.ts';

export interface InferenceServices {
  anonymize: AnonymizeService;
  chat: ChatService;
  completions: CompletionsService;
  documents: DocumentsService;
  embeddings: EmbeddingsService;
  images: ImagesService;
  messages: MessagesService;
  models: ModelsService;
  moderations: ModerationsService;
  redact: RedactService;
  rerank: RerankService;
  responses: ResponsesService;
  tokenize: TokenizeService;
}

export function registerInference(app: FastifyInstance, services: InferenceServices): void {
  registerOperation(app, 'POST /v1/chat/completions', ({ body, caller }) => services.chat(body, caller));
  registerOperation(app, 'POST /v1/responses', ({ body, caller }) => services.responses.create(body, caller));
  registerOperation(app, 'GET /v1/responses/{id}', ({ params, caller }) =>
    services.responses.get(params.id!, caller),
  );
  registerOperation(app, 'DELETE /v1/responses/{id}', ({ params, caller }) =>
    services.responses.remove(params.id!, caller),
  );
  registerOperation(app, 'POST /v1/messages', ({ body, caller }) => services.messages.create(body, caller));
  registerOperation(app, 'POST /v1/messages/count_tokens', ({ body, caller }) =>
    services.messages.countTokens(body, caller),
  );
  registerOperation(app, 'POST /v1/completions', ({ body, caller }) => services.completions(body, caller));
  registerOperation(app, 'POST /v1/tokenize', ({ body, caller }) => services.tokenize(body, caller));
  registerOperation(app, 'POST /v1/rerank', ({ body, caller }) => services.rerank(body, caller));
  registerOperation(app, 'POST /v1/images/analyze', ({ body, caller }) => services.images(body, caller));
  registerOperation(app, 'POST /v1/moderations', ({ body, caller }) => services.moderations(body, caller));
  registerOperation(app, 'POST /v1/documents/parse', ({ body, caller }) =>
    services.documents.parse(body, caller),
  );
  registerOperation(app, 'POST /v1/documents/redact', ({ body, caller }) => services.redact(body, caller));
  registerOperation(app, 'POST /v1/text/anonymize', ({ body, caller }) =>
    services.anonymize.anonymize(body, caller),
  );
  registerOperation(app, 'POST /v1/text/deanonymize', ({ body, caller }) =>
    services.anonymize.deanonymize(body, caller),
  );
  registerOperation(app, 'POST /v1/embeddings', ({ body, caller }) => services.embeddings(body, caller));
  registerOperation(app, 'GET /v1/models', ({ caller }) => services.models.list(caller));
  registerOperation(app, 'GET /v1/models/{id}', ({ params, caller }) =>
    services.models.get(params.id!, caller),
  );
}
