/** A chosen name without what stands before it on its line: signs, in whose care, an owner. */

import { documentWords } from '../../../vocabulary/words.ts';
import type { LineRun } from './place-features.ts';

/** A cross or another sign before a name in Latin letters, as recognition reads logos. */
const sign = /^(?:[十*+†✚•·»>_-]+\s+)+(?=\p{Script=Latin})/u;

/** The part with the legal form where a sign parts it from another: `nullkabel e.K.` of `M. Sobotta · nullkabel e.K.` */
function firmOf(value: string): string {
  const { company } = documentWords().parties;
  const parts = value.split(/\s[·•|]\s+/u);
  const firms = parts.filter((part) => company.test(part));
  return parts.length > 1 && firms.length === 1 ? firms[0]! : value;
}

export function tidyPartyName(run: LineRun): LineRun {
  const { care_of } = documentWords().parties;
  const value = firmOf(run.value.replace(sign, ''));
  const careOf = care_of.exec(value)?.[0] ?? '';
  // Words for it begin names as well: `Chez Odile`.
  const rest = value.slice(/[/℅]/u.test(careOf) ? careOf.length : 0).trim();
  return { ...run, value: /\p{L}{2}/u.test(rest) ? rest : value };
}
