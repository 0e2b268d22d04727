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

/** Below it an address only passed by, such as a visitor of a web server on no line of a finding. */
const PASSING = 0.4;
/** From it a file or a link of a reserved range lies on the lines of a finding. */
const FOUND = 0.8;

/**
 * Addresses of the outside, links, domains and hashes, and files that an intruder laid down; not private addresses, who only
 * passed by, accounts, other paths and names of programs.
 */
export const isWorthFollowing = ({
  type,
  scope,
  confidence,
}: {
  type: string;
  scope: string;
  confidence: number;
}): boolean => {
  if (type === 'file_path') return scope === 'public' && confidence >= FOUND;
  if (!followable.has(type)) return false;
  if (scope === 'reserved') return type === 'url' && confidence >= FOUND;
  return (scope === 'public' || scope === 'documentation') && confidence >= PASSING;
};
