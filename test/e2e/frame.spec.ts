/** The frame: palette, shortcuts, things dropped or pasted anywhere, recent work, running jobs. */
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { type Lokal, startLokal } from './support/lokal.ts';
import { samplePdf } from './support/sample-pdf.ts';

test.describe.configure({ mode: 'serial' });

let lokal: Lokal;
let page: Page;

test.beforeAll(async ({ browser }) => {
  lokal = await startLokal();
  const context = await lokal.signIn(browser, { viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  await page.goto(`${lokal.url}/#/usage`);
});
test.afterAll(async () => {
  await page?.context().close();
  await lokal.stop();
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const recent = (name: string) =>
  page.getByRole('list', { name: 'Recents' }).getByRole('button', { name, exact: false }).first();

/** A drop on the middle of the page, as the browser makes one. */
async function drop(target: string, file: { name: string; mimeType: string; text: string }): Promise<void> {
  const transfer = await page.evaluateHandle(({ name, mimeType, text }) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name, { type: mimeType }));
    return data;
  }, file);
  await page.dispatchEvent(target, 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent(target, 'drop', { dataTransfer: transfer });
}

async function paste(text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, text);
}

test('the palette leads to pages, packs and settings by keyboard alone', async () => {
  const field = page.getByRole('combobox', { name: 'Search and commands' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await field.fill('moder');
  await page.keyboard.press('Enter');
  await expect(heading('Moderation')).toBeVisible();
  await page.keyboard.press('Control+k');
  await field.fill('dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.keyboard.press('Control+k');
  await field.fill('chinese');
  await expect(page.getByRole('option', { name: '简体中文' })).toBeVisible();
  await field.fill('as the system');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  await page.keyboard.press('Control+k');
  await field.fill('engines and memory');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-part=engines]')).toBeInViewport();
});

test('letters lead to pages, and a question mark lists them; neither while one types', async () => {
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.locator('main').focus();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(heading('Moderation')).toBeVisible();
  await page.getByRole('textbox', { name: 'Text' }).pressSequentially('gm?n');
  await expect(page.getByRole('textbox', { name: 'Text' })).toHaveValue('gm?n');
  await page.getByRole('textbox', { name: 'Text' }).fill('');
});

test('what is dropped or pasted anywhere goes where its kind is read; what is unclear is asked', async () => {
  await page.goto(`${lokal.url}/#/usage`);
  await drop('main', {
    name: 'auth.log',
    mimeType: 'text/plain',
    text: 'Nov 12 10:11:12 host sshd[1]: hello',
  });
  await expect(heading('Threats')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Log' })).toHaveValue(/sshd/);

  await page.goto(`${lokal.url}/#/usage`);
  await expect(heading('Usage')).toBeVisible();
  await paste('Dear all, the meeting is at ten.');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: /^Chat/ }).click();
  await expect(heading('Chat')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(
    'Dear all, the meeting is at ten.',
  );

  await drop('main', { name: 'thing.xyz', mimeType: '', text: 'x' });
  await expect(page.getByText('Nothing here can read “thing.xyz”.')).toBeVisible();
});

test('recent work is opened, renamed, pinned, and deleted with a way back', async () => {
  await expect(recent('auth.log')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.locator('main').focus();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(heading('Threats')).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Log' })).toHaveValue('');
  await recent('auth.log').click();
  await expect(page.getByRole('textbox', { name: 'Log' })).toHaveValue(/sshd/);

  await page.getByRole('button', { name: /More about auth.log/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Night of the break-in');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'More about Night of the break-in' }).click();
  await page.getByRole('menuitem', { name: 'Pin' }).click();
  await expect(page.getByRole('list', { name: 'Recents' }).getByRole('listitem').first()).toContainText(
    'Night of the break-in',
  );
  await expectAccessible(page);
  await page.getByRole('button', { name: 'More about Night of the break-in' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(recent('Night of the break-in')).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(recent('Night of the break-in')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Log' })).toHaveValue(/sshd/);
});

test('new work begins with the focus in its field, and what is deleted comes back by the keyboard', async () => {
  const begin = async (kind: string, field: string) => {
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search and commands' });
    await expect(search).toBeFocused();
    await search.fill(`New: ${kind}`);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: field, exact: true })).toBeFocused();
  };
  await begin('Chat', 'Message');
  await begin('Moderation', 'Text');
  await page.keyboard.type('g d ? n stays a text');
  await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toHaveValue('g d ? n stays a text');
  await begin('Threats', 'Log');
  await page.keyboard.type('GET /first HTTP/1.1');
  await expect(recent('GET /first')).toBeVisible();
  await recent('GET /first').focus();
  await page.keyboard.press('Delete');
  await expect(page.getByText('GET /first HTTP/1.1 is deleted.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Recents' }).locator('button:focus')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(recent('GET /first')).toBeVisible();
  await expect(page.getByText('GET /first HTTP/1.1 is deleted.')).toBeHidden();
});

test('work goes on when its page is left: the tray shows it, a notice tells of its end', async () => {
  test.setTimeout(180_000);
  // Held back until the page was left.
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/v1/documents/parse', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${lokal.url}/#/documents`);
  await expect(heading('Documents')).toBeVisible();
  // Pages stay in the document; the newest is the last.
  await page
    .locator('main input[type=file]:not([multiple])')
    .last()
    .setInputFiles(await samplePdf());
  const tray = page.getByRole('region', { name: 'Running work' });
  await expect(tray).toContainText('test-invoice.pdf');
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await expect(tray.getByRole('button', { name: 'Cancel test-invoice.pdf' })).toBeVisible();
  await expectAccessible(page);
  release();
  await expect(page.getByText('test-invoice.pdf is done.')).toBeVisible({ timeout: 120_000 });
  await expect(tray).toBeHidden();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('group', { name: 'Invoice number' })).toContainText('INV-2026-0042');
  await page.unroute('**/v1/documents/parse');
});

test('at 1024 by 700 nothing that is to be clicked lies under something else', async () => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await expect(page.getByRole('group', { name: 'Invoice number' })).toBeVisible();
  // A click is refused where another element would get it.
  for (const name of ['Text', 'JSON', 'Code', 'Fields'])
    await page.getByRole('tab', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click({ trial: true });
  await page.goto(`${lokal.url}/#/chat`);
  await page.getByRole('textbox', { name: 'Message' }).fill('hello');
  await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Send' }).click({ trial: true });
  await page.getByRole('textbox', { name: 'Message' }).fill('');
});

test('on a telephone the message has a row of its own, and the names of the SDKs fit', async ({
  browser,
}) => {
  const context = await lokal.signIn(browser, { viewport: { width: 360, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${lokal.url}/#/chat`);
  const field = page.getByRole('textbox', { name: 'Message' });
  await expect(field).toBeVisible();
  const [message, send] = [
    await field.boundingBox(),
    await page.getByRole('button', { name: 'Send' }).boundingBox(),
  ];
  expect(message!.width).toBeGreaterThan(240);
  expect(send!.y).toBeGreaterThanOrEqual(message!.y + message!.height);
  await page.goto(`${lokal.url}/#/welcome`);
  const names = page.getByRole('radiogroup', { name: 'Language of the example' });
  await names.scrollIntoViewIfNeeded();
  for (const name of await names.locator('label').all()) await expect(name).toBeInViewport({ ratio: 1 });
  await context.close();
});

test('on a narrow screen each row of the usage is a card, and no figure is cut', async ({ browser }) => {
  const context = await lokal.signIn(browser, { viewport: { width: 390, height: 900 } });
  const page = await context.newPage();
  const day = {
    day: new Date().toISOString().slice(0, 10),
    key_id: 'key_a',
    key_name: 'anna',
    model: 'svc-lingua-7b',
    upstream: null,
    ...{ requests: 44, estimated: 3, prompt_tokens: 1_358_016, completion_tokens: 50_237 },
    ...{ images: 6, frames: 4, pages: 132 },
  };
  await page.route('**/console/usage', (route) => route.fulfill({ json: { data: [day] } }));
  await page.goto(`${lokal.url}/#/usage`);
  await expect(page.locator('main tfoot td')).toHaveCount(7);
  for (const cell of await page.locator('main tfoot td').all())
    await expect(cell).toBeInViewport({ ratio: 1 });
  await expect(page.locator('[data-overflows]')).toHaveCount(0);
  await context.close();
});
