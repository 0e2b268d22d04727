/**
 * Ollama's clients send no key. Where the settings name one, a request from this machine that carries none counts as that key's,
 * with its scopes, limits and usage. Pages of the web are refused: a browser names them, and every site could ask otherwise.
 */
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../config.ts';
import { ApiError } from '../../errors.ts';
import type { SettingsService } from '../../services/console/settings.ts';
import type { KeyDirectory, KnownKey } from '../../services/keys/key-directory.ts';

/** @throws ApiError missing_api_key while no key is named, ip_not_allowed, host_not_allowed, and what the directory refuses */
export function checkKeyless(
  { headers, socket }: FastifyRequest,
  { keys, settings }: { keys: KeyDirectory; settings: Pick<SettingsService, 'get'> },
): KnownKey {
  const { ollama_key: id, cors_origins: origins } = settings.get();
  if (id === null) {
    const message =
      'Ollama’s protocol is off here: name the key that its clients count as in the settings, or send one.';
    throw new ApiError('missing_api_key', message);
  }
  const address = socket.remoteAddress ?? '';
  if (!isLoopback(address.replace(/^::ffff:/i, ''))) {
    throw new ApiError('ip_not_allowed', 'Without a key, Ollama’s protocol is for this machine alone.');
  }
  const { origin, 'sec-fetch-site': site } = headers;
  const isPage = origin !== undefined || (site !== undefined && site !== 'none');
  if (isPage && !(origin !== undefined && origins.includes(origin))) {
    throw new ApiError('host_not_allowed', 'Pages of the web may not use Ollama’s protocol without a key.');
  }
  const key = keys.admitById(id, address);
  keys.touch(key);
  return key;
}
