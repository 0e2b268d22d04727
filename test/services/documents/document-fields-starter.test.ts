/** The second pass over a document with the chat pack that ships, through a running server. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CustomTemplate } from '../../../server/api/console/templates.ts';
import type { DocumentsResult } from '../../../server/api/services/documents.ts';
import { makePdf } from '../../engine/documents/helpers.ts';
import { post, startTestServer, type TestServer } from '../../support/running-server.ts';

const template: CustomTemplate = {
  name: 'visit',
  fields: [
    { name: 'reference', type: 'text', labels: ['Reference'] },
    { name: 'name', type: 'text', labels: ['Visitor'] },
    { name: 'city', type: 'text', labels: ['Town'] },
  ],
};

const lines = ['Reference: PSP-2026-77', 'Siti Rahman of Ipoh was here for the yearly visit.'];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await post(`${server.url}/console/templates`, template, server.session);
  await fetch(`${server.url}/console/settings`, {
    method: 'PATCH',
    headers: { ...server.session, 'content-type': 'application/json' },
    body: JSON.stringify({ document_fields: 'chat' }),
  });
});
afterAll(() => server?.close());

it('adds only what stands on the page', { timeout: 120_000 }, async () => {
  const pdf = await makePdf((_page, text) => {
    for (const [index, line] of lines.entries()) text(line, 50, 60 + 40 * index);
  });
  const response = await fetch(`${server.url}/v1/documents/parse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.live}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'svc-parse-pro',
      template: 'custom:visit',
      file: Buffer.from(pdf).toString('base64'),
    }),
  });
  const { fields, warnings } = (await response.json()) as DocumentsResult;
  expect(fields.reference).toMatchObject({ value: 'PSP-2026-77' });
  expect(fields.reference).not.toHaveProperty('filled_by');
  // What so small a pack answers is not held against it; that it was asked, under the schema, and checked, is.
  expect(warnings.join(' ')).toMatch(/Filled by the chat pack|dropped/);
  expect(warnings.join(' ')).not.toContain('could not fill');
  for (const [name, { value, filled_by, page }] of Object.entries(fields)) {
    expect(lines.join(' ')).toContain(value);
    expect(page).toBe(1);
    if (name !== 'reference') expect(filled_by).toMatch(/^lingua-starter@/);
  }
});
