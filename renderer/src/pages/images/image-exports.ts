/** Answers as files: CSV, COCO's object-detection JSON, and the picture with its boxes drawn in. */
import type { ImagesResult } from '../../../../server/api/services/images.ts';
import { toCsv } from '../../export/csv.ts';
import { countLabels, labelColor, labelWords, type ShownObject } from './seen-objects.ts';

/** One analysed file. */
export interface Analysed {
  name: string;
  width: number;
  height: number;
  answer: ImagesResult;
}

const header = ['file', 'frame', 'timestamp_ms', 'label', 'confidence', 'x0', 'y0', 'x1', 'y1'];

export function objectsCsv(files: readonly Analysed[]): string {
  const rows: (string | number)[][] = [header];
  for (const { name, answer } of files) {
    for (const [frame, { objects, timestamp_ms }] of answer.results.entries()) {
      for (const { label, confidence, bbox } of objects) {
        rows.push([name, frame, timestamp_ms ?? '', label, confidence, ...bbox]);
      }
    }
  }
  return toCsv(rows);
}

/** https://cocodataset.org/#format-data and #format-results: boxes as x, y, width, height in pixels, with `score`. */
export function cocoJson(files: readonly Analysed[]): string {
  const categories = countLabels(files.flatMap(({ answer }) => answer.results)).map(({ label }, index) => ({
    id: index + 1,
    name: label,
  }));
  const idOf = new Map(categories.map(({ id, name }) => [name, id]));
  const images: object[] = [];
  const annotations: object[] = [];
  for (const { name, width, height, answer } of files) {
    for (const { objects, timestamp_ms, caption } of answer.results) {
      const imageId = images.length + 1;
      const time = timestamp_ms === undefined ? {} : { timestamp_ms };
      images.push({ id: imageId, file_name: name, width, height, ...time, caption });
      for (const { label, confidence, bbox } of objects) {
        const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = bbox;
        const box = [x0 * width, y0 * height, (x1 - x0) * width, (y1 - y0) * height].map(
          (value) => Math.round(value * 100) / 100,
        );
        annotations.push({
          id: annotations.length + 1,
          image_id: imageId,
          category_id: idOf.get(label),
          bbox: box,
          area: Math.round((box[2] ?? 0) * (box[3] ?? 0) * 100) / 100,
          iscrowd: 0,
          score: confidence,
        });
      }
    }
  }
  return JSON.stringify({ images, annotations, categories }, null, 2);
}

/** The picture at its own size, with the shown boxes. */
export function annotatedPng(
  media: HTMLImageElement | HTMLVideoElement,
  objects: readonly ShownObject[],
): Promise<Blob> {
  const video = media instanceof HTMLVideoElement;
  const canvas = document.createElement('canvas');
  canvas.width = video ? media.videoWidth : media.naturalWidth;
  canvas.height = video ? media.videoHeight : media.naturalHeight;
  const context = canvas.getContext('2d');
  if (!context) return Promise.reject(new Error('This browser gives no canvas.'));
  context.drawImage(media, 0, 0);
  const line = Math.max(2, Math.round(Math.max(canvas.width, canvas.height) / 400));
  context.lineWidth = line;
  context.font = `600 ${line * 6}px system-ui, sans-serif`;
  context.textBaseline = 'top';
  for (const { label, bbox, confidence } of objects) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = bbox;
    const [left, top] = [x0 * canvas.width, y0 * canvas.height];
    const text = `${labelWords(label)} ${Math.round(confidence * 100)}%`;
    context.strokeStyle = labelColor(label);
    context.fillStyle = labelColor(label);
    context.strokeRect(left, top, (x1 - x0) * canvas.width, (y1 - y0) * canvas.height);
    const height = line * 8;
    const textTop = Math.max(0, top - height);
    context.fillRect(left, textTop, context.measureText(text).width + line * 3, height);
    context.fillStyle = '#ffffff';
    context.fillText(text, left + line * 1.5, textTop + line);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be written.'))),
      'image/png',
    );
  });
}
