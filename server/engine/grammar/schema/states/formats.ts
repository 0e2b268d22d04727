/** `format` as patterns: what RFC 3339, 5321, 9562 and their kin allow, a little narrower where a pattern cannot be exact. */

const year = '[0-9]{4}';
const month = '(0[1-9]|1[0-2])';
/** Up to 28 in every month; 29 to 31 where the month has them, 29 February left out. */
const date = `${year}-(${month}-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)`;
const time = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])';
const byte = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const label = '[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const host = `${label}(\\.${label}){0,8}`;
const group = '[0-9a-fA-F]{1,4}';
const path = "[a-zA-Z0-9._~!$&'()*+,;=:@/-]*";
const query = "(\\?[a-zA-Z0-9._~!$&'()*+,;=:@/?-]*)?(#[a-zA-Z0-9._~!$&'()*+,;=:@/?-]*)?";

export const formatPatterns: Record<string, string> = {
  date: `^${date}$`,
  time: `^${time}$`,
  'date-time': `^${date}T${time}$`,
  duration:
    '^P([0-9]{1,9}W|([0-9]{1,9}Y([0-9]{1,9}M([0-9]{1,9}D)?)?|[0-9]{1,9}M([0-9]{1,9}D)?|[0-9]{1,9}D)(T([0-9]{1,9}H([0-9]{1,9}M([0-9]{1,9}S)?)?|[0-9]{1,9}M([0-9]{1,9}S)?|[0-9]{1,9}S))?|T([0-9]{1,9}H([0-9]{1,9}M([0-9]{1,9}S)?)?|[0-9]{1,9}M([0-9]{1,9}S)?|[0-9]{1,9}S))$',
  email: `^[a-zA-Z0-9!#$%&'*+/=?^_\`{|}~-]{1,32}(\\.[a-zA-Z0-9!#$%&'*+/=?^_\`{|}~-]{1,30})?@${host}$`,
  hostname: `^${host}$`,
  ipv4: `^${byte}(\\.${byte}){3}$`,
  ipv6: `^(${group}(:${group}){7}|::(${group}(:${group}){0,6})?|${group}::(${group}(:${group}){0,5})?|${group}(:${group}){1,6}::)$`,
  uuid: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  uri: `^[a-zA-Z][a-zA-Z0-9+.-]*:(//${host}(:[0-9]{1,5})?(/${path})?|[a-zA-Z0-9._~@-]${path})${query}$`,
  'uri-reference': `^(/?[a-zA-Z0-9._~-]${path.replace(':', '')})?${query}$`,
  'json-pointer': '^(/([^~/]|~[01])*)*$',
};
formatPatterns['idn-email'] = formatPatterns.email!;
formatPatterns['idn-hostname'] = formatPatterns.hostname!;
formatPatterns.iri = formatPatterns.uri!;
