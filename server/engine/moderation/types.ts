/** Requests and answers of the moderation engine. */
import type { ModerationCategory } from '../../api/services/moderations.ts';

export interface ClassifyParams {
  text: string;
  /** All of them where absent. */
  categories?: ModerationCategory[];
  /** 0 to 1; the pack's own where absent. */
  thresholds?: Partial<Record<ModerationCategory, number>>;
}

export interface TextSpan {
  category: ModerationCategory;
  /** UTF-16 offsets into the text as given. */
  start: number;
  end: number;
  /** Its kind, e.g. `email`, where a detector knows. */
  kind?: string;
}

export interface ClassifyResult {
  /** True when any category asked for reaches its threshold. */
  flagged: boolean;
  /** Probability of each category asked for. */
  scores: Partial<Record<ModerationCategory, number>>;
  flaggedCategories: Partial<Record<ModerationCategory, boolean>>;
  spans: TextSpan[];
}
