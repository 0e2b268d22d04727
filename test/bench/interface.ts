/** The interface in a real Chromium: how soon its first heading stands, and what its memory comes to over many visits. */
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import { findChromium } from '../../build/check/chromium.ts';
import { ensureRenderer } from '../../build/start/renderer.ts';
import { startLokal } from '../e2e/support/lokal.ts';
import { pageAddresses } from '../e2e/support/page-addresses.ts';
import { median, progress, rounded } from './measure.ts';
import type { BenchOptions } from './run.ts';

const loads = 5;
const usualRounds = 6;
/** A long run is not to end because the machine was busy for a while. */
const pageWaitMs = 60_000;
/** Until then, pages and their caches are filled for the first time. */
const warmRounds = 3;

interface Memory {
  heapMb: number;
  nodes: number;
}

export async function run({ quick, minutes }: BenchOptions): Promise<object> {
  await ensureRenderer(progress);
  const lokal = await startLokal();
  const browser = await chromium.launch({ executablePath: findChromium() });
  try {
    const context = await lokal.signIn(browser, { locale: 'en-GB', viewport: { width: 1440, height: 900 } });
    const measured: { ms: number; kb: number }[] = [];
    for (let load = 0; load < (quick ? 1 : loads); load += 1)
      measured.push(await loadOnce(context, `${lokal.url}/#/usage`));
    progress(`loads: ${measured.map(({ ms }) => Math.round(ms)).join(', ')} ms`);
    const memory = await visitAll(context, lokal.url, { quick, ...(minutes && { minutes }) });
    return {
      load_ms: Math.round(median(measured.map(({ ms }) => ms))),
      transfer_kb: Math.round(median(measured.map(({ kb }) => kb))),
      ...memory,
    };
  } finally {
    await browser.close();
    await lokal.stop();
  }
}

/** With an empty cache, as a first visit is. */
async function loadOnce(context: BrowserContext, url: string): Promise<{ ms: number; kb: number }> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('h1').first().waitFor();
  const ms = await page.evaluate(() => performance.now());
  const kb = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize / 1024, 0),
  );
  await page.close();
  return { ms, kb };
}

async function visitAll(
  context: BrowserContext,
  url: string,
  { quick, minutes }: { quick: boolean; minutes?: number },
): Promise<object> {
  const page = await context.newPage();
  await page.goto(url);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  const end = performance.now() + (minutes ?? 0) * 60_000;
  const rounds: Memory[] = [];
  const more = () =>
    minutes === undefined ? rounds.length < (quick ? 1 : usualRounds) : performance.now() < end;
  while (more()) {
    await visitOnce(page, rounds.length);
    rounds.push(await memoryOf(session));
    const { heapMb, nodes } = rounds.at(-1)!;
    progress(`round ${rounds.length}: ${heapMb.toFixed(1)} MB, ${nodes} nodes`);
  }
  await page.close();
  const last = rounds.at(-1)!;
  const warm = rounds[Math.min(warmRounds, rounds.length) - 1]!;
  return {
    rounds: rounds.length,
    heap_mb: rounded(last.heapMb),
    growth_mb: rounded(last.heapMb - warm.heapMb),
    nodes: last.nodes,
  };
}

/** Every page, and a text on those that take one: each round leaves new work behind. */
async function visitOnce(page: Page, round: number): Promise<void> {
  for (const address of pageAddresses) {
    await page.evaluate((hash) => {
      document.title = '';
      location.hash = hash;
    }, `#/${address}`);
    await page.waitForFunction(() => document.title !== '', undefined, { timeout: pageWaitMs });
    if (address !== 'moderation' && address !== 'threats') continue;
    await page.locator('main').focus();
    await page.keyboard.press('n');
    const field = page.locator('main textarea').filter({ visible: true }).first();
    await field.fill(
      `Round ${round}: Nov 12 10:11:12 host sshd[1]: Failed password for root from 203.0.113.7`,
    );
  }
}

async function memoryOf(session: CDPSession): Promise<Memory> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const figure = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heapMb: figure('JSHeapUsedSize') / 2 ** 20, nodes: figure('Nodes') };
}
