/** What a made form is drawn on: a PDF, or a picture where letters beyond Latin are wanted. Points, y from the top. */

import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { LineCapStyle, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib';

export const pageWidth = 595;
export const pageHeight = 842;

export type Color = [red: number, green: number, blue: number];
export type Point = [x: number, y: number];

export interface Pen {
  width: number;
  color: Color;
}

export interface Surface {
  text(value: string, at: Point, size: number): void;
  textWidth(value: string, size: number): number;
  /** A line through the points. */
  stroke(points: Point[], pen: Pen): void;
  rectangle(box: [number, number, number, number], style: { pen?: Pen; fill?: Color }): void;
  circle(centre: Point, radius: number, style: { pen?: Pen; fill?: Color }): void;
}

const toRgb = ([red, green, blue]: Color) => rgb(red, green, blue);

class PdfSurface implements Surface {
  readonly #page: PDFPage;
  readonly #font: PDFFont;
  constructor(page: PDFPage, font: PDFFont) {
    this.#page = page;
    this.#font = font;
  }
  text(value: string, [x, y]: Point, size: number): void {
    this.#page.drawText(value, { x, y: pageHeight - y, size, font: this.#font });
  }
  textWidth(value: string, size: number): number {
    return this.#font.widthOfTextAtSize(value, size);
  }
  stroke(points: Point[], { width, color }: Pen): void {
    for (const [index, [x, y]] of points.slice(1).entries()) {
      const [fromX, fromY] = points[index]!;
      this.#page.drawLine({
        start: { x: fromX, y: pageHeight - fromY },
        end: { x, y: pageHeight - y },
        thickness: width,
        color: toRgb(color),
        lineCap: points.length > 2 ? LineCapStyle.Round : LineCapStyle.Butt,
      });
    }
  }
  rectangle([x0, y0, x1, y1]: [number, number, number, number], style: { pen?: Pen; fill?: Color }): void {
    this.#page.drawRectangle({
      x: x0,
      y: pageHeight - y1,
      width: x1 - x0,
      height: y1 - y0,
      ...(style.pen ? { borderWidth: style.pen.width, borderColor: toRgb(style.pen.color) } : {}),
      ...(style.fill ? { color: toRgb(style.fill) } : {}),
    });
  }
  circle([x, y]: Point, radius: number, style: { pen?: Pen; fill?: Color }): void {
    this.#page.drawCircle({
      x,
      y: pageHeight - y,
      size: radius,
      ...(style.pen ? { borderWidth: style.pen.width, borderColor: toRgb(style.pen.color) } : {}),
      ...(style.fill ? { color: toRgb(style.fill) } : {}),
    });
  }
}

class PictureSurface implements Surface {
  readonly #context: SKRSContext2D;
  readonly #font: string;
  constructor(context: SKRSContext2D, font: string) {
    this.#context = context;
    this.#font = font;
  }
  text(value: string, [x, y]: Point, size: number): void {
    this.#context.fillStyle = 'black';
    this.#context.font = `${size}px "${this.#font}"`;
    this.#context.fillText(value, x, y);
  }
  textWidth(value: string, size: number): number {
    this.#context.font = `${size}px "${this.#font}"`;
    return this.#context.measureText(value).width;
  }
  #css = (color: Color): string => `rgb(${color.map((part) => Math.round(255 * part)).join(',')})`;
  #paint(style: { pen?: Pen; fill?: Color }): void {
    if (style.fill) {
      this.#context.fillStyle = this.#css(style.fill);
      this.#context.fill();
    }
    if (style.pen) {
      this.#context.strokeStyle = this.#css(style.pen.color);
      this.#context.lineWidth = style.pen.width;
      this.#context.stroke();
    }
  }
  stroke(points: Point[], pen: Pen): void {
    this.#context.beginPath();
    this.#context.lineCap = points.length > 2 ? 'round' : 'butt';
    for (const [x, y] of points) this.#context.lineTo(x, y);
    this.#paint({ pen });
  }
  rectangle([x0, y0, x1, y1]: [number, number, number, number], style: { pen?: Pen; fill?: Color }): void {
    this.#context.beginPath();
    this.#context.rect(x0, y0, x1 - x0, y1 - y0);
    this.#paint(style);
  }
  circle([x, y]: Point, radius: number, style: { pen?: Pen; fill?: Color }): void {
    this.#context.beginPath();
    this.#context.arc(x, y, radius, 0, 2 * Math.PI);
    this.#paint(style);
  }
}

/** One page of PDF. */
export async function drawPdf(draw: (surface: Surface) => void): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  draw(new PdfSurface(pdf.addPage([pageWidth, pageHeight]), await pdf.embedFont(StandardFonts.Helvetica)));
  return pdf.save();
}

/** A page as PNG, in a font of this machine. */
export function drawPicture(draw: (surface: Surface) => void, font: string, dpi: number): Promise<Buffer> {
  const scale = dpi / 72;
  const canvas = createCanvas(Math.round(pageWidth * scale), Math.round(pageHeight * scale));
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  draw(new PictureSurface(context, font));
  return canvas.encode('png');
}
