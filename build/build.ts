/** `npm run build`: everything that an installer packs, in dist/. */

import { ensureNotices } from './licences/ensure-notices.ts';
import { compileDesktop } from './start/desktop.ts';
import { ensureRenderer } from './start/renderer.ts';

ensureNotices();
await ensureRenderer((line) => console.error(line));
await compileDesktop();
