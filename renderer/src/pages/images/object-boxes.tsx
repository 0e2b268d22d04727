/** Boxes and their labels over a picture. Marks tie them to the rows of the list. */
import type { CSSProperties } from 'react';
import { percent } from '../../format/numbers.ts';
import classes from './object-boxes.module.css';
import { labelColor, labelWords, type ShownObject } from './seen-objects.ts';

export const objectMark = (index: number): string => `object:${index}`;

export function ObjectBoxes({ objects, labels }: { objects: readonly ShownObject[]; labels: boolean }) {
  return (
    <div className={classes.layer} data-testid="boxes" aria-hidden="true">
      {objects.map(({ index, label, confidence, bbox }) => {
        const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = bbox;
        return (
          <div
            key={index}
            className={classes.box}
            data-mark={objectMark(index)}
            data-low={y0 < 0.04 || undefined}
            style={
              {
                left: percentOf(x0),
                top: percentOf(y0),
                width: percentOf(x1 - x0),
                height: percentOf(y1 - y0),
                '--tint': labelColor(label),
              } as CSSProperties
            }
          >
            {labels && (
              <span className={classes.label}>
                {labelWords(label)} {percent(confidence)}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}

const percentOf = (share: number): string => `${share * 100}%`;
