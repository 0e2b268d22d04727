import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { limitedTo } from './limited-processor.ts';

const env = await limitedTo('avx2');

test.skipIf(!env)('a limited process sees AVX2 and neither AVX-512 nor AVX-VNNI', () => {
  const asked = execFileSync('cc', ['-march=native', '-Q', '--help=target'], { env: env!, encoding: 'utf8' });
  const stateOf = (option: string) =>
    new RegExp(String.raw`^\s+-m${option}\s+\[(\w+)\]`, 'm').exec(asked)?.[1];
  expect(['avx2', 'avx512f', 'avx512vnni', 'avxvnni', 'amx-tile'].map(stateOf)).toEqual([
    'enabled',
    ...Array(4).fill('disabled'),
  ]);
});
