/** Tables, from rulings and from the alignment of text. */

import type { PageState, Stage } from '../stage.ts';
import { findTables } from '../tables/find-tables.ts';

export const tables: Stage<PageState> = {
  name: 'tables',
  run: async (state) => ({ ...state, tables: findTables(state.page) }),
};
