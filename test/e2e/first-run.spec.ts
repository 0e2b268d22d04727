/** A person's first minutes: address, keys, a document. */
import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { type Lokal, startLokal } from './support/lokal.ts';

let lokal: Lokal;
test.beforeAll(async () => {
  lokal = await startLokal();
});
test.afterAll(() => lokal.stop());

test('without a session the page says how to get in', async ({ page }) => {
  await page.goto(lokal.url);
  await expect(page.getByRole('heading', { name: 'Open Lokal from its own address' })).toBeVisible();
  await expect(page.getByText('npx lokal console-url')).toBeVisible();
  await expectAccessible(page);
});

test('a token that was used already lets nobody in', async ({ page, browser }) => {
  const address = await lokal.consoleUrl();
  await page.goto(address);
  await expect(page.getByRole('navigation')).toBeVisible();
  const other = await browser.newPage();
  await other.goto(address);
  await expect(other.getByRole('heading', { name: 'Open Lokal from its own address' })).toBeVisible();
  await other.close();
});

test('from the printed address to keys, first tasks and a parsed sample invoice', async ({
  page,
  context,
}) => {
  test.slow();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  await page.goto(await lokal.consoleUrl());
  await expect(page.getByRole('heading', { name: 'Welcome to Lokal' })).toBeVisible();
  expect(page.url()).not.toContain('token');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Create a live and a test key' }).click();
  const live = await page.getByLabel('Live key').inputValue();
  const testKey = await page.getByLabel('Test key').inputValue();
  expect(live).toMatch(/^sk-svc-live-/);
  expect(testKey).toMatch(/^sk-svc-test-/);
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(live);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'I have stored both' }).click();
  await expect(page.getByText('Keys have been created')).toBeVisible();
  const models = await fetch(`${lokal.url}/v1/models`, { headers: { authorization: `Bearer ${live}` } });
  expect(models.status).toBe(200);

  for (const [task, done] of [
    ['Ask a question', 'The model has answered'],
    ['Find personal data', '012-345 6789'],
    ['Look for attacks', /\d+ signs of an attack were found/],
    ['Read a document', /\d+ fields were read/],
  ] as const) {
    await page.getByRole('button', { name: task }).click();
    await expect(page.getByRole('main').getByRole('status').filter({ hasText: done })).toBeVisible({
      timeout: 60_000,
    });
  }
  await expectAccessible(page);
  await page.getByRole('link', { name: 'See them on the page' }).click();
  await expect(page.getByRole('region', { name: 'Parties' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByTestId('boxes').locator('rect').first()).toBeAttached();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Choose a document' })).toBeVisible();
  expect(refused).toEqual([]);
});

test('a server that does not answer is named, and tried again', async ({ browser }) => {
  const context = await lokal.signIn(browser);
  const page = await context.newPage();
  await page.route('**/console/state', (route) => route.abort());
  await page.goto(lokal.url);
  await expect(page.getByRole('heading', { name: 'Lokal is not answering' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Lokal is not answering' })).toBeVisible();
  // Once the server answers, the page goes on without a click.
  await page.unroute('**/console/state');
  await expect(page.getByRole('navigation')).toBeVisible();
  await context.close();
});
