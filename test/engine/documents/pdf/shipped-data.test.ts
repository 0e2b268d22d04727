import { expect, test } from 'vitest';
import { ShippedData } from '../../../../server/engine/documents/pdf/shipped-data.ts';

test('a shipped font is the same each time, in bytes of the caller’s own', async () => {
  const request = { kind: 'standardFontDataUrl', filename: 'FoxitFixed.pfb' };
  const first = await new ShippedData().fetch(request);
  const expected = first.slice();
  first.fill(0);
  expect(await new ShippedData().fetch(request)).toEqual(expected);
});

test('a file that is not there is said so each time', async () => {
  const request = { kind: 'cMapUrl', filename: 'nothing.bcmap' };
  for (let time = 0; time < 2; time++)
    await expect(new ShippedData().fetch(request)).rejects.toThrow('ENOENT');
});
