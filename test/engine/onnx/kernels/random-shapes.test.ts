import { describe, expect, it } from 'vitest';
import { servingFamilies } from '../../../support/chat/serving-families.ts';
import { checkKernels } from '../../../support/onnx/check-kernels.ts';

describe.each(await servingFamilies())('kernels for %s', (family) => {
  it('give what plain numbers give, whatever the shape, and the same for a row alone', async () => {
    expect((await checkKernels(family, 60, 7)).wrong).toEqual([]);
  }, 300_000);
});
