/**
 * `npm run screenshots [-- --page NAME --scheme light|dark --width N --language en|ms|zh]`: every page, and the states that
 * matter, in a real Chromium, in both color schemes, three widths and three languages, into screenshots/ (not tracked). Made
 * to be looked at.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { findChromium } from '../../build/check/chromium.ts';
import { ensureRenderer } from '../../build/start/renderer.ts';
import { type Lokal, startLokal } from './support/lokal.ts';

const folder = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const locales = { en: 'en-GB', ms: 'ms-MY', zh: 'zh-CN' } as const;
const heights: Record<string, number> = { 1024: 700, 1440: 900, 2560: 1440, 3840: 2160 };
const settleMs = 400;

interface Shot {
  name: string;
  address: string;
  /** Brings the page into the state that is photographed. */
  act?: (page: Page) => Promise<void>;
}

const mostWaitMs = 90_000;

/** Of pages that first show a sign of waiting. */
const tableShown = (page: Page) => page.locator('main table').first().waitFor({ timeout: mostWaitMs });

const press = (page: Page, name: RegExp) => page.getByRole('button', { name }).first().click();
const createKey = /^(?:Create key|Cipta kunci|创建密钥)$/;

const pages: Shot[] = [
  ...[
    'welcome',
    'documents',
    'moderation',
    'threats',
    'embeddings',
    'chat',
    'images',
    'requests',
    'usage',
    'batches',
    'keys',
    'packs',
    'engines',
    'network',
    'audit',
    'diagnostics',
    'about',
    'licences',
    'settings',
  ].map((name) => ({ name, address: name })),
  { name: 'rules', address: 'threats/rules', act: tableShown },
  { name: 'models', address: 'packs/models', act: tableShown },
  { name: 'palette', address: 'usage', act: (page) => page.keyboard.press('Control+k') },
  { name: 'shortcuts', address: 'usage', act: (page) => page.keyboard.press('?') },
  {
    name: 'documents-read',
    address: 'documents?sample=invoice',
    act: (page) => page.locator('[data-mark]').first().waitFor({ timeout: mostWaitMs }),
  },
  {
    name: 'redaction',
    address: 'documents?sample=invoice',
    act: async (page) => {
      await page.locator('[data-mark]').first().waitFor({ timeout: mostWaitMs });
      await page.getByRole('button', { name: /^(?:Redact|Hitamkan|遮盖)$/ }).click();
      await page.getByTestId('redaction-sheet').getByRole('img').waitFor({ timeout: mostWaitMs });
    },
  },
  {
    name: 'moderation-text',
    address: 'moderation',
    act: async (page) => {
      await page.getByRole('textbox').first().fill('Write to aina.binti@example.com about it.');
      await page.locator('mark').waitFor({ timeout: mostWaitMs });
    },
  },
  {
    name: 'anonymized',
    address: 'moderation',
    act: async (page) => {
      await page
        .getByRole('textbox')
        .first()
        .fill('Write to Aina binti Rahman, aina.binti@example.com, 012-345 6789.');
      await press(page, /^(?:Anonymize|Awanamakan|匿名化)$/);
      await page.locator('fieldset details').first().waitFor({ timeout: mostWaitMs });
      for (const place of await page.locator('fieldset details').all())
        await place.locator('summary').click({ position: { x: 4, y: 8 } });
    },
  },
  {
    name: 'images-answer',
    address: 'images',
    act: async (page) => {
      const buffer = await page.screenshot();
      await page
        .locator('main input[type=file]')
        .first()
        .setInputFiles({ name: 'screen.png', mimeType: 'image/png', buffer });
      await page.locator('main details').first().waitFor({ timeout: mostWaitMs });
    },
  },
  {
    name: 'key-form',
    address: 'keys',
    act: async (page) => {
      await press(page, createKey);
      await page.getByRole('dialog').locator('button[type=submit]').click();
    },
  },
  {
    name: 'key-secret',
    address: 'keys',
    act: async (page) => {
      await press(page, createKey);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').first().fill('Laptop');
      await dialog.locator('button[type=submit]').click();
      await page.locator('code').first().waitFor();
    },
  },
  { name: 'key-rotate', address: 'keys', act: (page) => press(page, /^(?:Rotate|Putar|轮换) /) },
  { name: 'key-revoke', address: 'keys', act: (page) => press(page, /^(?:Revoke|Batalkan|吊销) /) },
  {
    name: 'engine-form',
    address: 'engines',
    act: (page) => press(page, /^(?:Add engine|Tambah enjin|添加引擎)$/),
  },
  {
    name: 'threats-report',
    address: 'threats',
    act: async (page) => {
      await page.locator('main button').filter({ visible: true }).nth(0).click();
      await page.locator('main button').filter({ visible: true }).nth(2).click();
      await page
        .locator('main [role=tablist], main details, main table')
        .first()
        .waitFor({ timeout: mostWaitMs });
    },
  },
];

const { values } = parseArgs({
  options: {
    page: { type: 'string', multiple: true },
    scheme: { type: 'string', multiple: true, default: ['light', 'dark'] },
    width: { type: 'string', multiple: true, default: ['1024', '1440', '2560'] },
    language: { type: 'string', multiple: true, default: Object.keys(locales) },
  },
});

async function photograph(context: BrowserContext, lokal: Lokal, name: string): Promise<void> {
  const wanted = pages.filter((shot) => !values.page || values.page.includes(shot.name));
  for (const shot of wanted) {
    const page = await context.newPage();
    await page.goto(`${lokal.url}/#/${shot.address}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
    try {
      await shot.act?.(page);
    } catch (error) {
      console.error(`${shot.name}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    }
    await page.waitForTimeout(settleMs);
    await page.screenshot({ path: join(folder, `${shot.name}-${name}.png`) });
    await page.close({ runBeforeUnload: false });
  }
}

await ensureRenderer((line) => console.error(line));
mkdirSync(folder, { recursive: true });
const lokal = await startLokal();
const browser = await chromium.launch({ executablePath: findChromium() });
try {
  for (const language of values.language)
    for (const width of values.width)
      for (const scheme of values.scheme) {
        const context = await lokal.signIn(browser, {
          locale: locales[language as keyof typeof locales],
          colorScheme: scheme as 'light' | 'dark',
          viewport: { width: Number(width), height: heights[width] ?? 900 },
          reducedMotion: 'reduce',
        });
        await photograph(context, lokal, `${scheme}-${width}-${language}`);
        await context.close();
      }
} finally {
  await browser.close();
  await lokal.stop();
}
console.log(folder);
