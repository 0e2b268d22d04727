/** /console/rules. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import { registerOperation } from '../routes/operation.ts';
import { readRuleArchive } from '../services/console/rule-archive.ts';
import type { RuleService } from '../services/console/rules.ts';

export function registerConsoleRules(app: FastifyInstance, rules: RuleService): void {
  registerOperation(app, 'GET /console/rules', ({ signal }) => rules.list(signal));
  registerOperation(app, 'POST /console/rules/import', async ({ body, signal }) => {
    const archive = body.archive ? await readRuleArchive(Buffer.from(body.archive, 'base64')) : null;
    const files = [...(body.files ?? []), ...(archive?.files ?? [])];
    const errors = archive?.errors ?? [];
    if (files.length + errors.length === 0)
      throw new ApiError('invalid_value', 'There is no .yml file in it.', {
        param: body.archive ? 'archive' : 'files',
      });
    const result = await rules.import(files, signal);
    return { ...result, errors: [...errors, ...result.errors] };
  });
  registerOperation(app, 'POST /console/rules/switch', async ({ body, signal }) => {
    await rules.switch(body.ids, body.enabled, signal);
    return { ok: true as const };
  });
  registerOperation(app, 'DELETE /console/rules', async () => {
    await rules.clear();
    return { ok: true as const };
  });
  registerOperation(app, 'POST /console/rules/restore', async () => {
    await rules.restore();
    return { ok: true as const };
  });
}
