import type { Level } from '../types.ts';
import type { Forms } from './request/decode.ts';
import type { RequestPart } from './request/web-request.ts';

/** One way to attack a web application, told from decoded values. */
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
