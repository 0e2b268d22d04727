import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/interop/**', 'test/soak/**', '**/node_modules/**'],
    // onnxruntime's own binding, which some tests compare with, reports to its maker unless told not to.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    globalSetup: new URL('check/temporary-folder.ts', import.meta.url).pathname,
    pool: 'forks',
    // One more than the smallest machine's cores: files that wait for processes and timers leave some of them free.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
