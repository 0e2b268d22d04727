/** /console/chats, /console/chat-presets. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../routes/operation.ts';
import type { ChatRecordService } from '../services/console/chats.ts';

const ok = { ok: true as const };

export function registerConsoleChats(app: FastifyInstance, records: ChatRecordService): void {
  registerOperation(app, 'GET /console/chats', () => ({ data: records.list('conversation') }));
  registerOperation(app, 'GET /console/chats/{id}', ({ params }) => records.get('conversation', params.id!));
  registerOperation(app, 'PUT /console/chats/{id}', ({ params, body }) =>
    records.put('conversation', params.id!, body),
  );
  registerOperation(app, 'DELETE /console/chats/{id}', ({ params }) => {
    records.remove('conversation', params.id!);
    return ok;
  });
  registerOperation(app, 'DELETE /console/chats', () => {
    records.clear('conversation');
    return ok;
  });
  registerOperation(app, 'GET /console/chat-presets', () => ({ data: records.list('preset') }));
  registerOperation(app, 'GET /console/chat-presets/{id}', ({ params }) => records.get('preset', params.id!));
  registerOperation(app, 'PUT /console/chat-presets/{id}', ({ params, body }) =>
    records.put('preset', params.id!, body),
  );
  registerOperation(app, 'DELETE /console/chat-presets/{id}', ({ params }) => {
    records.remove('preset', params.id!);
    return ok;
  });
}
