import { describe, expect, test } from 'vitest';
import { pdfDate } from '../../../server/engine/documents/signing/signature-dictionaries.ts';
import { signedPdf } from '../../support/documents/sign-pdf.ts';
import { parse } from './helpers.ts';

describe('digital signatures', () => {
  test('who signed which field, when, and that nothing changed since', async () => {
    const bytes = await signedPdf('Aminah binti Osman');
    const { signatures } = await parse(bytes);
    expect(signatures).toMatchObject([
      {
        kind: 'digital',
        label: 'Director',
        signed: true,
        signer: 'Aminah binti Osman',
        signedAt: '2026-03-14T07:30:12Z',
        integrity: 'intact',
        confidence: 1,
      },
      { label: 'Witness', signed: false, confidence: 1 },
    ]);
    expect(signatures[1]).not.toHaveProperty('integrity');
  });

  test('a byte changed in what was signed', async () => {
    const bytes = Buffer.from(await signedPdf('Tan'));
    bytes.write('595 841', bytes.indexOf('595 842'), 'latin1');
    const { signatures } = await parse(bytes);
    expect(signatures[0]).toMatchObject({ signed: true, signer: 'Tan', integrity: 'altered' });
  });

  test('something added behind what was signed', async () => {
    const bytes = Buffer.concat([await signedPdf('Tan'), Buffer.from('7 0 obj\n<</Later true>>\nendobj\n')]);
    const { signatures } = await parse(bytes);
    expect(signatures[0]).toMatchObject({ signer: 'Tan', integrity: 'extended' });
  });

  test('a signature that is no CMS message', async () => {
    const text = Buffer.from(await signedPdf('Tan')).toString('latin1');
    const bytes = Buffer.from(
      text.replace(/\/Contents<[0-9a-f]{64}/, `/Contents<${'5a'.repeat(32)}`),
      'latin1',
    );
    const { signatures } = await parse(bytes);
    expect(signatures[0]).toMatchObject({ signed: true, integrity: 'unknown' });
  });

  test.each([
    ["D:20260314153012+08'00'", '2026-03-14T07:30:12Z'],
    ['D:20181217122933Z', '2018-12-17T12:29:33Z'],
    ['D:2018', '2018-01-01T00:00:00Z'],
    ['D:20189917', null],
    ['yesterday', null],
  ])('date %s', (text, iso) => {
    expect(pdfDate(text)).toBe(iso);
  });
});
