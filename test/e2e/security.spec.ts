/** The pages by which a person sees that this machine is theirs: sessions, network, audit log, signers, licences. */
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { type Lokal, startLokal } from './support/lokal.ts';

let lokal: Lokal;
test.beforeAll(async () => {
  lokal = await startLokal();
});
test.afterAll(() => lokal.stop());

/** Both color schemes, since contrast differs. */
async function expectFit(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await expectAccessible(page, [colorScheme]);
    const folder = process.env.LOKAL_SHOTS;
    if (!folder) continue;
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
  }
}

test('the cookie alone opens nothing; a second tab shares the session, and signing out ends it in both', async ({
  browser,
}) => {
  const context = await lokal.signIn(browser);
  const cookies = await context.cookies(lokal.url);
  expect(cookies).toHaveLength(1);
  const cookie = `${cookies[0]!.name}=${cookies[0]!.value}`;
  expect((await fetch(`${lokal.url}/console/state`, { headers: { cookie } })).status).toBe(401);

  const [page, second] = [await context.newPage(), await context.newPage()];
  await page.goto(`${lokal.url}/#/settings`);
  await second.goto(`${lokal.url}/#/keys`);
  await expect(second.getByRole('heading', { name: 'Keys', exact: true })).toBeVisible();
  await page.reload();
  const sessions = page.getByRole('region', { name: 'Console sessions' });
  await expect(sessions.getByText('this one')).toBeVisible();
  await sessions.scrollIntoViewIfNeeded();
  await expectFit(page, 'sessions');
  await sessions.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Open Lokal from its own address' })).toBeVisible();
  await expect(second.getByRole('heading', { name: 'Open Lokal from its own address' })).toBeVisible();
  await context.close();
});

test('a one-time address pasted into the signed-out tab signs it in', async ({ page }) => {
  await page.goto(lokal.url);
  await expect(page.getByRole('heading', { name: 'Open Lokal from its own address' })).toBeVisible();
  await page.evaluate(
    (address) => {
      location.href = address;
    },
    await lokal.consoleUrl(),
  );
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  expect(page.url()).not.toContain('token');
});

test('the network page tells of a connection that was refused, and sealed mode is left in the settings', async ({
  browser,
}) => {
  const context = await lokal.signIn(browser);
  const page = await context.newPage();
  await page.goto(`${lokal.url}/#/network`);
  await expect(page.getByText('Sealed: nothing is fetched')).toBeVisible();
  await expect(page.getByText('No connection was asked for')).toBeVisible();
  const key = await page.evaluate(async () => {
    const secret = localStorage.getItem('lokal.console') ?? '';
    const headers = { 'x-console-secret': secret };
    return (await fetch('/console/playground-key', { method: 'POST', headers })).json();
  });
  const answer = await fetch(`${lokal.url}/v1/documents/parse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'svc-parse-pro', file_url: 'https://files.example.com/a.pdf' }),
  });
  expect(answer.status).toBe(400);
  await page.reload();
  await expect(page.getByRole('cell', { name: 'files.example.com:443' })).toBeVisible();
  await expectFit(page, 'network');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as JSON lines' }).click();
  expect((await saved).suggestedFilename()).toBe('lokal-connections.jsonl');

  await page.getByRole('link', { name: 'Change in Settings' }).click();
  await page.getByRole('switch', { name: 'Sealed' }).click();
  await page.getByRole('combobox', { name: 'Fetch image_url and file_url' }).click();
  await page.getByRole('option', { name: 'From listed hosts' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  await page.goto(`${lokal.url}/#/network`);
  await expect(page.getByText('Fetching from listed hosts is allowed')).toBeVisible();

  await page.goto(`${lokal.url}/#/audit`);
  await expect(page.getByText('The chain is whole')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Settings changed' })).toBeVisible();
  await expectFit(page, 'audit');
  await context.close();
});

test('signers are trusted and removed', async ({ browser }) => {
  const context = await lokal.signIn(browser);
  const page = await context.newPage();
  await page.goto(`${lokal.url}/#/packs`);
  const signers = page.getByRole('region', { name: 'Signers' });
  await signers
    .getByRole('textbox', { name: 'Public key' })
    .fill('ed25519:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo');
  await signers.getByRole('textbox', { name: 'Signer' }).fill('Models Ltd');
  await signers.getByRole('button', { name: 'Trust', exact: true }).click();
  await expect(signers.getByRole('cell', { name: 'Models Ltd', exact: true })).toBeVisible();
  await signers.scrollIntoViewIfNeeded();
  await expectFit(page, 'signers');
  await signers.getByRole('button', { name: 'Remove Models Ltd' }).click();
  await expect(signers.getByRole('cell', { name: 'Models Ltd', exact: true })).toHaveCount(0);
  await context.close();
});

test('the page About says which version runs, and why a checkout is not replaced', async ({ browser }) => {
  const context = await lokal.signIn(browser);
  const page = await context.newPage();
  await page.goto(`${lokal.url}/#/about`);
  await expect(page.getByRole('heading', { level: 1, name: 'About Lokal' })).toBeVisible();
  await expect(page.getByText(/is a checkout; git pull and npm ci update it/)).toBeVisible();
  await expectAccessible(page);
  await context.close();
});

test('licences are listed, each with its text', async ({ browser }) => {
  const context = await lokal.signIn(browser);
  const page = await context.newPage();
  await page.goto(`${lokal.url}/#/licences`);
  await page.getByRole('textbox', { name: 'Filter parts' }).fill('LGPL');
  await page.getByRole('button', { name: 'Read the licence of @libav.js/variant-webm-vp9' }).click();
  await expect(page.getByText('LGPL PARTS: libav.js')).toBeVisible();
  await expectFit(page, 'licences');
  await context.close();
});
