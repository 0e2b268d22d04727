/** Headers whose grammar real clients keep and hostile ones break. */
import type { WebRequest } from '../request/web-request.ts';

const QUALITY = String.raw`(?:\s?;\s?[\w-]{1,24}=(?:"[\w -]{0,40}"|[\w.+-]{0,40})){0,4}`;
const listOf = (item: string) => new RegExp(`^\\s*${item}(?:\\s?,\\s?${item})*\\s*$`, 'iu');
/** Grammar of RFC 9110 and 9111, as strictly as real clients follow it. */
const NEGOTIATION: Readonly<Record<string, RegExp>> = {
  accept: listOf(
    String.raw`(?:[\w.+*-]{1,64}\/[\w.+*-]{1,64}|\*)(?:\s?;\s?(?:q|v|level|version|profile|application|d|s|charset)=?[\w."+\/: -]{0,80}){0,4}`,
  ),
  'accept-encoding': listOf(String.raw`(?:[a-z][\w-]{1,15}|\*)${QUALITY}`),
  'cache-control': listOf(
    String.raw`(?:no-cache|no-store|no-transform|only-if-cached|must-revalidate|(?:max-age|min-fresh|stale-if-error|stale-while-revalidate)=\d{1,10}|max-stale(?:=\d{1,10})?)`,
  ),
  range: /^(?:bytes=)?(?:\d{0,18}-\d{0,18})(?:,\s?\d{0,18}-\d{0,18}){0,20}$/iu,
};

export function isMalformedNegotiation({ headers }: WebRequest): boolean {
  return Object.entries(NEGOTIATION).some(([name, pattern]) => {
    const value = headers.get(name) ?? '';
    return value !== '' && !pattern.test(value);
  });
}

/** Headers that are there but say nothing, or contradict themselves; only where the log holds headers at all. */
export function isOddHeaderSet({ headers, event }: WebRequest): boolean {
  if (headers.size === 0) return false;
  const emptied = ['cs-host', 'c-useragent'].some((name) => event.fields.get(name)?.[0] === '');
  const connection = (headers.get('connection') ?? '').toLowerCase();
  const torn = connection.includes('keep-alive') && connection.includes('close');
  const oldVersion = /^http\/(?!1\.[01]$|2(?:\.0)?$|3(?:\.0)?$)/iu.test(
    event.fields.get('cs-version')?.[0] ?? '',
  );
  const twice =
    /^(keep-alive|close)\s?,\s?\1$/u.test(connection) || (headers.get('accept-encoding') ?? '').length > 100;
  return emptied || torn || twice || oldVersion;
}
