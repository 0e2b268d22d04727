/** A person marks the fields of a sample, and later documents of its kind are read by that. */
import { readFile } from 'node:fs/promises';
import { expect as expectSoon, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { reportPdf } from './support/report-pdf.ts';
import { openSignedIn, type SignedIn } from './support/signed-in.ts';

// Each test goes on where the one before it stopped.
test.describe.configure({ mode: 'serial', timeout: 120_000 });

/** The first answer waits for the engine's start. */
const expect = expectSoon.configure({ timeout: 30_000 });

let signedIn: SignedIn | undefined;
let page: Page;

test.beforeAll(async ({ browser }) => {
  signedIn = await openSignedIn(browser, '/documents');
  page = signedIn.page;
});
test.afterAll(() => signedIn?.close());

const sample = () =>
  reportPdf('sample.pdf', {
    reference: 'PSP-2026-77',
    temperature: '-18.5',
    checked: '3 March 2026',
    address: ['12 Jalan Ampang', '50450 Kuala Lumpur'],
  });
const later = () =>
  reportPdf('later.pdf', {
    reference: 'PSP-2026-912',
    temperature: '-21.25',
    checked: '17 November 2026',
    address: ['7 Lebuh Pantai', '10300 George Town'],
  });

const choose = (file: Awaited<ReturnType<typeof sample>>) =>
  page.locator('input[type=file]').first().setInputFiles(file);
const menu = (item: string) =>
  page
    .getByRole('button', { name: 'Your templates' })
    .click()
    .then(() => page.getByRole('menuitem', { name: item }).click());
const editor = () => page.getByRole('form', { name: 'Template' });
const field = (name: string) => page.getByRole('group', { name, exact: true });

/** Where a point of the PDF, counted from its upper left corner, lies on the screen. */
async function onScreen(x: number, y: number): Promise<[number, number]> {
  const box = await page.getByTestId('mark-layer').boundingBox();
  if (!box) throw new Error('The page is not shown.');
  return [box.x + (x / 595) * box.width, box.y + (y / 842) * box.height];
}

test('fields are marked on a sample: by clicking a line, by drawing a box, by the keyboard', async () => {
  await choose(await sample());
  await expect(page.getByRole('tab', { name: 'Fields' })).toBeVisible();
  await menu('Make a template on this document');
  await page.getByRole('textbox', { name: 'Title' }).fill('Cold store report');
  await expect(page.getByRole('textbox', { name: 'Name in requests' })).toHaveValue('cold-store-report');
  await expect(page.getByTitle('COLD STORE REPORT')).toBeVisible();

  await page.mouse.click(...(await onScreen(120, 842 - 743)));
  const card = (name: string) => editor().getByRole('button', { name: new RegExp(`^${name}`) });
  await expect(card('reference')).toContainText('PSP-2026-77');

  await page.mouse.move(...(await onScreen(210, 842 - 664)));
  await page.mouse.down();
  await page.mouse.move(...(await onScreen(380, 842 - 630)), { steps: 4 });
  await page.mouse.up();
  await expect(card('address')).toContainText('12 Jalan Ampang 50450 Kuala Lumpur');

  const take = page.getByRole('combobox', { name: 'Take a line of this page' });
  for (const [text, name] of [
    ['-18.5', 'final_temperature'],
    ['3 March', 'checked_on'],
  ] as const) {
    await take.fill(text);
    await expect(page.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(card(name)).toContainText(text);
  }
  await expect(page.getByRole('combobox', { name: 'Type' })).toHaveValue('Date');
  await expectAccessible(page);
});

test('a place that has the focus is moved and resized by arrow keys', async () => {
  const place = page.getByRole('button', { name: /^Place of address/ });
  const before = await place.boundingBox();
  await place.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  const after = await place.boundingBox();
  expect(after!.x).toBeGreaterThan(before!.x);
  expect(after!.width).toBeGreaterThan(before!.width);
  await page.keyboard.press('ArrowLeft');
});

test('what cannot be saved is said at its field', async () => {
  await editor().getByRole('button', { name: 'Add a field without a place' }).click();
  await editor().getByRole('textbox', { name: 'Name', exact: true }).fill('serial');
  await editor().getByRole('button', { name: 'Save and read with it' }).click();
  await expect(editor().getByRole('alert')).toHaveText('Needs a label, a place or a pattern.');
  await editor().getByRole('textbox', { name: 'Looks like' }).fill('(');
  await editor().getByRole('button', { name: 'Save and read with it' }).click();
  await expect(editor().getByRole('alert')).toHaveText(/RE2/);
  await editor().getByRole('button', { name: 'Remove serial' }).click();
});

test('the saved template reads the sample, and a later document', async () => {
  await editor().getByRole('button', { name: 'Save and read with it' }).click();
  await expect(field('Reference')).toContainText('PSP-2026-77');
  await expect(page.getByRole('combobox', { name: 'Template' })).toHaveValue('Cold store report');

  await choose(await later());
  await expect(page.locator('#main').getByText('later.pdf')).toBeVisible();
  await page.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: 'Cold store report' }).click();
  await page.getByRole('button', { name: 'Parse' }).click();
  await expect(field('Reference')).toContainText('PSP-2026-912');
  await expect(field('Final temperature')).toContainText('-21.25');
  await expect(field('Checked on')).toContainText('2026-11-17');
  await expect(field('Address')).toContainText('7 Lebuh Pantai 10300 George Town');
});

test('a template is changed on another document of its kind', async () => {
  await menu('Change the chosen template');
  await editor()
    .getByRole('button', { name: /^address/ })
    .click();
  await editor().getByRole('textbox', { name: 'Name', exact: true }).fill('site');
  await editor().getByRole('button', { name: 'Save and read with it' }).click();
  await expect(field('Site')).toContainText('10300 George Town');
});

test('templates are renamed, exported, deleted and brought back, and imported', async () => {
  await menu('All your templates');
  const list = page.getByRole('dialog', { name: 'Your templates' });
  await list.getByRole('button', { name: 'Rename Cold store report' }).click();
  await list.getByRole('textbox', { name: 'Name in requests' }).fill('freezer');
  await list.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(list.getByText('custom:freezer')).toBeVisible();
  // A form in the drawer is not the one that starts a run.
  await expect(field('Site')).toBeAttached();
  await expectAccessible(page);

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    list.getByRole('button', { name: 'Export Cold store report' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('freezer.json');
  const buffer = await readFile(await file.path());
  expect(JSON.parse(buffer.toString()).fields).toHaveLength(4);

  await list.getByRole('button', { name: 'Delete Cold store report' }).click();
  await expect(list.getByText('No templates yet')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByText('custom:freezer')).toBeVisible();

  await list
    .locator('input[type=file]')
    .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer });
  await expect(list.getByText('custom:freezer-2')).toBeVisible();
  const foreign = { name: 'y.json', mimeType: 'application/json', buffer: Buffer.from('[1]') };
  await list.locator('input[type=file]').setInputFiles(foreign);
  await expect(page.getByText('y.json holds no templates.')).toBeVisible();
  const broken = { name: 'broken', fields: [{ name: 'x', type: 'text', pattern: '(' }] };
  await list
    .locator('input[type=file]')
    .setInputFiles({ ...foreign, buffer: Buffer.from(JSON.stringify(broken)) });
  await expect(page.getByText('Not imported: broken, fields[0].pattern:')).toBeVisible();
  await page.keyboard.press('Escape');
});

test('many documents are read by it', async () => {
  await page.getByRole('button', { name: 'Close the document' }).click();
  await page
    .locator('input[type=file][multiple]')
    .first()
    .setInputFiles([await sample(), await later()]);
  await expect(page.getByText('2 of 2')).toBeVisible();
  await page.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: 'Cold store report' }).first().click();
  await page.getByRole('button', { name: 'Read all again' }).click();
  const results = page.getByRole('region', { name: 'Results' });
  await expect(results.getByText('10300 George Town')).toBeVisible();
  await expect(results.getByText('PSP-2026-77')).toBeVisible();
});
