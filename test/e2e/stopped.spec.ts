/** A server that stops under an open page. */
import { expect, test } from '@playwright/test';
import { startLokal } from './support/lokal.ts';

test('a page that cannot be loaded says that the server is gone', async ({ browser }) => {
  const lokal = await startLokal();
  const context = await lokal.signIn(browser);
  const page = await context.newPage();
  await page.goto(`${lokal.url}/#/keys`);
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  await lokal.stop();
  await page.getByRole('link', { name: 'Usage' }).click();
  await expect(page.getByRole('heading', { name: 'Lokal is not answering' })).toBeVisible();
  await context.close();
});
