import { t } from '../../../strings/t.ts';
import type { TextProblem } from '../model/json-text.ts';

/** Null where there is none, as a field's `error` wants it. */
export const problemText = (problem: TextProblem | undefined): string | null =>
  problem
    ? t('chat.problem_at', { line: problem.line, column: problem.column, message: problem.message })
    : null;
