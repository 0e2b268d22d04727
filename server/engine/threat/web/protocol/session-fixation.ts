/** Session fixation: an id that travels in the address rather than in a cookie. */
import type { WebRequest } from '../request/web-request.ts';

/** Names that only session ids have. */
const STRICT_SESSION_NAME =
  /^(?:jsessionid|phpsessid|asp(?:\.net_)?sessionid\w{0,24}|aspsessionid\w{0,24}|cfid|cftoken|connect\.sid|zend_session_id|laravel_session)$/iu;

const SESSION_NAME =
  /^(?:j?sessionid|phpsessid|php_session_id|asp(?:\.net_?)?session\w{0,24}|asp\.net_sessionid|sid|session_?id|[\w-]{1,24}_session(?:_id)?|connect\.sid|sails\.sid|cf(?:id|token)|zend_session_id|weblogicsession|jservsession\w{0,8}|jwsession|pmid|usersession|viewstate|webmail_session|(?:[\w.:-]{0,32}[._:-])?sess(?:ion)?(?:[._:-]?(?:id|token|key))?|php_?session|[\w-]{1,24}[._-](?:session|login|auth)[._-]?token|cfsid|(?:cake|shiny|flask|django|express)[\w.-]{0,16})$/iu;

/** A session id handed over by a link from elsewhere is how fixation begins. */
export function isForeignSession(request: WebRequest): boolean {
  const referer = request.event.fields.get('cs-referer')?.[0] ?? '';
  const host = request.event.fields.get('cs-host')?.[0] ?? '';
  const from = /^https?:\/\/([^/:?#]{1,255})/iu.exec(referer)?.[1]?.toLowerCase();
  if (from === undefined || host === '' || from === host.split(':')[0]?.toLowerCase()) return false;
  if (/;jsessionid=/iu.test(request.uri)) return true;
  return request.values.some(
    (value) => (value.place === 'value' || value.place === 'body') && SESSION_NAME.test(value.name),
  );
}

/** A session id in the address of a request that follows no link, where the log would show the link. */
export function isLooseSession(request: WebRequest): boolean {
  if (request.headers.size === 0 || request.event.fields.has('cs-referer')) return false;
  return request.values.some((value) => value.place === 'name' && STRICT_SESSION_NAME.test(value.decoded));
}
