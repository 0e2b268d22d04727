import { expect, it } from 'vitest';
import { readConfig } from '../server/config.ts';

it.each<[env: NodeJS.ProcessEnv, allowed: boolean]>([
  [{}, true],
  [{ LOKAL_CUSTOM_KERNELS: 'off' }, false],
  [{ LOKAL_CUSTOM_KERNELS: '0' }, false],
  // Its name until 0.2, where the new one is not given.
  [{ LOKAL_OWN_PRODUCTS: 'off' }, false],
  [{ LOKAL_OWN_PRODUCTS: 'off', LOKAL_CUSTOM_KERNELS: 'on' }, true],
])('custom kernels under %j: %s', (env, allowed) => {
  const { customKernels, hostEnv } = readConfig({}, env);
  expect(customKernels).toBe(allowed);
  expect(Object.keys(hostEnv).filter((name) => name.startsWith('LOKAL_'))).toEqual([]);
});

it('names the variable that is wrong', () => {
  expect(() => readConfig({}, { LOKAL_PORT: 'x' })).toThrow('LOKAL_PORT must be');
});
