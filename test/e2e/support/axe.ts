import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const schemes = ['light', 'dark'] as const;
type Scheme = (typeof schemes)[number];

/** Longer than one look takes on a machine that is busy with other things. */
const settleMs = 45_000;

/** No serious or critical finding of axe on the page as it stands, in light and in dark. */
export async function expectAccessible(page: Page, colorSchemes: readonly Scheme[] = schemes): Promise<void> {
  for (const [index, scheme] of colorSchemes.entries()) {
    await page.emulateMedia({ colorScheme: scheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
    // A menu on its way out is empty for a moment: what counts is what stays.
    await expect(async () => {
      expect(await graveFindings(page, index > 0)).toEqual([]);
    }, scheme).toPass({ timeout: settleMs });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** @param colorsOnly the page was looked at before, in other colors: nothing else of it has changed */
async function graveFindings(page: Page, colorsOnly: boolean): Promise<string[]> {
  // Colors in transition would be measured half way. Some animations never end: of running work, of pages that are hidden.
  await page.evaluate(() =>
    Promise.race([
      Promise.allSettled(document.getAnimations().map((animation) => animation.finished)),
      new Promise((resolve) => setTimeout(resolve, 500)),
    ]),
  );
  // There are no frames in the page, and of what holds no report is made.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (colorsOnly ? axe.withRules('color-contrast') : axe).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
