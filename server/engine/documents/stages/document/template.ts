/** Chooses the template and fills its fields. */

import type { DocumentState } from '../../document-state.ts';
import type { Stage } from '../../stage.ts';
import { applyTemplate } from '../../templates/apply.ts';

export const template: Stage<DocumentState, null> = {
  name: 'template',
  async run(state) {
    const { document, request, text, result } = state;
    const { warnings, ...answer } = applyTemplate({ document, text }, request.template);
    return { ...state, result: { ...result, ...answer, warnings: [...result.warnings, ...warnings] } };
  },
};
