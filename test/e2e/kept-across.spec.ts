/** Work is kept across restarts once the person says so, and never otherwise; forgotten when they take it back. */
import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import type { PageImage } from '../../server/api/console/console.ts';
import type { DocumentsResult } from '../../server/api/services/documents.ts';
import { expectAccessible } from './support/axe.ts';
import { consoleCall } from './support/console-call.ts';
import { type Lokal, startLokal } from './support/lokal.ts';
import { samplePdf } from './support/sample-pdf.ts';

test.describe.configure({ mode: 'serial' });

let lokal: Lokal;
let page: Page;

test.beforeAll(async ({ browser }) => {
  lokal = await startLokal();
  const context = await lokal.signIn(browser, { viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
});
test.afterAll(async () => {
  await page?.context().close();
  await lokal.stop();
});

const goTo = (name: string) => page.getByRole('link', { name, exact: true }).click();
const invoiceNumber = () => page.getByRole('group', { name: 'Invoice number' });
const recents = () => page.getByRole('list', { name: 'Recents' });
const keptTitles = async () => {
  const answer = await consoleCall(page.context(), `${lokal.url}/console/work`);
  return ((await answer.json()) as { data: { title: string }[] }).data.map(({ title }) => title).toSorted();
};

/** Of all that is kept. */
const keptText = async () => {
  const read = async (path: string) =>
    (await consoleCall(page.context(), `${lokal.url}/console/work${path}`)).json();
  const { data } = (await read('')) as { data: { id: string }[] };
  const all = await Promise.all(data.map(async ({ id }) => (await read(`/${id}`)) as { content: string }));
  return all.map(({ content }) => content).join();
};

test('nothing is kept unless it was said', async () => {
  await page.goto(`${lokal.url}/#/threats`);
  await page.getByRole('textbox', { name: 'Log' }).fill('Nov 12 10:11:12 host sshd[1]: before');
  await expect(recents()).toContainText('Nov 12');
  await page.getByRole('link', { name: 'Gone on closing or reloading. Keep it …' }).click();
  await expect(page.locator('[data-part=work]')).toBeInViewport();
  expect(await keptTitles()).toEqual([]);
  await page.getByRole('switch', { name: 'Keep work across restarts' }).click();
  await expect(page.getByRole('combobox', { name: 'Forget after' })).toHaveValue('30 days');
  await expectAccessible(page);
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  // What lay there already is meant too.
  await expect.poll(keptTitles).toEqual(['Nov 12 10:11:12 host sshd[1]: before']);
});

test('a corrected scan is there again after the server and the window were closed, and is exported', async () => {
  test.setTimeout(240_000);
  await goTo('Documents');
  // Until it is there, the last input for a file is another page's.
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible();
  await page
    .locator('main input[type=file]:not([multiple])')
    .last()
    .setInputFiles(await scannedInvoice());
  await expect(invoiceNumber()).toContainText('INV-2026-0042', { timeout: 180_000 });
  await invoiceNumber().hover();
  await invoiceNumber().getByRole('button', { name: 'Correct Invoice number' }).click();
  await invoiceNumber().getByRole('textbox').fill('INV-2026-0043');
  await page.keyboard.press('Enter');
  for (const name of ['Keys', 'Usage', 'Threats']) {
    await goTo(name);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  }
  await expect.poll(keptTitles).toEqual(['Nov 12 10:11:12 host sshd[1]: before', 'scan.png']);

  await lokal.restart();
  await page.close();
  page = await page.context().newPage();
  await page.goto(`${lokal.url}/#/usage`);
  await recents().getByRole('button', { name: 'scan.png' }).first().click();
  await expect(invoiceNumber()).toContainText('INV-2026-0043');
  await expect(page.getByRole('img', { name: 'Page 1 of 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Answer as JSON' }).click(),
  ]);
  const saved = JSON.parse(await readFile(await download.path(), 'utf8')) as DocumentsResult;
  expect(saved.fields.invoice_number?.value).toBe('INV-2026-0043');
  await recents().getByRole('button', { name: 'Nov 12' }).first().click();
  await expect(page.getByRole('textbox', { name: 'Log' })).toHaveValue(/before/);
});

test('a batch is there again, with what was approved, though the window closed while another page was shown', async () => {
  test.setTimeout(240_000);
  await goTo('Documents');
  await page.getByRole('button', { name: 'Close the document' }).click();
  const sample = await samplePdf();
  const files = ['a.pdf', 'b.pdf'].map((name) => ({ ...sample, name }));
  await page.locator('main input[type=file][multiple]').first().setInputFiles(files);
  await goTo('Usage');
  await expect.poll(keptTitles, { timeout: 60_000 }).toContainEqual(expect.stringContaining('a.pdf'));
  await recents().getByRole('button', { name: 'a.pdf' }).first().click();
  await expect(page.getByText('2 of 2')).toBeVisible({ timeout: 200_000 });
  await page.getByRole('button', { name: 'Approve b.pdf' }).click();
  await expect.poll(keptText).toContain('"approved":true');

  await lokal.restart();
  await page.close();
  page = await page.context().newPage();
  await page.goto(`${lokal.url}/#/usage`);
  await recents().getByRole('button', { name: 'a.pdf' }).first().click();
  await expect(page.getByRole('button', { name: 'Take back the approval of b.pdf' })).toBeVisible();
  await page.getByRole('region', { name: 'Results' }).getByRole('button', { name: 'Open a.pdf' }).click();
  await expect(invoiceNumber()).toContainText('INV-2026-0042');
  await expect(page.getByRole('img', { name: 'Page 1 of 2' })).toBeVisible();
});

/** A picture of the sample: no text lies in it. */
async function scannedInvoice(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const { buffer } = await samplePdf();
  const data = { file: buffer.toString('base64'), page: 1, width: 1600 };
  const call = { method: 'POST', data };
  const answer = await consoleCall(page.context(), `${lokal.url}/console/documents/page`, call);
  const { png } = (await answer.json()) as PageImage;
  return { name: 'scan.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') };
}

test('all that was kept is forgotten on a word', async () => {
  await page.goto(`${lokal.url}/#/settings?part=work`);
  await page.getByRole('button', { name: 'Forget all kept work' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget all kept work' }).click();
  await expect.poll(keptTitles).toEqual([]);
});
