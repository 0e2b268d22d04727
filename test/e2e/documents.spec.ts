/** The document playground against the real engine. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { expectAccessible } from './support/axe.ts';
import { samplePdf } from './support/sample-pdf.ts';
import { openSignedIn, type SignedIn } from './support/signed-in.ts';

// Each test goes on where the one before it stopped.
test.describe.configure({ mode: 'serial' });

let signedIn: SignedIn | undefined;
let page: Page;

test.beforeAll(async ({ browser }) => {
  signedIn = await openSignedIn(browser, '/documents');
  page = signedIn.page;
});
test.afterAll(() => signedIn?.close());

const fileInput = () => page.locator('input[type=file]').first();
const tab = (name: string | RegExp) => page.getByRole('tab', { name });

test('a folder is watched: what is dropped there is told of, and it is stopped and forgotten', async () => {
  const root = await mkdtemp(join(tmpdir(), 'lokal-watched-'));
  await mkdir(join(root, 'in'));
  await writeFile(join(root, 'in', 'broken.pdf'), '%PDF-1.7 broken');
  await page.getByRole('button', { name: 'Watched folders' }).click();
  const drawer = page.getByRole('dialog', { name: 'Watched folders' });
  await expect(drawer).toContainText('No folder is watched');
  await drawer.getByLabel('Folder to watch (whole path)').fill(join(root, 'in'));
  await drawer.getByLabel('Folder of answers (whole path)').fill(join(root, 'out'));
  await drawer.getByRole('button', { name: 'Watch', exact: true }).click();
  await expect(drawer).toContainText('0 read, 1 failed', { timeout: 60_000 });
  await expect(drawer.getByRole('list', { name: 'Last errors' })).toContainText('broken.pdf');
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Stop' }).click();
  await expect(drawer.getByText('stopped')).toBeVisible();
  await drawer.getByRole('button', { name: 'Forget' }).click();
  await expect(drawer).toContainText('No folder is watched');
  await page.keyboard.press('Escape');
  await rm(root, { recursive: true });
});

test('an invoice is read: fields, and boxes that answer to them', async () => {
  await fileInput().setInputFiles(await samplePdf());
  const field = page.getByRole('group', { name: 'Invoice number' });
  await expect(field).toContainText('INV-2026-0042', { timeout: 90_000 });
  await expect(page.getByRole('img', { name: 'Page 1 of 2' })).toBeVisible();

  const box = page.locator('rect[data-mark="field:invoice_number"]');
  await field.hover();
  await expect(box).toHaveAttribute('data-lit', '');
  await page.mouse.move(0, 0);
  await expect(box).not.toHaveAttribute('data-lit');
  await field.focus();
  await expect(box).toHaveAttribute('data-lit', '');
  await page.keyboard.press('Shift+Tab');
  await expect(box).not.toHaveAttribute('data-lit');
  await box.hover();
  await expect(field).toHaveAttribute('data-lit', '');
  await expectAccessible(page);
});

test('tables are tables; their cells answer too, also by arrow keys', async () => {
  await tab(/Tables/).click();
  const cell = page.getByRole('gridcell', { name: 'Paper A4' });
  await cell.hover();
  const mark = await cell.getAttribute('data-mark');
  await expect(page.locator(`rect[data-mark="${mark}"]`)).toHaveAttribute('data-lit', '');
  await page.getByRole('gridcell').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(cell).toBeFocused();
  await expectAccessible(page);
});

test('the answer is there as text, as JSON, as code and as files', async () => {
  await tab('Text').click();
  await expect(page.getByRole('region', { name: 'Text' })).toContainText('Kedai Contoh', { timeout: 90_000 });
  await tab('Markdown').click();
  await expect(page.getByRole('region', { name: 'Markdown' })).toContainText('| ', { timeout: 90_000 });
  await tab('Passages').click();
  const passages = page.getByRole('list', { name: 'Passages' });
  await expect(passages).toContainText('Kedai Contoh', { timeout: 90_000 });
  await expect(passages).toContainText('page 1');
  await page.getByRole('button', { name: 'Copy passage 1', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expectAccessible(page);
  await tab('JSON').click();
  await expect(page.getByRole('region', { name: 'JSON' })).toContainText('"req_doc_');
  await tab('Code').click();
  await expect(page.getByRole('region', { name: 'curl' })).toContainText(`-F 'file=@"test-invoice.pdf"'`);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Save' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Fields as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('test-invoice.fields.csv');
});

test('pages are turned, enlarged and chosen', async () => {
  const second = page.getByRole('button', { name: 'Go to page 2' });
  await expect(second.locator('img')).toBeVisible({ timeout: 90_000 });
  await second.click();
  await expect(page.getByRole('img', { name: 'Page 2 of 2' })).toBeVisible();
  await page.getByRole('button', { name: 'Larger' }).click();
  await expect(page.getByText('125%')).toBeVisible();

  const pages = page.getByRole('textbox', { name: 'Pages' });
  await pages.fill('3-1');
  await expect(page.getByText('A range goes from low to high.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Parse' })).toBeDisabled();
  await pages.fill('7');
  await page.getByRole('button', { name: 'Parse' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'invalid_page_range' });
  await expect(alert).toContainText('pages');
  await pages.fill('2');
  await page.getByRole('button', { name: 'Parse' }).click();
  await expect(tab('Fields')).toBeVisible({ timeout: 90_000 });
});

test('what is no document is refused in the server’s words', async () => {
  const buffer = Buffer.from('%PDF-1.7\nthis is no document');
  await fileInput().setInputFiles({ name: 'broken.pdf', mimeType: 'application/pdf', buffer });
  const notes = page.getByRole('main').getByRole('alert').filter({ visible: true });
  await expect(page.getByText('This page has no picture')).toBeVisible({ timeout: 60_000 });
  await expect(notes).toHaveCount(1);
  await expect(notes).toContainText('document_unreadable');
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Close the document' }).click();
  await expect(page.getByRole('button', { name: 'Choose a document' })).toBeVisible();
});

test('a picture without fields is looked at in Images', async () => {
  const color = sharp({ create: { width: 320, height: 240, channels: 3, background: '#88aa99' } });
  await fileInput().setInputFiles({
    name: 'meadow.png',
    mimeType: 'image/png',
    buffer: await color.png().toBuffer(),
  });
  await page.getByRole('button', { name: 'See what it shows, in Images' }).click({ timeout: 60_000 });
  await expect(page.getByRole('heading', { level: 1, name: 'Images' })).toBeVisible();
  await expect(
    page.getByRole('main').getByText('meadow.png', { exact: true }).filter({ visible: true }),
  ).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Close the document' }).click();
});

test('a run can be cancelled', async () => {
  await page.route('**/v1/documents/parse', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await route.continue().catch(() => undefined);
  });
  await fileInput().setInputFiles(await samplePdf());
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible();
  await page.unroute('**/v1/documents/parse');
  await page.getByRole('button', { name: 'Parse' }).click();
  await expect(tab('Fields')).toBeVisible({ timeout: 90_000 });
});

test('a file of tables alone shows its table; one without a byte is refused in words', async () => {
  await page.goto(page.url().replace(/#.*/, '#/documents'));
  await page.reload();
  await expect(page.getByText('DOCX, XLSX, PPTX')).toBeVisible();
  await fileInput().setInputFiles({ name: 'none.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) });
  await expect(page.getByText('This file is empty.')).toBeVisible();
  const people = Buffer.from('Name,City,Balance\nAisyah,Ipoh,-343.45\nWei Ming,Kuching,12.00\n');
  await fileInput().setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: people });
  await expect(page.getByRole('gridcell', { name: '-343.45' })).toBeVisible({ timeout: 90_000 });
  await expect(tab(/Tables/)).toHaveAttribute('aria-selected', 'true');
});

test('a document of many pages is told of by the field of the page', async () => {
  const long = await PDFDocument.create();
  for (let count = 0; count < 21; count += 1) long.addPage([200, 200]);
  const buffer = Buffer.from(await long.save());
  await fileInput().setInputFiles({ name: 'long.pdf', mimeType: 'application/pdf', buffer });
  const alert = page.getByRole('alert').filter({ hasText: 'more than 20 pages' });
  await expect(alert).toContainText('Write in the field “Pages” above', { timeout: 60_000 });
});
