/** The indicators that an analyst follows up; one rule for the summary and the interface. */

const followable: ReadonlySet<string> = new Set([
  'ip',
  'domain',
  'url',
  'email',
  'md5',
  'sha1',
  'sha256',
  'cve',
  'bitcoin',
]);

/** Addresses of the outside, links, domains and hashes; not private addresses, accounts, paths and names of programs. */
export const isWorthFollowing = ({ type, scope }: { type: string; scope: string }): boolean =>
  followable.has(type) && (scope === 'public' || scope === 'documentation');
