/** Draws a page that was set from a flow: its words where their boxes are, and the lines of its tables. */

import type { Canvas } from '@napi-rs/canvas';
import { maxImageWidthPx } from '../limits.ts';
import { loadCanvas } from '../pages/canvas.ts';
import type { SetPage } from './set-pages.ts';

const tableLine = '#c4c4c4';

/** @param scale pixels a point; less where the page would be too high */
async function drawSetPage({ page, tables }: SetPage, scale: number): Promise<Canvas> {
  const { createCanvas } = await loadCanvas();
  const limited = Math.min(scale, maxImageWidthPx / page.width, (2 * maxImageWidthPx) / page.height);
  const canvas = createCanvas(
    Math.max(1, Math.round(page.width * limited)),
    Math.max(1, Math.round(page.height * limited)),
  );
  const drawing = canvas.getContext('2d');
  drawing.scale(limited, limited);
  drawing.fillStyle = '#fff';
  drawing.fillRect(0, 0, page.width, page.height);
  drawing.strokeStyle = tableLine;
  drawing.lineWidth = 0.6;
  for (const { cells } of tables)
    for (const { box } of cells) drawing.strokeRect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
  drawing.fillStyle = '#000';
  for (const { text, box, baseline, size, bold } of page.words) {
    drawing.font = `${bold ? 'bold ' : ''}${size}px sans-serif`;
    drawing.fillText(text, box[0], baseline, box[2] - box[0]);
  }
  return canvas;
}

export const setPagePng = async (set: SetPage, widthPx: number): Promise<Uint8Array> =>
  (await drawSetPage(set, widthPx / set.page.width)).encode('png');
