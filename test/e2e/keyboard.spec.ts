/** The tour by keyboard alone: no test of this file points, clicks or sets a value by script. */
import { expect, type Locator, type Page, test } from '@playwright/test';
import { answerChats, textChunk, toStream } from './support/completions.ts';
import { samplePdf } from './support/sample-pdf.ts';
import { openSignedIn, type SignedIn } from './support/signed-in.ts';

// Each test goes on where the one before it stopped.
test.describe.configure({ mode: 'serial' });

let signedIn: SignedIn | undefined;
let page: Page;

test.beforeAll(async ({ browser }) => {
  signedIn = await openSignedIn(browser, '/usage');
  page = signedIn.page;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  // Before it stands there nothing listens to keys.
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
});
test.afterAll(() => signedIn?.close());

const press = (key: string) => page.keyboard.press(key);
const main = () => page.getByRole('main');

/** As a person would: Tab until it is reached. */
async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeAttached({ timeout: 60_000 });
  const mostTabs = 150;
  for (let tabs = 0; tabs < mostTabs; tabs += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await press(key);
  }
  await expect(target).toBeFocused();
}

async function pressOn(target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target);
  await press(key);
}

/** By the palette, from wherever one types. */
async function goTo(name: string): Promise<void> {
  await press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search and commands' })).toBeFocused();
  await page.keyboard.type(name);
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('a key is made, and its secret copied', async () => {
  await goTo('Keys');
  await pressOn(main().getByRole('button', { name: 'Create key' }).first());
  const create = page.getByRole('dialog', { name: 'Create a key' });
  await tabTo(create.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.type('By keyboard');
  await press('Enter');
  const stored = page.getByRole('dialog', { name: 'Store this key now' });
  await pressOn(stored.getByRole('button', { name: 'Copy' }));
  const secret = await stored.getByRole('textbox').inputValue();
  expect(secret).toMatch(/^\S{20,}$/);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await pressOn(stored.getByRole('button', { name: 'I have stored it' }));
  await expect(stored).toBeHidden();
  await expect(page.getByRole('row', { name: /By keyboard/ })).toBeVisible();
});

test('a conversation is held', async () => {
  await answerChats(page, () => toStream(textChunk('Good day.')));
  await goTo('Chat');
  await tabTo(page.getByRole('textbox', { name: 'Message' }));
  await page.keyboard.type('Hello');
  await press('Enter');
  await expect(page.getByText('Good day.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
});

test('a document is read, a field corrected, and the answer saved', async () => {
  test.setTimeout(180_000);
  await goTo('Documents');
  const chooser = page.waitForEvent('filechooser');
  await pressOn(page.getByRole('button', { name: 'Choose a document' }));
  await (await chooser).setFiles(await samplePdf());
  const number = page.getByRole('group', { name: 'Invoice number' });
  await expect(number).toContainText('INV-2026-0042', { timeout: 120_000 });
  const pencil = number.getByRole('button', { name: 'Correct Invoice number' });
  await pressOn(pencil);
  await expect(number.getByRole('textbox')).toBeFocused();
  await press('Control+a');
  await page.keyboard.type('INV-2026-0043');
  await press('Enter');
  await expect(number).toContainText('corrected');
  await expect(pencil).toBeFocused();
  await tabTo(page.getByRole('button', { name: 'Save', exact: true }), 'Shift+Tab');
  await press('Enter');
  const asJson = page.getByRole('menuitem', { name: 'Answer as JSON' });
  await expect(asJson).toBeVisible();
  // The menu takes the focus a moment after it is drawn; a key before that belongs to its button.
  await expect(page.getByRole('menu').locator(':focus')).toBeAttached();
  await press('ArrowDown');
  await expect(asJson).toBeFocused();
  const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
  expect(download.suggestedFilename()).toBe('test-invoice.json');
});

test('a text is checked', async () => {
  await goTo('Moderation');
  await tabTo(page.getByRole('textbox', { name: 'Text' }));
  await page.keyboard.type('Write to aina.binti@example.com about it.');
  await expect(page.locator('mark')).toContainText('aina.binti@example.com', { timeout: 60_000 });
});

test('a log is analysed, and a finding leads to its line', async () => {
  await goTo('Threats');
  await tabTo(page.getByRole('textbox', { name: 'Log' }));
  await page.keyboard.insertText(
    '203.0.113.9 - - [12/Nov/2026:10:11:12 +0000] "GET /?id=1%27%20UNION%20SELECT%20password%20FROM%20users-- HTTP/1.1" 200 1\n',
  );
  await pressOn(page.getByRole('button', { name: 'Analyse' }));
  const finding = page.getByRole('region', { name: 'Findings' }).getByRole('button').first();
  await expect(finding).toBeVisible({ timeout: 60_000 });
  await pressOn(finding);
  await expect(page.locator('li[data-focus]').first()).toBeVisible();
});

test('texts are searched by meaning', async () => {
  await goTo('Embeddings');
  // A radio group is one stop; arrows choose in it.
  await tabTo(main().getByRole('radio', { name: 'Compare' }));
  await press('ArrowRight');
  await tabTo(page.getByRole('textbox', { name: 'Query' }));
  await page.keyboard.type('How do I get my money back?');
  await press('Enter');
  await expect(page.getByRole('region', { name: 'Search' }).getByRole('listitem').first()).toBeVisible({
    timeout: 60_000,
  });
});

test('a model is looked for in folders, and a pack taken off its role and put back', async () => {
  await goTo('Packs');
  await pressOn(main().getByRole('button', { name: 'Browse' }));
  const browse = page.getByRole('dialog');
  await expect(browse.getByRole('button').first()).toBeVisible();
  expect(await browse.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
  await press('Escape');
  await expect(browse).toBeHidden();
  await expect(main().getByRole('button', { name: 'Browse' })).toBeFocused();

  const role = page.getByRole('combobox', { name: 'Pack for svc-embed-base' });
  const bound = await role.inputValue();
  for (const [arrow, value] of [
    ['ArrowUp', 'No pack'],
    ['ArrowDown', bound],
  ] as const) {
    // While it is saved it takes no keys.
    await expect(role).toBeEnabled();
    await pressOn(role);
    const option = page.getByRole('option', { name: value });
    await expect(option).toBeVisible();
    // The list marks what is chosen a moment after it opens: an arrow before that goes elsewhere.
    await expect(async () => {
      if ((await option.getAttribute('data-combobox-selected')) === null) await press(arrow);
      await expect(option).toHaveAttribute('data-combobox-selected', /.*/, { timeout: 500 });
    }).toPass();
    await press('Enter');
    await expect(role).toHaveValue(value);
  }
});

test('the language is switched', async () => {
  await goTo('Settings');
  const language = page.getByRole('combobox', { name: 'Language' });
  await tabTo(language);
  await press('Enter');
  await expect(page.getByRole('option', { name: '简体中文' })).toBeVisible();
  for (let options = 0; options < 3; options += 1) await press('ArrowDown');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '设置' })).toBeVisible();
});
