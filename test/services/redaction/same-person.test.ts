import { describe, expect, it } from 'vitest';
import { fullNames } from '../../../server/services/redaction/same-person.ts';

describe('the longest form of a name in a text', () => {
  it.each([
    [['Nurul Aisyah binti Hassan', 'Nurul'], 'Nurul', 'Nurul Aisyah binti Hassan'],
    [['Nurul Aisyah binti Hassan', 'Ms Nurul'], 'Ms Nurul', 'Nurul Aisyah binti Hassan'],
    [['Ahmad Faizal bin Omar', 'Faizal'], 'Faizal', 'Ahmad Faizal bin Omar'],
    [['陈伟明', '陈'], '陈', '陈伟明'],
    [['陈伟明', '陈先生'], '陈先生', '陈伟明'],
    [['Nurul', 'Nurul Aisyah', 'Nurul Aisyah binti Hassan'], 'Nurul', 'Nurul Aisyah binti Hassan'],
  ])('%j: %s is %s', (names, short, full) => expect(fullNames(names)(short)).toBe(full));

  it.each([
    // Two may be meant, the father is another person, and a surname is no word of a longer one.
    [['Nurul Aisyah', 'Nurul Huda'], 'Nurul'],
    [['Siti binti Omar', 'Omar'], 'Omar'],
    [['陈伟明', '陈美玲'], '陈'],
    [['Ana Lim', 'Li'], 'Li'],
  ])('%j: %s is left as it is', (names, short) => expect(fullNames([...names, short])(short)).toBe(short));
});
