/** /console/licences: what of other people is in Lokal. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../errors.ts';
import { parseNotices, readNotices } from '../../licences.ts';
import { registerOperation } from '../../routes/operation.ts';
import { StartError } from '../../start-error.ts';

/** @param root where THIRD-PARTY-NOTICES.txt lies */
export function registerConsoleLicences(app: FastifyInstance, root: string): void {
  const sections = () => {
    try {
      return parseNotices(readNotices(root));
    } catch (error) {
      if (error instanceof StartError) throw new ApiError('not_found', error.message);
      throw error;
    }
  };
  registerOperation(app, 'GET /console/licences', () => ({ data: sections().flatMap(({ parts }) => parts) }));
  registerOperation(app, 'GET /console/licences/{id}', ({ params }) => {
    const named = sections().filter(({ parts }) => parts.some(({ name }) => name === params.id));
    if (named.length === 0) throw new ApiError('not_found', 'There is no such part.', { param: 'id' });
    return { text: named.map(({ text }) => text).join('\n\n') };
  });
}
