/** `npm run licences`: writes THIRD-PARTY-NOTICES.txt, which the app, the console and `lokal licences` show. */
import { ensureNotices } from './licences/ensure-notices.ts';

console.log(`THIRD-PARTY-NOTICES.txt: ${ensureNotices() ?? 'as it came'} parts.`);
