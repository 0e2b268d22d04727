/** The Sigma rules of the threat analysis: listed, switched, imported, cleared, and the same after its engine went. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { expectAccessible } from './support/axe.ts';
import { consoleCall } from './support/console-call.ts';
import { type Lokal, startLokal } from './support/lokal.ts';

let lokal: Lokal;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  lokal = await startLokal();
  context = await lokal.signIn(browser, { viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
});
test.afterAll(async () => {
  await context?.close();
  await lokal.stop();
});

const yaml = (id: string) =>
  `title: Imported ${id}\nid: ${id}\nauthor: Aisyah\nlogsource: {product: linux}\ndetection: {s: [magpie], condition: s}\nlevel: high\ntags: [attack.t1059]\n`;
const allRules = () => page.getByRole('region', { name: 'All rules' });
const row = (name: string) => allRules().getByRole('row', { name });

/** The engine's process ends; the next look at the page opens it again. */
async function unloadEngine(): Promise<void> {
  const overview = await (await consoleCall(context, `${lokal.url}/console/packs`)).json();
  const { pack } = overview.roles.find(({ role }: { role: string }) => role === 'svc-guard-max');
  const answer = await consoleCall(context, `${lokal.url}/console/packs/unload`, {
    method: 'POST',
    data: { pack },
  });
  expect(answer.ok()).toBe(true);
}

test('rules are listed, found and switched off for good', async () => {
  await page.goto(`${lokal.url}/#/threats`);
  await page.getByRole('link', { name: 'Rules' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Rules' })).toBeVisible();
  await expect(allRules()).toContainText(/\d+ rules/, { timeout: 30_000 });
  await page.getByRole('textbox', { name: 'Filter rules' }).fill('app_jndi');
  await expect(allRules()).toContainText('1 rule');
  await expectAccessible(page);
  const first = allRules().getByRole('switch');
  await allRules().locator('tbody label').click();
  await expect(first).not.toBeChecked();
  await unloadEngine();
  await page.reload();
  await page.getByText('Off', { exact: true }).click({ timeout: 30_000 });
  await expect(allRules()).toContainText('1 rule', { timeout: 30_000 });
  await allRules().getByRole('switch').press('Space');
  await expect(allRules()).toContainText('No rule matches');
});

test('files and zips are imported, what is wrong with one is told, and all of them go again', async () => {
  await page.goto(`${lokal.url}/#/threats/rules`);
  const files = [
    { name: 'one.yml', mimeType: 'text/yaml', buffer: Buffer.from(yaml('one')) },
    { name: 'bad.yml', mimeType: 'text/yaml', buffer: Buffer.from('title: no rule') },
    {
      name: 'more.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from(zipSync({ 'deep/two.yml': strToU8(yaml('two')) })),
    },
  ];
  await expect(allRules()).toBeVisible({ timeout: 30_000 });
  await page.locator('input[type=file]').first().setInputFiles(files);
  const outcome = page.getByRole('status').filter({ hasText: 'imported' });
  await expect(outcome).toContainText('2 rules imported.');
  await expect(outcome).toContainText('bad.yml');
  await page.getByText('Imported', { exact: true }).click();
  await expect(row('Imported two')).toContainText('deep/two.yml');
  await expect(row('Imported one')).toContainText('T1059');
  await expectAccessible(page);

  await unloadEngine();
  await page.goto(`${lokal.url}/#/threats`);
  await page.getByRole('textbox', { name: 'Log' }).fill('Mar  4 09:14:00 web01 app[9]: a magpie came by');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await expect(page.getByRole('region', { name: 'Findings' })).toContainText('Imported one', {
    timeout: 30_000,
  });

  await page.goto(`${lokal.url}/#/threats/rules`);
  await page.getByRole('button', { name: 'Clear imported' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear imported' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByText('Imported', { exact: true }).click();
  await expect(allRules()).toContainText('No rule matches');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row('Imported one')).toBeVisible();
});

test('a dropped zip that is none is refused in words', async () => {
  await page.goto(`${lokal.url}/#/threats/rules`);
  await expect(allRules()).toBeVisible({ timeout: 30_000 });
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['not a zip'], 'x.zip', { type: 'application/zip' }));
    return data;
  });
  await page
    .getByRole('region', { name: 'Drop rules here' })
    .dispatchEvent('drop', { dataTransfer: transfer });
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The archive is no zip');
});
