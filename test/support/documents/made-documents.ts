/** Small documents of every kind that is read, made on the spot: seeds for damage. */

import sharp from 'sharp';
import { drawForm } from './forms/form-maker.ts';
import { drawPdf, drawPicture } from './forms/surface.ts';
import type { FuzzSeed } from './fuzz.ts';
import { madeOfficeFiles } from './made-office.ts';
import { signedPdf } from './sign-pdf.ts';

const dotsPerInch = 60;

export async function madeDocuments(): Promise<FuzzSeed[]> {
  const form = await drawPdf((surface) => drawForm(surface, 1, 'en'));
  const picture = await drawPicture((surface) => drawForm(surface, 2, 'ms'), 'sans-serif', dotsPerInch);
  return [
    ...madeOfficeFiles(),
    { name: 'form.pdf', bytes: form },
    { name: 'signed.pdf', bytes: await signedPdf('Tan') },
    { name: 'form.png', bytes: picture },
    { name: 'form.jpg', bytes: await sharp(picture).jpeg().toBuffer() },
    { name: 'form.tiff', bytes: await sharp(picture).tiff({ compression: 'lzw' }).toBuffer() },
  ];
}
