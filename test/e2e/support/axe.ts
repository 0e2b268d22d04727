import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const schemes = ['light', 'dark'] as const;

/** No serious or critical finding of axe on the page as it stands, in light and in dark. */
export async function expectAccessible(page: Page, colorSchemes = schemes.slice()): Promise<void> {
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    // Colors in transition would be measured half way. Some animations never end: of running work, of pages that are hidden.
    await page.evaluate(() =>
      Promise.race([
        Promise.allSettled(document.getAnimations().map((animation) => animation.finished)),
        new Promise((resolve) => setTimeout(resolve, 2000)),
      ]),
    );
    // A menu on its way out is empty for a moment: what counts is what stays.
    await expect(async () => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      const told = grave.map(
        ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      );
      expect(told).toEqual([]);
    }).toPass({ timeout: 45_000 });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
