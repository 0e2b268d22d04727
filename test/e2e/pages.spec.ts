/** Pages of the console: reached by keyboard, settings, colors, packs, the file for support. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { type Lokal, startLokal } from './support/lokal.ts';

let lokal: Lokal;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  lokal = await startLokal();
  context = await lokal.signIn(browser);
  page = await context.newPage();
});
test.afterAll(async () => {
  await context?.close();
  await lokal.stop();
});

const titles = [
  'Documents',
  'Moderation',
  'Threats',
  'Embeddings',
  'Chat',
  'Images',
  'Requests',
  'Usage',
  'Batches',
  'Keys',
  'Packs',
  'Network',
  'Licences',
  'Diagnostics',
  'Settings',
];

test('the whole navigation is a matter of Tab and Enter', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${lokal.url}/#/settings`);
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  for (const name of ['Skip to content', 'Lokal, welcome page', 'Search']) {
    await page.keyboard.press('Tab');
    await expect(page.getByLabel(name).or(page.getByRole('button', { name })).first()).toBeFocused();
  }
  // Licences are reached from the settings; some pages have names of two words.
  const links = titles.flatMap((title) =>
    title === 'Licences' || title === 'Diagnostics'
      ? []
      : title === 'Network'
        ? ['Remote engines', title, 'Audit log', 'Diagnostics']
        : [title],
  );
  for (const title of links) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: title, exact: true })).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});

test('the colors can be chosen, and stay chosen', async () => {
  await page.goto(`${lokal.url}/#/settings`);
  await page.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.getByRole('radiogroup').getByText('As the system', { exact: true }).first().click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
});

test('a sign stays as it is typed, and what another window saves is told of', async () => {
  await page.goto(`${lokal.url}/#/settings`);
  const field = page.getByLabel('Queue of a key');
  await field.fill('-5');
  await expect(field).toHaveValue('-5');
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.getByRole('button', { name: 'Undo changes' }).click();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByLabel('Queue of a key').fill('77');
  await other.getByRole('button', { name: 'Save' }).click();
  await expect(field).toHaveValue('77');
  await expect(page.getByText('changed in another window')).toBeVisible();
  await expect(other.getByText('changed in another window')).toBeHidden();
  await other.close();
});

test('settings are checked, saved and kept', async () => {
  await page.goto(`${lokal.url}/#/settings`);
  const free = page.getByRole('textbox', { name: 'Free: Requests a minute' });
  await free.fill('0');
  await expect(page.getByText('A whole number from 1 to 1,000,000.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await free.fill('61');
  // Changes wait for the person, wherever they go meanwhile.
  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(free).toHaveValue('61');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  await page.reload();
  await expect(free).toHaveValue('61');
});

test('on a narrow screen rows are cards that nothing is cut from, and the bar to save waits for a change', async ({
  browser,
}) => {
  const narrow = await lokal.signIn(browser, { viewport: { width: 390, height: 844 } });
  const phone = await narrow.newPage();
  for (const name of ['audit', 'settings']) {
    await phone.goto(`${lokal.url}/#/${name}`);
    await expect(phone.locator('main tbody tr').first()).toBeVisible();
    await expect(phone.locator('main [data-overflows]')).toHaveCount(0);
    await expectAccessible(phone);
  }
  const save = phone.getByRole('button', { name: 'Save' });
  await expect(save).not.toBeInViewport();
  await phone.getByRole('textbox', { name: 'Free: Requests a minute' }).fill('62');
  await expect(save).toBeInViewport();
  await phone.getByRole('button', { name: 'Undo changes' }).click();
  await phone.goto(`${lokal.url}/#/moderation`);
  await phone
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill('Write to aina.binti@example.com about it.');
  await expect(phone.locator('mark').first()).toBeVisible({ timeout: 60_000 });
  await expect(phone.getByText('Recents', { exact: true })).toBeAttached();
  await expect(phone.getByText('Recents', { exact: true })).toBeHidden();
  await narrow.close();
});

test('a bound pack shows its host, and a role can be unbound and bound again', async () => {
  await page.goto(`${lokal.url}/#/packs`);
  const select = page.getByRole('combobox', { name: 'Pack for svc-parse-pro' });
  const bound = await select.inputValue();
  expect(bound).toMatch(/\d+\.\d+\.\d+$/);
  await select.press('Enter');
  await page.getByRole('option', { name: 'No pack' }).click();
  await expect(select).toHaveValue('No pack');
  await expect(page.getByText('Requests answer model_not_installed').first()).toBeVisible();
  await select.press('Enter');
  await page.getByRole('option', { name: bound }).click();
  await expect(select).toHaveValue(bound);

  await page.getByRole('textbox', { name: /path on this machine/ }).fill('/no/such/folder');
  await page.getByRole('button', { name: 'Look inside', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('path');
});

test('a suggestion of the chat is taken into the field, ready to be sent', async () => {
  await page.goto(`${lokal.url}/#/chat`);
  await page.getByRole('button', { name: 'Take fields from a text' }).click();
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await expect(field).toBeFocused();
  await field.press('Enter');
  await expect(page.getByRole('log')).toContainText('"name":"Siti Rahman"');
});

test('the file for support is read before it is saved', async () => {
  await page.goto(`${lokal.url}/#/diagnostics`);
  await expect(page.getByRole('row', { name: /parse-starter/ })).toContainText(/at rest|ready|starting/);
  await page.getByRole('button', { name: 'File for support …' }).click();
  const text = page.getByRole('region', { name: 'Contents of the file' });
  await expect(text).toContainText('"failures"');
  await expectAccessible(page);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the file' }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/^lokal-support-\d{4}-\d{2}-\d{2}\.json$/);
});

test('the longest answer of a plan is a setting', async () => {
  await page.goto(`${lokal.url}/#/settings`);
  const seconds = page.getByRole('textbox', { name: 'Free: Longest answer (seconds)' });
  await seconds.fill('0');
  await expect(page.getByText('A whole number from 1 to 86,400.')).toBeVisible();
  await seconds.fill('77');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  await page.reload();
  await expect(seconds).toHaveValue('77');
});
