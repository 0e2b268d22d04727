/** Fields judged so far: shares that are right, and calibration. */

import type { FieldEntry } from '../../../server/engine/documents/types.ts';
import { rounded } from '../measure.ts';

/** Adds one field to whoever keeps count; `matches` says whether its value is the true one. */
export type Add = (field: FieldEntry | undefined, matches: (value: unknown) => boolean) => boolean;

/** From this confidence on a field counts as sure. */
const surely = 0.9;

export class Judge {
  #right = 0;
  #all = 0;
  sure = 0;
  sureRight = 0;

  /** A field that is missing is wrong. Returns whether it was right. */
  readonly add: Add = (field, matches) => {
    const right = field !== undefined && matches(field.value);
    this.#all++;
    if (right) this.#right++;
    if (field !== undefined && field.confidence >= surely) {
      this.sure++;
      if (right) this.sureRight++;
    }
    return right;
  };

  share(): number | null {
    return this.#all === 0 ? null : rounded(this.#right / this.#all);
  }
}
