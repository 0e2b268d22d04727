/**
 * Reads the drawn lines with the recognizer that ships and writes what lies between their characters, for train.py.
 *
 * usage: node featurise.ts FOLDER GAPS.json    (FOLDER: written by render.py)
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { readCharacters } from '../../../server/engine/vision/ocr/ctc.ts';
import { cropLine } from '../../../server/engine/vision/ocr/line-crop.ts';
import { measureInk } from '../../../server/engine/vision/ocr/line-ink.ts';
import { localTextModels } from '../../../server/engine/vision/ocr/models/local-models.ts';
import { gapsOf } from '../../../server/engine/vision/ocr/spacing.ts';

const [folder, target] = process.argv.slice(2) as [string, string];
const models = await localTextModels();
const height = models.cropHeightPx;

async function readCrop(file: string) {
  const { data, info } = await sharp(join(folder, file))
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [right, bottom] = [info.width, info.height];
  const quad = [
    [0, 0],
    [right, 0],
    [right, bottom],
    [0, bottom],
  ] as const;
  const width = Math.max(96, Math.round((height * right) / bottom));
  const crop = cropLine({ width: right, height: bottom, data }, quad, { width, height });
  const readings = await models.read({ data: crop.data, count: 1, height, width });
  const read = readCharacters(readings, models.characters, { index: 0, filled: 1 });
  const chars = read.characters.map(({ text, confidence }) => [text, confidence]);
  return { chars, gaps: gapsOf(read, measureInk(crop), height) };
}

const lines = readFileSync(join(folder, 'lines.jsonl'), 'utf8').trim().split('\n');
const all = [];
for (const line of lines) {
  const { file, text } = JSON.parse(line) as { file: string; text: string };
  all.push({ text, ...(await readCrop(file)) });
}
writeFileSync(target, JSON.stringify(all));
process.exit(0);
