/** Marks above letters, from the ink of a drawn line. */

import { createCanvas } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import type { RgbImage } from '../../../../server/engine/vision/images.ts';
import { localTextModels } from '../../../../server/engine/vision/ocr/models/local-models.ts';
import { recognize } from '../../../../server/engine/vision/ocr/recognize.ts';
import { restoreMarks } from '../../../../server/engine/vision/ocr/restore-marks.ts';

function drawn(lines: string[]): RgbImage {
  const canvas = createCanvas(900, 40 + 60 * lines.length);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = 'black';
  context.font = '30px sans-serif';
  for (const [at, text] of lines.entries()) context.fillText(text, 40, 60 + 60 * at);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const rgb = new Uint8Array(3 * canvas.width * canvas.height);
  for (let at = 0; at < rgb.length / 3; at++)
    for (let channel = 0; channel < 3; channel++) rgb[3 * at + channel] = data[4 * at + channel]!;
  return { width: canvas.width, height: canvas.height, data: rgb };
}

async function read(...lines: string[]): Promise<string> {
  const image = drawn(lines);
  const found = restoreMarks(image, await recognize(image, await localTextModels()));
  return found.map(({ words }) => words.map(({ text }) => text).join(' ')).join('\n');
}

test('umlauts and the sharp s of German, which the alphabet lacks', async () => {
  const text = await read('Bäckerei Möhring', 'Marktstraße 22', 'Summe und MwSt', 'Vielen Dank für Besuch');
  expect(text).toContain('Möhring');
  expect(text).toContain('Marktstraße');
  expect(text).toContain('Bäckerei');
});

test('letters of Spanish and Swedish, each with the marks of its language', async () => {
  expect(await read('Peluquería Muñoz', 'Factura', 'importe', 'fecha y cuota', 'gracias')).toContain('Muñoz');
  expect(await read('Höganäs Mjölnare', 'Kvitto', 'summa att betala', 'moms')).toContain('Mjölnare');
});

test('nothing is marked on a page of another language, however it is dotted', async () => {
  const text = await read('Bäckerei Möhring', 'Total amount', 'Thank you', 'Cash and change');
  expect(text).toContain('Mohring');
});
