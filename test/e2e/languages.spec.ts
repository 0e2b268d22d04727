/** Three languages: by the system, switched without loading the page anew, kept. */
import { expect, test } from '@playwright/test';
import { type Lokal, startLokal } from './support/lokal.ts';

let lokal: Lokal;

test.beforeAll(async () => {
  lokal = await startLokal();
});
test.afterAll(async () => {
  await lokal.stop();
});

test('the interface speaks the system’s language', async ({ browser }) => {
  const context = await lokal.signIn(browser, { locale: 'ms-MY' });
  const page = await context.newPage();
  await page.goto(`${lokal.url}/#/settings`);
  await expect(page.getByRole('heading', { level: 1, name: 'Tetapan' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ms-MY');
  await context.close();
});

test('a language is switched without losing work, and stays chosen', async ({ browser }) => {
  const context = await lokal.signIn(browser, { viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${lokal.url}/#/threats`);
  await page.getByRole('textbox', { name: 'Log' }).fill('Nov 12 10:11:12 host sshd[1]: hello');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: '简体中文' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '设置' })).toBeVisible();
  await page.getByRole('link', { name: '威胁', exact: true }).click();
  await expect(page.getByRole('textbox', { name: '日志' })).toHaveValue(/sshd/);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: '威胁' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('English');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Threats' })).toBeVisible();
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: 'Bahasa Melayu' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ms-MY');
  await context.close();
});
