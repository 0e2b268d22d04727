/** Images against a stand-in for the API: what the page does with answers. */
import { crc32, deflateSync } from 'node:zlib';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import type { ImagesResult } from '../../server/api/services/images.ts';
import { expectAccessible } from './support/axe.ts';
import { type Lokal, startLokal } from './support/lokal.ts';

// Each test goes on where the one before it stopped.
test.describe.configure({ mode: 'serial' });

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

const seen: ImagesResult = {
  id: 'req_vis_0',
  model: 'svc-vision-pro',
  created: 1,
  results: [
    {
      caption: 'A cat on a sofa.',
      language: 'en',
      objects: [
        { label: 'cat', confidence: 0.93, bbox: [0.1, 0.2, 0.5, 0.9] },
        { label: 'sofa', confidence: 0.71, bbox: [0, 0.3, 1, 1] },
      ],
      scene: { indoor: 0.97, street: 0.01 },
      relations: [{ subject: 0, predicate: 'on', object: 1 }],
    },
  ],
  usage: { images: 1, frames_sampled: 1 },
};

test('images draws objects over the picture and lights them from the list', async () => {
  await page.route('**/v1/images/analyze', (route) => route.fulfill({ json: seen }));
  await page.goto(`${lokal.url}/#/images`);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer: grayPng(320, 200) });
  await expect(page.getByText('A cat on a sofa.', { exact: true })).toBeVisible();
  await page.getByRole('group', { name: 'cat' }).hover();
  await expect(page.getByTestId('boxes').locator('[data-mark="object:0"]')).toHaveAttribute('data-lit', '');
  await expect(page.getByText('cat → on → sofa')).toBeVisible();
  await expectAccessible(page);
});

test('an answer to other choices is marked, and so is what was cancelled', async () => {
  await page.unroute('**/v1/images/analyze');
  await page.route('**/v1/images/analyze', () => undefined);
  await page.getByRole('combobox', { name: 'Language of the caption' }).click();
  await page.getByRole('option', { name: 'Bahasa Melayu' }).click();
  await expect(page.getByText('What is shown is the answer to the choices before.')).toBeVisible();
  await page.getByRole('button', { name: 'Analyse' }).first().click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByText(/^Cancelled: what is shown/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Language of the caption' }).click();
  await page.getByRole('option', { name: 'English' }).click();
  await page.unroute('**/v1/images/analyze');
});

test('filters, captions in another language, another pack beside', async () => {
  const packs: (string | undefined)[] = [];
  const toldIn = { en: 'A cat on a sofa.', ms: 'Seekor kucing.', zh: '一只猫。' };
  await page.route('**/v1/images/analyze', (route) => {
    packs.push(route.request().headers()['x-model-pack']);
    const { language } = route.request().postDataJSON() as { language: keyof typeof toldIn };
    return route.fulfill({
      json: { ...seen, results: [{ ...seen.results[0], language, caption: toldIn[language] }] },
    });
  });
  await page.route('**/console/packs', async (route) => {
    const overview = await (await route.fetch()).json();
    const own = overview.packs.find(({ roles }: { roles: string[] }) => roles.includes('svc-vision-pro'));
    const other = { ...own, ref: 'other@1', id: 'other', name: 'Other vision pack' };
    await route.fulfill({ json: { ...overview, packs: [...overview.packs, other] } });
  });
  await page.reload();
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer: grayPng(320, 200) });
  const boxes = page.getByTestId('boxes').first().locator('[data-mark]');
  await expect(boxes).toHaveCount(2);
  await page.getByText('cat 1', { exact: true }).click();
  await expect(boxes).toHaveCount(1);
  await page.getByRole('radiogroup', { name: 'Language of the caption' }).getByText('中文').click();
  await expect(page.getByText(toldIn.zh)).toBeVisible();
  await page.getByRole('combobox', { name: 'Compare with' }).click();
  await page.getByRole('option', { name: 'Other vision pack' }).click();
  await expect(page.getByTestId('boxes')).toHaveCount(2);
  expect(packs).toEqual([undefined, undefined, 'other@1']);
  await expectAccessible(page);
});

test('a picture is told in the language of the interface', async ({ browser }) => {
  const malay = await lokal.signIn(browser, { locale: 'ms-MY' });
  const tab = await malay.newPage();
  await tab.route('**/v1/images/analyze', (route) => {
    const { language } = route.request().postDataJSON() as { language: string };
    return route.fulfill({
      json: { ...seen, results: [{ ...seen.results[0], language, caption: language }] },
    });
  });
  await tab.goto(`${lokal.url}/#/images`);
  await tab
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer: grayPng(320, 200) });
  await expect(tab.getByText('ms', { exact: true })).toBeVisible();
  await malay.close();
});

test('many pictures go on while one of them is looked at, and are there again', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/v1/images/analyze', async (route) => {
    await held;
    await route.fulfill({ json: seen });
  });
  await page.reload();
  await page.getByText('Many files', { exact: true }).click();
  const files = ['one.png', 'two.png', 'three.png'].map((name) => ({
    name,
    mimeType: 'image/png',
    buffer: grayPng(64, 48),
  }));
  await page.getByTestId('many').setInputFiles(files);
  const tray = page.getByRole('region', { name: 'Running work' });
  await expect(tray).toContainText('one.png and others (3)');
  await page.getByText('One file', { exact: true }).click();
  await expect(page.getByRole('button', { name: 'Choose a picture or video' })).toBeVisible();
  release();
  await page.getByText('Many files', { exact: true }).click();
  await expect(page.getByRole('progressbar', { name: '3 of 3 analysed' })).toBeVisible();
  await page.getByRole('button', { name: /two\.png/ }).click();
  await expect(page.getByTestId('boxes')).toBeVisible();
  await page.getByText('Many files', { exact: true }).click();
  await expect(page.getByRole('button', { name: /three\.png/ })).toContainText('A cat on a sofa.');
});

test('another pack for one task alone', async () => {
  const bound: unknown[] = [];
  await page.route('**/console/packs', async (route) => {
    const overview = await (await route.fetch()).json();
    const own = overview.packs.find(({ roles }: { roles: string[] }) => roles.includes('svc-vision-pro'));
    const other = {
      ...own,
      ref: 'other@1',
      id: 'other',
      name: 'Captioner',
      version: '1',
      tasks: ['caption'],
    };
    await route.fulfill({ json: { ...overview, packs: [...overview.packs, other] } });
  });
  await page.route('**/console/packs/bind', async (route) => {
    bound.push(route.request().postDataJSON());
    await route.fulfill({
      status: 400,
      json: { error: { code: 'invalid_value', message: 'Not here.', param: 'pack' } },
    });
  });
  await page.goto(`${lokal.url}/#/packs`);
  await page.getByRole('combobox', { name: 'Captions by' }).click();
  await page.getByRole('option', { name: 'Captioner 1' }).click();
  await expect.poll(() => bound).toEqual([{ role: 'svc-vision-pro', pack: 'other@1', task: 'caption' }]);
  await page.getByRole('combobox', { name: 'Objects by' }).click();
  await expect(page.getByRole('option', { name: 'Captioner 1' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expectAccessible(page);
});

/** A PNG of one color (ISO/IEC 15948): header, one deflated IDAT, end. */
function grayPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height, 0xc8);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    pngPart('IHDR', header),
    pngPart('IDAT', deflateSync(rows)),
    pngPart('IEND', Buffer.alloc(0)),
  ]);
}

function pngPart(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

test('a file that is no picture is shown by its name, with the reason', async () => {
  await page.unroute('**/v1/images/analyze');
  await page.goto(`${lokal.url}/#/images`);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Images' })).toBeVisible();
  await page
    .locator('main input[type=file]')
    .first()
    .setInputFiles({ name: 'letter.png', mimeType: 'image/png', buffer: Buffer.from('%PDF-1.4 a letter') });
  await expect(page.getByRole('alert')).toBeVisible({ timeout: 60_000 });
  await expect(
    page
      .getByRole('main')
      .getByRole('paragraph')
      .filter({ hasText: /^letter\.png$/ }),
  ).toBeVisible();
  await expect(page.getByRole('main').getByRole('img', { name: 'letter.png' })).toHaveCount(0);
});
