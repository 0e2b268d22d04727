/** /console/templates: the person's own document templates. */
import type { FastifyInstance } from 'fastify';
import { RE2JS } from 're2js';
import type { OwnTemplate } from '../api/templates.ts';
import type { DocumentTemplateStore } from '../db/document-templates.ts';
import { ApiError } from '../errors.ts';
import { registerOperation } from '../routes/operation.ts';

function checkPatterns({ fields }: OwnTemplate): void {
  for (const [index, { pattern, labels, place }] of fields.entries()) {
    const param = `fields[${index}]`;
    if (!labels?.length && !place && !pattern)
      throw new ApiError('invalid_value', 'A field needs labels, a place or a pattern.', { param });
    try {
      if (pattern !== undefined) RE2JS.compile(pattern);
    } catch {
      throw new ApiError('invalid_value', 'The pattern is no RE2 expression.', { param: `${param}.pattern` });
    }
  }
}

export function registerConsoleTemplates(app: FastifyInstance, store: DocumentTemplateStore): void {
  registerOperation(app, 'GET /console/templates', () => ({ data: store.all() }));
  registerOperation(app, 'POST /console/templates', ({ body }) => {
    checkPatterns(body);
    store.put(body);
    return body;
  });
  registerOperation(app, 'DELETE /console/templates/{id}', ({ params }) => {
    if (!store.remove(params.id!)) throw new ApiError('not_found', 'There is no template of that name.');
    return { ok: true as const };
  });
}
