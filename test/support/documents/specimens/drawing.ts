/** Specimens are drawn in millimetres with the fonts that pdf.js brings, so that every machine draws the same. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Canvas, createCanvas, GlobalFonts, Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import type { Chance } from './chance.ts';
import { ocrBAdvance, ocrBOutlines } from './ocr-b.ts';

const fonts = join(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'), '../standard_fonts');
GlobalFonts.registerFromPath(join(fonts, 'LiberationSans-Regular.ttf'), 'Specimen');
GlobalFonts.registerFromPath(join(fonts, 'LiberationSans-Bold.ttf'), 'Specimen Bold');
GlobalFonts.registerFromPath(join(fonts, 'FoxitFixed.pfb'), 'Specimen Fixed');

export interface TextStyle {
  /** Height of the letters' em, in millimetres. */
  size: number;
  bold?: boolean;
  color?: string;
}

/** A sheet measured in millimetres from its upper left corner. */
export class Sheet {
  readonly canvas: Canvas;
  readonly draw: SKRSContext2D;
  readonly width: number;
  readonly height: number;

  constructor([width, height]: [number, number], { pxPerMm, paper }: { pxPerMm: number; paper: string }) {
    this.width = width;
    this.height = height;
    this.canvas = createCanvas(Math.round(width * pxPerMm), Math.round(height * pxPerMm));
    this.draw = this.canvas.getContext('2d');
    this.draw.scale(pxPerMm, pxPerMm);
    this.draw.fillStyle = paper;
    this.draw.fillRect(0, 0, width, height);
  }

  text(value: string, [x, y]: [number, number], { size, bold = false, color = '#1c1c22' }: TextStyle): void {
    this.draw.fillStyle = color;
    this.draw.font = `${size}px "Specimen${bold ? ' Bold' : ''}"`;
    this.draw.fillText(value, x, y);
  }

  /** One line of an MRZ, `pitch` millimetres a character (2.54 on real documents), its baseline at `y`. */
  mrzLine(value: string, [x, y]: [number, number], { pitch, face }: { pitch: number; face: MrzFace }): void {
    this.draw.fillStyle = '#121216';
    for (const [index, char] of [...value].entries()) {
      const left = x + index * pitch;
      if (face === 'OCR-B') {
        const scale = pitch / ocrBAdvance;
        this.draw.save();
        this.draw.transform(scale, 0, 0, -scale, left, y);
        this.draw.fill(new Path2D(ocrBOutlines[char]!));
        this.draw.restore();
      } else {
        this.draw.font = `${pitch / 0.6}px "Specimen Fixed"`;
        this.draw.fillText(char, left, y);
      }
    }
  }

  /** Fine waves as security prints have them. */
  waves(color: string, chance: Chance): void {
    this.draw.strokeStyle = color;
    this.draw.lineWidth = 0.12;
    const [length, height] = [chance.between(9, 26), chance.between(1, 3)];
    for (let y = -2; y < this.height + 2; y += chance.between(0.9, 1.6)) {
      this.draw.beginPath();
      for (let x = 0; x <= this.width; x += 0.8) {
        const at = y + height * Math.sin(x / length + y / 7);
        if (x === 0) this.draw.moveTo(x, at);
        else this.draw.lineTo(x, at);
      }
      this.draw.stroke();
    }
  }

  /** A gray stand-in for a photograph: nobody. */
  portrait([x, y, width, height]: [number, number, number, number], chance: Chance): void {
    const { draw } = this;
    const shade = draw.createLinearGradient(x, y, x + width, y + height);
    shade.addColorStop(0, '#c9d3dc');
    shade.addColorStop(1, '#9fb0bf');
    draw.save();
    draw.beginPath();
    draw.rect(x, y, width, height);
    draw.clip();
    draw.fillStyle = shade;
    draw.fillRect(x, y, width, height);
    const skin = 120 + chance.below(90);
    draw.fillStyle = '#3a3f4a';
    draw.beginPath();
    draw.ellipse(x + width / 2, y + height * 1.02, width * 0.46, height * 0.36, 0, 0, 2 * Math.PI);
    draw.fill();
    draw.fillStyle = `rgb(${skin}, ${skin - 25}, ${skin - 45})`;
    draw.beginPath();
    draw.ellipse(x + width / 2, y + height * 0.42, width * 0.22, height * 0.25, 0, 0, 2 * Math.PI);
    draw.fill();
    draw.restore();
  }
}

export type MrzFace = 'OCR-B' | 'fixed';
