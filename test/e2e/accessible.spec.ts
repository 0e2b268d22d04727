/** Every page, in both color schemes, and in three languages: no grave finding of axe, and nothing wider than the window. */
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { type Lokal, startLokal } from './support/lokal.ts';
import { pageAddresses } from './support/page-addresses.ts';

/** Narrower than any window should be, and the narrowest that is supported. */
const widths = [800, 1024];

let lokal: Lokal;

test.beforeAll(async () => {
  lokal = await startLokal();
});
test.afterAll(async () => {
  await lokal.stop();
});

const locales = ['en-GB', 'ms-MY', 'zh-CN'];

for (const locale of locales)
  test(`every page stands up to axe and to narrow windows in ${locale}`, async ({ browser }) => {
    test.setTimeout(300_000);
    const context = await lokal.signIn(browser, { locale, reducedMotion: 'reduce' });
    const page = await context.newPage();
    // Not the first of the addresses: going where one is changes no title.
    await page.goto(`${lokal.url}/#/about`);
    for (const address of pageAddresses)
      await test.step(address, async () => {
        await goTo(page, address);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 700 });
          expect(await overflowOf(page), `${address} at ${width}`).toBe(0);
        }
        await expectAccessible(page, ['light', 'dark']);
      });
    await context.close();
  });

/** By the address alone: nothing is loaded anew. */
async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => {
    document.title = '';
    location.hash = hash;
  }, `#/${address}`);
  await expect(page).toHaveTitle(/ · Lokal$/);
  await expect(page.locator('h1').filter({ visible: true })).toHaveCount(1);
  // The list of rules waits for a host that starts.
  const waiting = page.locator('[aria-busy=true], .mantine-Loader-root').filter({ visible: true });
  await expect(waiting).toHaveCount(0, { timeout: 60_000 });
}

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const main = document.querySelector('main') as HTMLElement;
    return main.scrollWidth - main.clientWidth;
  });
