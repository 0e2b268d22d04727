/** What a person does with a document after it was read: corrects, exports, redacts; and many documents at once. */
import { createHash } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { signedPdf } from '../support/documents/sign-pdf.ts';
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

async function saved(choose: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download', { timeout: 150_000 }), choose()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return { name: file.suggestedFilename(), text: Buffer.concat(chunks).toString('latin1') };
}

test('a field is corrected, and the correction is exported with the answer', async () => {
  test.setTimeout(180_000);
  const asksBeforeLoss = () =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  expect(await asksBeforeLoss()).toBe(false);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await samplePdf());
  const field = page.getByRole('group', { name: 'Invoice number' });
  await expect(field).toContainText('INV-2026-0042', { timeout: 120_000 });
  expect(await asksBeforeLoss()).toBe(true);
  await field.hover();
  await field.getByRole('button', { name: 'Correct Invoice number' }).click();
  await field.getByRole('textbox').fill('INV-2026-0043');
  await page.keyboard.press('Enter');
  await expect(field).toContainText('INV-2026-0043');
  await expectAccessible(page);

  const { text } = await saved(async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('menuitem', { name: 'Answer as JSON' }).click();
  });
  const answer = JSON.parse(text);
  expect(answer.fields.invoice_number).toMatchObject({ value: 'INV-2026-0043', confidence: 1 });
  expect(answer.corrections).toEqual([
    { place: 'invoice_number', from: 'INV-2026-0042', to: 'INV-2026-0043' },
  ]);
});

test('a table is edited and saved as a workbook', async () => {
  await page.getByRole('tab', { name: /Tables/ }).click();
  const cell = page.getByRole('gridcell', { name: 'Paper A4' });
  await cell.dblclick();
  await page.getByRole('textbox', { name: /Row \d+, column \d+/ }).fill('Paper A3');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('gridcell', { name: 'Paper A3' })).toBeVisible();
  const { name, text } = await saved(() => page.getByRole('button', { name: 'Save XLSX' }).first().click());
  expect(name).toBe('test-invoice.table-1.xlsx');
  expect(text.slice(0, 2)).toBe('PK');
});

test('the document goes out as Markdown and as a searchable PDF', async () => {
  const save = async (name: string) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    return saved(() => page.getByRole('menuitem', { name }).click());
  };
  const markdown = await save('Text as Markdown');
  expect(markdown.name).toBe('test-invoice.md');
  expect(markdown.text).toContain('INV-2026-0042');
  const pdf = await save('Searchable PDF');
  expect(pdf.name).toBe('test-invoice.searchable.pdf');
  expect(pdf.text).toContain('/Subtype/Type3');
});

test('kinds of boxes are hidden and shown', async () => {
  const fields = page.locator('rect[data-kind=field]');
  await expect(fields.first()).toBeVisible();
  await page.getByRole('button', { name: 'Boxes' }).click();
  await page.getByRole('checkbox', { name: 'Fields' }).click();
  await expect(fields).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Fields' }).click();
  await expect(fields.first()).toBeVisible();
  await page.keyboard.press('Escape');
});

test('what is redacted can no longer be read', async () => {
  test.setTimeout(180_000);
  await page.getByRole('button', { name: 'Redact' }).click();
  await expect(page.getByRole('dialog', { name: 'Redact the document' })).toBeVisible();
  await expectAccessible(page);
  // A box drawn on the preview is one more thing to paint over; all and none are one click each.
  await page.getByRole('button', { name: 'Choose none' }).click();
  await expect(page.getByRole('button', { name: 'Paint over 0 and save' })).toBeDisabled();
  await page.getByRole('button', { name: 'Choose all' }).click();
  const sheet = page.getByTestId('redaction-sheet');
  await sheet.getByRole('img').waitFor();
  const box = (await sheet.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.5);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height * 0.55);
  await page.mouse.up();
  await expect(page.getByRole('checkbox', { name: 'Box 1' })).toBeChecked();
  // All of one kind by one tick.
  const kind = page
    .getByRole('group', { name: 'Choose by kind' })
    .getByRole('checkbox', { name: 'Boxes drawn by hand: 1' });
  await kind.uncheck();
  await expect(page.getByRole('checkbox', { name: 'Box 1' })).not.toBeChecked();
  await kind.check();
  const { name, text } = await saved(() => page.getByRole('button', { name: /Paint over/ }).click());
  expect(name).toBe('test-invoice.redacted.pdf');
  expect(text.slice(0, 5)).toBe('%PDF-');
  await expect(page.getByRole('status').filter({ hasText: 'places were blacked out' })).toBeVisible();
  const readable = await saved(() => page.getByRole('button', { name: 'Save the report' }).click());
  expect(readable.name).toBe('test-invoice.redaction.html');
  expect(readable.text).toContain('<td>Boxes drawn by hand</td>');
  const report = await saved(() => page.getByRole('button', { name: 'Report as JSON' }).click());
  expect(report.name).toBe('test-invoice.redaction.json');
  const redacted = createHash('sha256').update(text, 'latin1').digest('hex');
  expect(JSON.parse(report.text)).toMatchObject({
    result: { name, sha256: redacted },
    check: { passed: true, readable: [] },
  });
  await page.keyboard.press('Escape');
});

test('who signed is told, and whether the document is as it was then', async () => {
  test.setTimeout(120_000);
  const buffer = Buffer.from(await signedPdf('Aminah binti Yusof'));
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'signed.pdf', mimeType: 'application/pdf', buffer });
  await page.getByRole('tab', { name: 'Marks 2' }).click({ timeout: 60_000 });
  const signatures = page.getByRole('region', { name: 'Signatures' });
  const director = signatures.getByRole('group', { name: 'Director: signed digitally' });
  await expect(director).toContainText('by Aminah binti Yusof, as the certificate says, 14 Mar 2026');
  await expect(director.getByText('unchanged since')).toBeVisible();
  await expect(signatures.getByRole('group', { name: 'Witness: not signed' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Page 1 of 1' })).toBeVisible({ timeout: 20_000 });
  await director.hover();
  await expect(page.locator('rect[data-kind=signature][data-lit]')).toHaveCount(1);
});

test('many documents: a queue, a retry, one table of results', async () => {
  test.setTimeout(240_000);
  await page.getByRole('button', { name: 'Close the document' }).click();
  const sample = await samplePdf();
  await page
    .locator('input[type=file][multiple]')
    .first()
    .setInputFiles([
      { ...sample, name: 'a.pdf' },
      { ...sample, name: 'b.pdf' },
      { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 broken') },
    ]);
  await expect(page.getByText('3 of 3')).toBeVisible({ timeout: 200_000 });
  await expect(page.getByRole('button', { name: 'Retry 1 failed' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Results' }).getByText('INV-2026-0042')).toHaveCount(2);
  await expectAccessible(page);
  // The least sure comes first; approving is a matter of the keyboard.
  await page.getByRole('button', { name: 'Approve a.pdf' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Take back the approval of a.pdf' })).toBeVisible();
  const { text } = await saved(async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('menuitem', { name: 'Table as CSV' }).click();
  });
  expect(text.split('\r\n')[0]).toContain('file,type,confidence,problem');
  expect(text).toContain('broken.pdf');

  // What is set right in one of them is set right in the table and in what is exported.
  await page.getByRole('region', { name: 'Results' }).getByRole('button', { name: 'Open b.pdf' }).click();
  const place = page.getByRole('navigation', { name: 'Documents of this batch' });
  await expect(place).toContainText(/\d of 3/);
  await page.getByRole('button', { name: 'Correct Invoice number' }).click();
  await page.getByRole('textbox', { name: 'Invoice number' }).fill('INV-CORRECTED');
  await page.keyboard.press('Enter');
  await expect(page.getByText('corrected', { exact: true })).toBeVisible();
  await place.getByRole('button', { name: 'Back to the batch' }).click();
  const results = page.getByRole('region', { name: 'Results' });
  await expect(results.getByText('INV-CORRECTED')).toHaveCount(1);
  await results.getByRole('button', { name: 'Open b.pdf' }).click();
  await expect(page.getByRole('group', { name: 'Invoice number' })).toContainText('INV-CORRECTED');
  await page.getByRole('heading', { name: 'Documents' }).click();
  await page.keyboard.press('k');
  await expect(place).toContainText('1 of 3');
  await page.keyboard.press('j');
  await expect(place).toContainText('2 of 3');
  await place.getByRole('button', { name: 'Back to the batch' }).click();
  const corrected = await saved(async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('menuitem', { name: 'Table as CSV' }).click();
  });
  expect(corrected.text).toContain('INV-CORRECTED');
});
