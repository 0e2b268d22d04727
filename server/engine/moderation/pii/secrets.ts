import { fromRules } from './match.ts';

/** Random-looking enough for a secret: letters and digits mixed, few repeats. */
function looksRandom(found: string): boolean {
  return /\d/.test(found) && /[a-z]/i.test(found) && new Set(found).size >= Math.min(10, found.length / 2);
}

/** Keys whose prefix names the issuer, private key blocks, and values that a name before them calls secret. */
export const findSecrets = fromRules([
  {
    kind: 'api_key',
    pattern: /\bsk-(?:svc-(?:live|test)-|proj-|ant-)?[A-Za-z\d_-]{20,200}\b/dg,
    score: 0.95,
    valid: looksRandom,
  },
  { kind: 'api_key', pattern: /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/dg, score: 0.95 },
  { kind: 'api_key', pattern: /\b(?:ghp|gho|ghs|ghu|github_pat)_[A-Za-z\d_]{30,90}\b/dg, score: 0.97 },
  { kind: 'api_key', pattern: /\bxox[abprs]-[A-Za-z\d-]{10,80}\b/dg, score: 0.95 },
  { kind: 'api_key', pattern: /\bAIza[\w-]{35}\b/dg, score: 0.95 },
  { kind: 'api_key', pattern: /\beyJ[\w-]{10,400}\.eyJ[\w-]{10,2000}\.[\w-]{10,800}/dg, score: 0.9 },
  { kind: 'api_key', pattern: /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY-----/dg, score: 0.99 },
  {
    kind: 'api_key',
    pattern:
      /\b(?:api[_ -]?key|secret|access[_ -]?token|auth[_ -]?token|client[_ -]?secret)\b["']?\s{0,3}[:=]\s{0,3}["']?(?<value>[\w+/=-]{16,200})/dgi,
    score: 0.85,
    valid: looksRandom,
    group: 'value',
  },
  {
    kind: 'api_key',
    pattern:
      /(?:\b(?:password|passwd|pwd|kata laluan|katalaluan)|密码)(?: is| ialah|是)?\s{0,3}[:=：]?\s{0,3}(?<value>(?=[^\s]{0,40}\d)(?=[^\s]{0,40}[A-Za-z])[^\s"'<>，。]{6,40})/dgi,
    score: 0.7,
    group: 'value',
  },
]);
