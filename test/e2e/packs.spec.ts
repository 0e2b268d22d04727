/** A chat model from a dropped folder to an answer, with real conversion and a real host. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { tinyConfigs, tinyTensors, writeTinyModel } from '../support/chat/tiny-decoder.ts';
import { chatMl, tinyTokenizer, tinyVocabulary } from '../support/chat/tiny-pack.ts';
import { expectAccessible } from './support/axe.ts';
import { type Lokal, startLokal } from './support/lokal.ts';

// Each test goes on where the one before it stopped.
test.describe.configure({ mode: 'serial' });

let lokal: Lokal;
let context: BrowserContext;
let page: Page;
let root: string;
let folder: string;

test.beforeAll(async ({ browser }) => {
  root = await mkdtemp(join(tmpdir(), 'lokal-models-'));
  folder = join(root, 'tiny');
  await mkdir(folder);
  const config = { ...tinyConfigs.llama!, vocab_size: tinyVocabulary, max_position_embeddings: 512 };
  writeTinyModel(folder, config, tinyTensors(config, 1));
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tinyTokenizer()));
  await writeFile(join(folder, 'chat_template.jinja'), chatMl);
  const snapshot = join(root, 'hub', 'models--acme--tiny', 'snapshots');
  await mkdir(snapshot, { recursive: true });
  await symlink(folder, join(snapshot, '1'));
  process.env.HF_HUB_CACHE = join(root, 'hub');
  lokal = await startLokal();
  delete process.env.HF_HUB_CACHE;
  context = await lokal.signIn(browser, { viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
  await page.goto(`${lokal.url}/#/packs`);
});
test.afterAll(async () => {
  await context?.close();
  await lokal.stop();
  await rm(root, { recursive: true, force: true });
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const estimate = () => page.getByRole('region', { name: 'What the import would take' });

test('a path that holds nothing is refused in words', async () => {
  await page.getByRole('textbox', { name: /path on this machine/ }).fill(join(folder, 'nothing'));
  await button('Look inside').click();
  await expect(page.getByRole('alert')).toContainText('there is nothing at this path');
});

test('a model is found by looking through folders, and estimated before anything is written', async () => {
  await page.getByRole('textbox', { name: /path on this machine/ }).fill(root);
  await button('Browse').click();
  await page.getByRole('dialog').getByRole('button', { name: /^tiny/ }).click();
  await expect(estimate()).toContainText('Chat model · safetensors · llama');
  await expect(estimate().getByRole('radio')).toHaveCount(4);
  await expectAccessible(page);
  await estimate().getByRole('button', { name: 'Cancel' }).click();
  await expect(estimate()).toHaveCount(0);
});

test('advice names models that fit; one that is here already is taken from its place, and its checksum compared', async () => {
  await page.goto(`${lokal.url}/#/packs/models`);
  await expect(page.getByRole('heading', { level: 1, name: 'Models for this machine' })).toBeVisible();
  const smallest = page.getByRole('row', { name: /SmolLM2 135M Instruct/ });
  await expect(smallest).toContainText(/fits.*tokens\/s.*8,192.*Apache-2.0/, { timeout: 60_000 });
  const models = await page.getByRole('row').count();
  await page.getByRole('switch', { name: 'Also those that do not fit' }).click();
  expect(await page.getByRole('row').count()).toBeGreaterThanOrEqual(models);
  await expectAccessible(page);
  await button('Import acme/tiny').click();
  await expect(estimate()).toContainText('Chat model · safetensors · llama', { timeout: 60_000 });
  const sum = createHash('sha256')
    .update(await readFile(join(folder, 'model.safetensors')))
    .digest('hex');
  const checksum = estimate().getByRole('textbox', { name: /^Checksum/ });
  await checksum.fill(`${sum}  model.safetensors`);
  await button('Compare').click();
  await expect(estimate().getByRole('status')).toContainText(
    'model.safetensors is what its publisher offers',
  );
  await checksum.fill('0'.repeat(64));
  await button('Compare').click();
  await expect(estimate().getByRole('status')).toContainText('No file here has this checksum');
  await expectAccessible(page);
  await estimate().getByRole('button', { name: 'Cancel' }).click();
});

test('a dropped folder is handed over, imported and bound', async () => {
  const files: { name: string; data: string }[] = [];
  for (const name of ['config.json', 'model.safetensors', 'tokenizer.json', 'chat_template.jinja'])
    files.push({ name, data: (await readFile(join(folder, name))).toString('base64') });
  const transfer = await page.evaluateHandle((given) => {
    const made = new DataTransfer();
    for (const { name, data } of given) {
      const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
      made.items.add(new File([bytes], name));
    }
    return made;
  }, files);
  await page.getByTestId('pack-drop').dispatchEvent('drop', { dataTransfer: transfer });
  await expect(estimate()).toContainText('context 512');
  await estimate().getByRole('radio', { name: 'Speed' }).check();
  await button('Import').click();
  await button(/^Let it serve/).click({ timeout: 60_000 });
  await expect(button('Serves svc-lingua-7b')).toBeDisabled();
  await expect(page.getByRole('cell', { name: /imported/ })).toBeVisible();
});

test('its sizes are set', async () => {
  await page.getByRole('button', { name: /^Sizes of (?!Chat starter|.*[Ss]tarter)/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Conversations at once' }).fill('2');
  await dialog.getByRole('textbox', { name: 'Tokens of a conversation' }).fill('256');
  await dialog.getByRole('switch', { name: 'Small conversation memory' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: /^Sizes of (?!Chat starter|.*[Ss]tarter)/ }).click();
  await expect(dialog.getByRole('textbox', { name: 'Tokens of a conversation' })).toHaveValue('256');
  await expect(dialog.getByRole('switch', { name: 'Small conversation memory' })).toBeChecked();
  await page.keyboard.press('Escape');
});

test('the imported model answers in the chat, streamed, and can be removed', async () => {
  await page.goto(`${lokal.url}/#/chat`);
  await page.getByRole('textbox', { name: 'Most tokens' }).fill('12');
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('log')).toContainText('12 generated');
  await expect(page.getByRole('log')).toContainText('@speed');
  const meter = page.getByRole('link', { name: /^Engines and memory: 1 engine · .+ of .+/ });
  await expect(meter).toBeVisible();
  await expectAccessible(page);
  await meter.click();
  await expect(page.getByRole('heading', { name: 'Packs', exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Remove / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText(/is removed\. svc-lingua-7b is served by lingua-starter@/)).toBeVisible();
  await expect(page.getByRole('cell', { name: /imported/ })).toHaveCount(0);
});
