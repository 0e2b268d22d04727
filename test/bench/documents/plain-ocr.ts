/**
 * The whole parse of pictures beside plain text recognition of the same pictures by the same networks, as Guten OCR does it:
 * the picture at its own size through the detector as it ships, then line by line through the recognizer as it ships.
 */

import { readPicturePage } from '../../../server/engine/documents/pages/picture-file.ts';
import { parseDocument } from '../../../server/engine/documents/parse-document.ts';
import { openSession } from '../../../server/engine/onnx/open.ts';
import type { Session } from '../../../server/engine/onnx/session.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';
import type { Point, Quad } from '../../../server/engine/vision/geometry.ts';
import { cropLine, cropWidth, toDetectorPixels } from '../../../server/engine/vision/ocr/line-crop.ts';
import { shippedAssets } from '../../../server/engine/vision/ocr/models/assets.ts';
import { findTextRegions } from '../../../server/engine/vision/ocr/text-regions.ts';
import { median, progress, rounded, timeMs } from '../measure.ts';

const threads = 2;
const cropHeight = 48;

async function outputOf(session: Session, data: Float32Array, dims: number[]): Promise<Float32Array> {
  using input = new Tensor('float32', data, dims);
  return Object.values(await session.run({ x: input }))[0]!.data as Float32Array;
}

async function readPlainly(bytes: Uint8Array, detector: Session, recognizer: Session): Promise<void> {
  const image = await readPicturePage(bytes, 1);
  const [width, height] = [image.width, image.height].map((size) => Math.ceil(size / 32) * 32) as [
    number,
    number,
  ];
  const data = await outputOf(detector, toDetectorPixels(image, width, height), [1, 3, height, width]);
  const options = { threshold: 0.3, minScore: 0.5, unclipRatio: 1.6 };
  for (const { quad } of findTextRegions({ width, height, data }, options)) {
    const place = quad.map(([x, y]): Point => [(x * image.width) / width, (y * image.height) / height]);
    const length = cropWidth(place as unknown as Quad, cropHeight);
    const crop = cropLine(image, place as unknown as Quad, { width: length, height: cropHeight });
    await outputOf(recognizer, crop.data, [1, 3, cropHeight, length]);
  }
}

async function parseWhole(bytes: Uint8Array): Promise<void> {
  for await (const _item of parseDocument({ bytes, template: null, pages: '1', outputFormat: 'json' }));
}

/** Milliseconds for all pictures, medians of alternating rounds; the first round does not count. */
export async function measureBesidePlain(
  pictures: readonly Uint8Array[],
  rounds: number,
): Promise<{ ours_ms: number; peer_ms: number; ratio: number }> {
  const { detector: detection, recognizer: recognition } = await shippedAssets();
  const detector = await openSession(detection, { threads });
  const recognizer = await openSession(recognition, { threads });
  const [ours, peer]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round <= rounds; round++) {
      const sums = { ours: 0, peer: 0 };
      for (const bytes of pictures) {
        sums.ours += await timeMs(() => parseWhole(bytes));
        sums.peer += await timeMs(() => readPlainly(bytes, detector, recognizer));
      }
      progress(`pictures, round ${round}: ours ${sums.ours.toFixed(0)} ms, plain ${sums.peer.toFixed(0)} ms`);
      if (round === 0) continue;
      ours.push(sums.ours);
      peer.push(sums.peer);
    }
  } finally {
    await Promise.all([detector.close(), recognizer.close()]);
  }
  return {
    ours_ms: Math.round(median(ours)),
    peer_ms: Math.round(median(peer)),
    ratio: rounded(median(peer) / median(ours)),
  };
}
