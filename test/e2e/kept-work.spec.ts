/** Work stays: on its page while others are visited, and when the server is lost. */
import { expect, type Page, test } from '@playwright/test';
import { startLokal } from './support/lokal.ts';
import { samplePdf } from './support/sample-pdf.ts';

test.describe.configure({ mode: 'serial' });

let lokal: Awaited<ReturnType<typeof startLokal>>;
let page: Page;

test.beforeAll(async ({ browser }) => {
  lokal = await startLokal();
  const context = await lokal.signIn(browser);
  page = await context.newPage();
});
// The last test stops the server.
test.afterAll(() => page?.context().close());

const goTo = (name: string) => page.getByRole('link', { name, exact: true }).click();
const invoiceNumber = () => page.getByRole('group', { name: 'Invoice number' });

test('first keys are not lost by a click in the navigation', async () => {
  await page.goto(`${lokal.url}/#/welcome`);
  await page
    .getByRole('button', { name: /first keys|Create/ })
    .first()
    .click();
  await expect(page.getByRole('button', { name: /stored/i })).toBeVisible();
  await goTo('Documents');
  await expect(page.getByRole('dialog', { name: 'Leave without the keys?' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /stored/i }).click();
});

test('a corrected document is still there after other pages were visited', async () => {
  test.setTimeout(180_000);
  await goTo('Documents');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await samplePdf());
  await expect(invoiceNumber()).toContainText('INV-2026-0042', { timeout: 120_000 });
  await invoiceNumber().hover();
  await invoiceNumber().getByRole('button', { name: 'Correct Invoice number' }).click();
  await invoiceNumber().getByRole('textbox').fill('INV-2026-0043');
  await page.keyboard.press('Enter');
  for (const name of ['Keys', 'Chat', 'Settings', 'Documents']) await goTo(name);
  await expect(invoiceNumber()).toContainText('INV-2026-0043');
});

test('an answer under way is waited for on another page', async () => {
  test.setTimeout(180_000);
  await goTo('Images');
  const png = await page.screenshot();
  const input = page.locator('main input[type=file]:visible, main input[type=file]').last();
  await input.setInputFiles({ name: 'screen.png', mimeType: 'image/png', buffer: png });
  await expect(page.locator('#main').getByText('screen.png').filter({ visible: true }).first()).toBeVisible();
  await goTo('Keys');
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  await goTo('Images');
  await expect(page.getByText('Caption', { exact: false }).first()).toBeVisible({ timeout: 120_000 });
});

test('a lost server is said above the page, which stays', async () => {
  await goTo('Documents');
  await lokal.stop();
  await expect(page.getByRole('alert').filter({ hasText: 'What is on this page stays' })).toBeVisible({
    timeout: 20_000,
  });
  await expect(invoiceNumber()).toContainText('INV-2026-0043');
});
