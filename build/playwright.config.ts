import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { findChromium } from './check/chromium.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  testDir: path('../test/e2e'),
  outputDir: path('../test-results'),
  // A file is one worker's, with a server of its own: three use the cores that waiting leaves free.
  workers: 3,
  timeout: 120_000,
  // Hosts start and models load behind a click; a busy machine takes its time.
  expect: { timeout: 20_000 },
  globalTimeout: 1_080_000,
  // A second try, from a fresh server: the runner says "flaky" of what needed it.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    locale: 'en-GB',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findChromium() },
  },
});
