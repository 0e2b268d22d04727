import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The running server behind `npx vite -c build/vite.config.ts`; only for work on the interface. */
const server = process.env.LOKAL_URL ?? 'http://127.0.0.1:8787';

export default defineConfig({
  root: fileURLToPath(new URL('../renderer', import.meta.url)),
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../dist/renderer', import.meta.url)),
    emptyOutDir: true,
    // Inlined assets are data: URLs, which the page's content security policy refuses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
    // One file of what the frame and most pages share: left alone it is some fifty, and asking for them takes longer than
    // reading them.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', minShareCount: 3 },
            { name: 'shared', minShareCount: 2, test: /@tabler|renderer\/src\/(components|api|work)\// },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': server, '/console': server, '/openapi.json': server, '/docs': server } },
});
