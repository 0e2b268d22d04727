import type { IndicatorType } from '../types.ts';

/** One occurrence, in shadow positions. */
export interface IndicatorMatch {
  type: IndicatorType;
  value: string;
  start: number;
  end: number;
  scope: string;
  /** Counts only where the text took the trouble to defang it. */
  weak?: boolean;
}
