import { describe, expect, it } from 'vitest';
import { createSecret, isWellFormed, visiblePrefix } from '../../../server/services/keys/secret.ts';

describe('secrets', () => {
  it('have the class, 43 random characters and a checksum', () => {
    expect(createSecret('live')).toMatch(/^sk-svc-live-[0-9A-Za-z]{49}$/);
    expect(createSecret('test')).toMatch(/^sk-svc-test-[0-9A-Za-z]{49}$/);
    expect(new Set(Array.from({ length: 100 }, () => createSecret('live'))).size).toBe(100);
  });

  it('are well formed, and not with any one character changed', () => {
    const secret = createSecret('live');
    expect(isWellFormed(secret)).toBe(true);
    for (let at = 12; at < secret.length; at++) {
      const other = secret[at] === 'a' ? 'b' : 'a';
      expect(isWellFormed(secret.slice(0, at) + other + secret.slice(at + 1)), `character ${at}`).toBe(false);
    }
  });

  it('are not well formed with two neighbours swapped or another class', () => {
    const secret = createSecret('live');
    const [a, b] = [secret[20]!, secret[21]!];
    if (a !== b) expect(isWellFormed(secret.slice(0, 20) + b + a + secret.slice(22))).toBe(false);
    expect(isWellFormed(secret.replace('live', 'test'))).toBe(false);
    expect(isWellFormed('')).toBe(false);
    expect(isWellFormed(`${secret}\n`)).toBe(false);
  });

  it('show their class and four characters', () => {
    const secret = createSecret('live');
    expect(visiblePrefix(secret)).toBe(secret.slice(0, 16));
  });
});
