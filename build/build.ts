/** `npm run build`: everything that an installer packs, in dist/. */
import { compileDesktop } from './start/desktop.ts';
import { ensureRenderer } from './start/renderer.ts';

await ensureRenderer((line) => console.error(line));
await compileDesktop();
