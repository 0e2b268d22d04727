/** AcroForm fields of a page: text, choices, checkboxes, radio buttons and signature fields, read exactly. */

import type { Box } from '../../vision/geometry.ts';
import { applyToBox, type Matrix } from './matrix.ts';

export interface Widget {
  kind: 'text' | 'choice' | 'checkbox' | 'radio' | 'signature';
  name: string;
  /** The form's name of the field for people (its tool tip). */
  caption: string;
  value: string;
  checked: boolean;
  /** True if the field has something to show. */
  drawn: boolean;
  /** For one button of several: which choice it stands for. */
  choice: string;
  page: number;
  /** 0..1 of the page as shown. */
  bbox: Box;
  /** In page points from the upper left corner, for finding the text beside it. */
  box: Box;
}

interface PdfAnnotation {
  subtype?: string;
  fieldType?: string;
  fieldName?: string;
  fieldValue?: unknown;
  alternativeText?: string;
  checkBox?: boolean;
  radioButton?: boolean;
  pushButton?: boolean;
  exportValue?: string;
  buttonValue?: string;
  rect?: [number, number, number, number];
  hidden?: boolean;
  password?: boolean;
  hasAppearance?: boolean;
}

interface WidgetPage {
  number: number;
  base: Matrix;
  size: { width: number; height: number };
}

function kindOf(annotation: PdfAnnotation): Widget['kind'] | null {
  switch (annotation.fieldType) {
    case 'Tx':
      return 'text';
    case 'Ch':
      return 'choice';
    case 'Sig':
      return 'signature';
    case 'Btn':
      if (annotation.checkBox) return 'checkbox';
      return annotation.radioButton ? 'radio' : null;
    default:
      return null;
  }
}

const asText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(asText).filter(Boolean).join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\r\n?/g, '\n') : '';
};

/** A checkbox is on when the field's value names its own appearance; `Off` and nothing mean off. */
function isChecked(annotation: PdfAnnotation): boolean {
  const value = asText(annotation.fieldValue);
  if (value === '' || value === 'Off') return false;
  const own = annotation.checkBox ? annotation.exportValue : annotation.buttonValue;
  return own === undefined || own === null || own === '' || own === value;
}

function readWidget(annotation: PdfAnnotation, page: WidgetPage): Widget | null {
  const kind = annotation.subtype === 'Widget' ? kindOf(annotation) : null;
  if (!kind || !annotation.rect) return null;
  const box = applyToBox(page.base, annotation.rect);
  const { width, height } = page.size;
  const unit = (value: number, length: number): number =>
    Math.round(Math.min(1, Math.max(0, value / length)) * 10_000) / 10_000;
  return {
    kind,
    name: annotation.fieldName ?? '',
    caption: annotation.alternativeText ?? '',
    value: kind === 'signature' ? '' : annotation.password ? '' : asText(annotation.fieldValue),
    checked: (kind === 'checkbox' || kind === 'radio') && isChecked(annotation),
    drawn: annotation.hasAppearance === true,
    choice: annotation.buttonValue ?? annotation.exportValue ?? '',
    page: page.number,
    bbox: [unit(box[0], width), unit(box[1], height), unit(box[2], width), unit(box[3], height)],
    box,
  };
}

export function readWidgets(annotations: unknown[], page: WidgetPage): Widget[] {
  return (annotations as PdfAnnotation[]).flatMap((annotation) => {
    const widget = annotation.hidden ? null : readWidget(annotation, page);
    return widget ? [widget] : [];
  });
}
