/** Keys made, rotated and revoked in the interface, tried on the API, seen in the request log. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { type Lokal, startLokal } from './support/lokal.ts';

// Each test goes on where the one before it stopped.
test.describe.configure({ mode: 'serial' });

let lokal: Lokal;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  lokal = await startLokal();
  context = await lokal.signIn(browser);
  page = await context.newPage();
  await page.goto(`${lokal.url}/#/keys`);
});
test.afterAll(async () => {
  await context?.close();
  await lokal.stop();
});

const statusOf = async (secret: string): Promise<number> =>
  (await fetch(`${lokal.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })).status;

async function takeSecret(): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Store this key now' });
  const secret = await dialog.getByRole('textbox').inputValue();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await expect(dialog).toBeHidden();
  return secret;
}

let secret: string;

test('a key is created with every option', async () => {
  await page.goto(`${lokal.url}/#/keys`);
  await page
    .getByRole('banner')
    .or(page.getByRole('main'))
    .getByRole('button', { name: 'Create key' })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByText('Give the key a name.')).toBeVisible();

  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ci pipeline');
  // Enter picks what was typed, and never makes a key that is half filled in.
  const scopes = dialog.getByRole('combobox', { name: 'Scopes' });
  await scopes.fill('nothing so called');
  await scopes.press('Enter');
  await scopes.fill('models');
  await scopes.press('Enter');
  await expect(dialog).toBeVisible();
  await scopes.fill('');
  await page.getByRole('option', { name: 'embeddings' }).click();
  await page.keyboard.press('Escape');
  const ranges = dialog.getByLabel('Address ranges');
  await ranges.fill('10.0.0.0/99');
  await ranges.press('Enter');
  await expect(dialog.getByText('Each entry is an address or a range')).toBeVisible();
  await ranges.press('Backspace');
  await ranges.fill('127.0.0.0/8');
  await ranges.press('Enter');
  await dialog.getByRole('button', { name: 'In 7 days' }).click();
  await expect(dialog.getByLabel('Expires')).toHaveValue(/^20\d\d-\d\d-\d\d$/);
  await dialog.getByLabel('Expires').fill('2099-12-31');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create key' }).click();

  secret = await takeSecret();
  expect(await statusOf(secret)).toBe(200);
  const row = page.getByRole('row', { name: /Ci pipeline/ });
  await expect(row).toContainText('models, embeddings');
  await expect(row).toContainText('1 range');
  await expect(row).toContainText('31 Dec 2099');
  await expectAccessible(page);
});

test('it is changed, from its next request on', async () => {
  await page.getByRole('button', { name: 'Edit Ci pipeline' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Ci pipeline' });
  await expect(dialog.getByLabel('Expires')).toHaveValue('2099-12-31');
  await expect(dialog.getByText('127.0.0.0/8')).toBeVisible();
  await expectAccessible(page);
  const ranges = dialog.getByLabel('Address ranges');
  await ranges.fill('10.0.0.0/8');
  await ranges.press('Enter');
  // The first one goes, so that this machine is outside.
  await dialog.getByText('127.0.0.0/8').locator('..').getByRole('button', { includeHidden: true }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  expect(await statusOf(secret)).toBe(403);

  await page.getByRole('button', { name: 'Edit Ci pipeline' }).click();
  await dialog.getByLabel('Address ranges').press('Backspace');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  expect(await statusOf(secret)).toBe(200);
});

test('its requests appear in the log at once', async () => {
  await page.goto(`${lokal.url}/#/requests`);
  const rows = page.getByRole('row', { name: /Ci pipeline/ });
  await expect(rows).toHaveCount(2);
  await statusOf(secret);
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: 'Pause' }).click();
  await statusOf(secret);
  await statusOf('sk-svc-live-nonsense');
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(rows).toHaveCount(4);
  await page.getByRole('textbox', { name: 'Filter requests' }).fill('invalid_api_key');
  await expect(rows).toHaveCount(0);
  const refused = page.getByRole('row', { name: /401/ });
  await expect(refused).toBeVisible();
  await refused.getByRole('cell').nth(1).click();
  await expect(page.getByText('401 invalid_api_key')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy request id' })).toHaveCount(2);
  await expectAccessible(page);
});

test('what it had done is added up in the usage', async () => {
  const body = JSON.stringify({ model: 'svc-embed-base', input: 'selamat pagi' });
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const answer = await fetch(`${lokal.url}/v1/embeddings`, { method: 'POST', body, headers });
  expect(answer.status).toBe(200);
  const { usage } = await answer.json();
  await page.goto(`${lokal.url}/#/usage`);
  const cells = page.getByRole('row', { name: /Ci pipeline/ }).getByRole('cell');
  await expect(cells.nth(1)).toHaveText('1');
  await expect(cells.nth(2)).toHaveText(String(usage.prompt_tokens));
  await expectAccessible(page);
  await page.getByText('Model', { exact: true }).click();
  await expect(page.getByRole('row', { name: /svc-embed-base/ })).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save CSV' }).click();
  expect((await saving).suggestedFilename()).toBe('lokal-usage.csv');
});

test('what can be done with a key is in sight in a narrow window', async () => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await page.goto(`${lokal.url}/#/keys`);
  for (const name of ['Edit Ci pipeline', 'Rotate Ci pipeline', 'Revoke Ci pipeline'])
    await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 720 });
});

test('rotation gives a replacement; without overlap the old key ends', async () => {
  await page.goto(`${lokal.url}/#/keys`);
  await page.getByRole('button', { name: 'Rotate Ci pipeline' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate Ci pipeline' });
  await dialog.getByRole('combobox', { name: 'The old key works for' }).click();
  await page.getByRole('option', { name: 'no longer' }).click();
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  const replacement = await takeSecret();
  expect(await statusOf(secret)).toBe(401);
  expect(await statusOf(replacement)).toBe(200);
  secret = replacement;
});

test('revocation asks first, and holds', async () => {
  const revoke = page.getByRole('button', { name: /^Revoke Ci pipeline/ }).first();
  await revoke.click();
  const dialog = page.getByRole('dialog', { name: /^Revoke Ci pipeline/ });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  expect(await statusOf(secret)).toBe(200);
  await revoke.click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect(dialog).toBeHidden();
  expect(await statusOf(secret)).toBe(401);
  await page.getByRole('textbox', { name: 'Filter keys' }).fill('no such key');
  await expect(page.getByText('No key matches the filter')).toBeVisible();
});
