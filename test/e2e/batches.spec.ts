/** A batch from a file to its answers, by the page. */
import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { type Lokal, startLokal } from './support/lokal.ts';

let lokal: Lokal;
test.beforeAll(async () => {
  lokal = await startLokal();
});
test.afterAll(() => lokal.stop());

const line = (id: string, body: object) =>
  JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/embeddings', body });

test('a file of requests is answered; what came of it is saved and forgotten', async ({ browser }) => {
  const context = await lokal.signIn(browser);
  const page = await context.newPage();
  await page.goto(`${lokal.url}/#/batches`);
  await expect(page.getByText('There is no batch yet')).toBeVisible();
  const choose = async (name: string, text: string) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles({ name, mimeType: 'application/jsonl', buffer: Buffer.from(text) });
  };
  await choose('notes.jsonl', 'notes');
  await expect(page.getByText('The first line of notes.jsonl is not a request')).toBeVisible();
  const good = line('a', { model: 'svc-embed-base', input: 'a text' });
  await choose('lines.jsonl', [good, line('b', { input: 'no model' })].join('\n'));
  const row = page.getByRole('row', { name: /\/v1\/embeddings/ });
  await expect(row.getByText('done', { exact: true })).toBeVisible();
  await expect(row.getByText('2 of 2')).toBeVisible();
  await expect(row.getByText('1 error')).toBeVisible();
  await expectAccessible(page);
  const saved = page.waitForEvent('download');
  await row.getByRole('button', { name: 'Save the answers' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^batch_\w+-answers\.jsonl$/);
  await row.getByRole('button', { name: 'Forget the batch and its files' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget the batch and its files' }).click();
  await expect(page.getByText('There is no batch yet')).toBeVisible();
  await context.close();
});
