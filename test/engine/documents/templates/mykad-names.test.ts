import { expect, test } from 'vitest';
import { tidyName } from '../../../../server/engine/documents/templates/mykad-names.ts';

test.each([
  ['- TAN JIA YIN - - - -', 'TAN JIA YIN'],
  ['JAMES ANAK JUGAH - -', 'JAMES ANAK JUGAH'],
  ['MUTHU A/L RAMAN', 'MUTHU A/L RAMAN'],
  ['MUTHU AL RAMAN', 'MUTHU A/L RAMAN'],
  ["D'CRUZ MARY-ANN", "D'CRUZ MARY-ANN"],
  ['SITIBINTIALI', 'SITI BINTI ALI'],
])('%s is %s', (read, name) => expect(tidyName(read)).toBe(name));
