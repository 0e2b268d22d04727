/** /console/templates: the person's own document templates. */
import type { FastifyInstance } from 'fastify';
import { RE2JS } from 're2js';
import type { CustomTemplate } from '../api/console/templates.ts';
import type { DocumentTemplateStore } from '../db/choices/document-templates.ts';
import { ApiError } from '../errors.ts';
import { registerOperation } from '../routes/operation.ts';
import type { AuditLog } from '../services/audit/audit-log.ts';

const notFound = () => new ApiError('not_found', 'There is no template of that name.');

function checkFields({ fields }: CustomTemplate): void {
  const names = new Set<string>();
  for (const [index, { name, pattern, labels, place }] of fields.entries()) {
    const param = `fields[${index}]`;
    if (names.has(name))
      throw new ApiError('invalid_value', `Two fields are called ${name}.`, { param: `${param}.name` });
    names.add(name);
    if (!labels?.length && !place && !pattern)
      throw new ApiError('invalid_value', 'A field needs labels, a place or a pattern.', { param });
    try {
      if (pattern !== undefined) RE2JS.compile(pattern);
    } catch {
      throw new ApiError('invalid_value', 'The pattern is no RE2 expression.', { param: `${param}.pattern` });
    }
  }
}

export function registerConsoleTemplates(
  app: FastifyInstance,
  store: DocumentTemplateStore,
  audit: AuditLog,
): void {
  registerOperation(app, 'GET /console/templates', () => ({ data: store.all() }));
  registerOperation(app, 'POST /console/templates', ({ body }) => {
    checkFields(body);
    audit.act(
      { action: 'template.save', target: body.name, changes: { replaced: store.get(body.name) !== null } },
      () => store.put(body),
    );
    return body;
  });
  registerOperation(app, 'PATCH /console/templates/{id}', ({ params, body }) => {
    const template = store.get(params.id!);
    if (!template) throw notFound();
    if (body.name !== template.name && store.get(body.name))
      throw new ApiError('conflict', 'There is a template of that name already.', { param: 'name' });
    const renamed = { ...template, ...body };
    audit.act({ action: 'template.rename', target: template.name, changes: { to: renamed.name } }, () =>
      store.rename(template.name, renamed),
    );
    return renamed;
  });
  registerOperation(app, 'DELETE /console/templates/{id}', ({ params }) => {
    audit.act({ action: 'template.remove', target: params.id! }, () => {
      if (!store.remove(params.id!)) throw notFound();
    });
    return { ok: true as const };
  });
}
