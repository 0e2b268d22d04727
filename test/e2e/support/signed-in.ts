import type { Browser, BrowserContext, Page } from '@playwright/test';
import { startLokal } from './lokal.ts';

export interface SignedIn {
  page: Page;
  close(): Promise<void>;
}

/** A page, e.g. `/documents`, of a Lokal of its own, for the tests of a file that go on from each other. */
export async function openSignedIn(browser: Browser, path: string): Promise<SignedIn> {
  const lokal = await startLokal();
  let context: BrowserContext | undefined;
  const close = async () => {
    await context?.close();
    await lokal.stop();
  };
  try {
    context = await lokal.signIn(browser, { viewport: { width: 1280, height: 800 }, acceptDownloads: true });
    const page = await context.newPage();
    await page.goto(`${lokal.url}/#${path}`);
    return { page, close };
  } catch (error) {
    await close();
    throw error;
  }
}
