/** Claims of a client that the server alone may make: a token nobody signed, rights of its own account, a form of another site. */
import { getDomain } from 'tldts';
import type { WebRequest } from '../request/web-request.ts';
import type { Forged, WebKnowledge } from '../web-knowledge.ts';

/** The head of a token, before its content. */
const TOKEN_HEAD = /(?<![\w-])(ey[\w-]{10,400})\.ey[\w-]{4}/gu;
const MAX_TOKENS = 8;
const UNSIGNED = /"alg"\s{0,4}:\s{0,4}"none"/iu;

export function hasUnsignedToken({ values, headers }: WebRequest, { tokenFields }: WebKnowledge): boolean {
  const held = values.filter(
    ({ place, name }) => place === 'cookie' || (place === 'value' && tokenFields?.test(name) === true),
  );
  const texts = [headers.get('authorization') ?? '', ...held.map(({ raw }) => raw)].filter((text) =>
    text.includes('ey'),
  );
  let looked = 0;
  for (const text of texts)
    for (const [, head = ''] of text.matchAll(TOKEN_HEAD)) {
      if (UNSIGNED.test(Buffer.from(head, 'base64url').toString('latin1'))) return true;
      looked += 1;
      if (looked >= MAX_TOKENS) return false;
    }
  return false;
}

const CHANGING = /^(?:POST|PUT|PATCH)$/u;

/** Changes with a field that no honest client sends there. */
export const forgedChanges = ({ method, uri, body }: WebRequest, { forged }: WebKnowledge): Forged[] =>
  CHANGING.test(method)
    ? forged.filter(
        ({ path, fields }) => path.test(uri.split('?')[0] as string) && fields.test(body.slice(0, 16_384)),
      )
    : [];

/** Led to another host by a name before an at sign, by a backslash, or by a name that goes on behind the house's own. */
export function leadsAway({ values, event }: WebRequest, { redirects }: WebKnowledge): boolean {
  const host = event.fields.get('cs-host')?.[0]?.toLowerCase().replace(/:\d+$/u, '');
  return values.some(
    ({ place, name, plain }) =>
      place === 'value' &&
      redirects?.test(name) === true &&
      (/^https?:\/\/[^/?#\s]{1,255}@|^\/?\\/u.test(plain) ||
        (host?.includes('.') === true && plain.replace(/^https?:\/\//u, '').startsWith(`${host}.`))),
  );
}

/** A link to reset a password asked for under the name of another site. */
export function namesOtherSite(
  { uri, event, headers }: WebRequest,
  { innerHosts, resets }: WebKnowledge,
): boolean {
  const host = event.fields.get('cs-host')?.[0];
  const other = headers.get('x-forwarded-host');
  return (
    host !== undefined &&
    other !== undefined &&
    resets?.test(uri.split('?')[0] as string) === true &&
    innerHosts?.test(host) !== true &&
    other.split(',', 16).some((each) => siteOf(each.trim()) !== siteOf(host))
  );
}

/** The name that somebody registered: `bank.com.my` of `www.bank.com.my`. */
function siteOf(host: string): string {
  const name = host.toLowerCase().replace(/:\d+$/u, '');
  return getDomain(name) ?? name;
}

/** JSON that a page of another site sends as plain text, so that the browser asks no leave, with the cookie of the one who reads it. */
export function isCrossSite({ method, event, headers, contentType, body }: WebRequest): boolean {
  const from = /^https?:\/\/([^/]{1,255})/iu.exec(headers.get('origin') ?? '')?.[1];
  const host = event.fields.get('cs-host')?.[0];
  return (
    CHANGING.test(method) &&
    from !== undefined &&
    host !== undefined &&
    siteOf(from) !== siteOf(host) &&
    event.fields.has('cs-cookie') &&
    contentType.startsWith('text/plain') &&
    /^\s*\{\s*"/u.test(body)
  );
}
