/** Scope of an address or name: public, or one of the ranges nobody should block. */
import ipaddr from 'ipaddr.js';

/** RFC 5737 and RFC 3849 documentation ranges, which ipaddr.js calls reserved. */
const DOCUMENTATION = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'].map((range) =>
  ipaddr.parseCIDR(range),
);

export function addressScope(text: string): string {
  const address = ipaddr.process(text);
  for (const range of DOCUMENTATION) {
    if (range[0].kind() === address.kind() && address.match(range as [ipaddr.IPv4, number]))
      return 'documentation';
  }
  const range = address.range();
  if (range === 'unicast') return 'public';
  if (range === 'uniqueLocal') return 'private';
  return range === 'carrierGradeNat' ? 'shared' : range;
}

const WELL_KNOWN = new Set(
  'microsoft.com windows.com windowsupdate.com office.com office365.com microsoftonline.com live.com azure.com google.com googleapis.com gstatic.com github.com githubusercontent.com apple.com icloud.com mozilla.org mozilla.com ubuntu.com debian.org redhat.com fedoraproject.org centos.org kernel.org w3.org xmlsoap.org amazonaws.com amazon.com cloudflare.com akamai.net digicert.com letsencrypt.org verisign.com openstreetmap.org wikipedia.org mitre.org cve.org nist.gov apache.org nginx.org docker.com kubernetes.io k8s.io python.org npmjs.com facebook.com youtube.com linkedin.com bing.com'.split(
    ' ',
  ),
);
const RESERVED_NAMES = new Set(['example.com', 'example.net', 'example.org']);

export function domainScope(registrable: string): string {
  if (RESERVED_NAMES.has(registrable)) return 'documentation';
  return WELL_KNOWN.has(registrable) ? 'well-known' : 'public';
}
