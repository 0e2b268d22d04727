import type { APIResponse, BrowserContext } from '@playwright/test';
import { secretHeader } from '../../../server/api/console/secret.ts';

/** A host may have to start first. */
const longestMs = 60_000;

/** A console request as the page makes it: with the context's cookie and the secret that the page keeps for this origin. */
export async function consoleCall(
  context: BrowserContext,
  url: string,
  options: { method?: string; data?: unknown } = {},
): Promise<APIResponse> {
  const { origin } = new URL(url);
  const { origins } = await context.storageState();
  const kept = origins.find((each) => each.origin === origin)?.localStorage ?? [];
  const secret = kept.find(({ name }) => name === 'lokal.console')?.value ?? '';
  return context.request.fetch(url, { timeout: longestMs, ...options, headers: { [secretHeader]: secret } });
}
