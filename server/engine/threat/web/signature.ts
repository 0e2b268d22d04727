/** One way to attack a web application, told from decoded values. */
import type { Level } from '../analysis.ts';
import type { Forms } from './request/decode.ts';
import type { RequestPart } from './request/web-request.ts';

export interface WebSignature {
  id: string;
  title: string;
  level: Level;
  ttps: string[];
  /** The normal form that the expressions read. */
  form: keyof Forms;
  /** Absent: everywhere a client controls text. */
  places?: RequestPart[];
  /** RE2 expressions over lower-case text; any one is enough. */
  patterns: string[];
}

export type SignatureFamily = Omit<WebSignature, 'id' | 'title' | 'level' | 'patterns'> & { prefix: string };

/** Signatures of one family share their techniques and form. */
export function family(
  common: SignatureFamily,
  rows: readonly [id: string, title: string, level: Level, patterns: string[]][],
): WebSignature[] {
  const { prefix, ...rest } = common;
  return rows.map(([id, title, level, patterns]) => ({
    ...rest,
    id: `${prefix}-${id}`,
    title,
    level,
    patterns,
  }));
}
