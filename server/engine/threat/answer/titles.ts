/**
 * Titles and descriptions of findings in Malay or Chinese. Our web detectors and anomalies have names of their own there, by rule
 * id, our own Sigma rules by title; an imported rule, whose title is its author's, is announced by the ATT&CK tactic it serves.
 */
import type { Analysis, Finding, Language } from '../types.ts';
import type { Names, Titles } from './answer-texts.ts';

type Translated = Exclude<Language, 'en'>;
type Named = Pick<Finding, 'ruleId' | 'title' | 'ttps'>;

const pick = (names: Names, language: Translated) => names[language === 'ms' ? 0 : 1];

export interface TitleContext {
  language: Language;
  techniques: Analysis['techniques'];
  titles: Titles;
}

/** Title of a finding in a summary, and the kind it is counted under where several are alike. */
export function titleOf(
  finding: Named,
  { language, ...words }: TitleContext,
): { title: string; kind: string } {
  if (language === 'en') return { title: finding.title, kind: finding.title.split(': ')[0] as string };
  const kind = familyOrName(finding, { language, ...words }) ?? finding.title;
  return { title: detectorName(finding.title, language, words.titles) ?? kind, kind };
}

/** Behind the title of what is quoted. */
const QUOTED = / \(quoted in a search or text\)$/u;

/** Title of a detector of ours, as the pack has it. */
function detectorName(title: string, language: Translated, { detectors }: Titles): string | undefined {
  const names = detectors.get(title.replace(QUOTED, ''));
  if (names === undefined) return undefined;
  const note = QUOTED.test(title) ? detectors.get('quoted in a search or text') : undefined;
  return pick(names, language) + (note ? ` (${pick(note, language)})` : '');
}

/** Title and description in the answer's language; null in English and for a rule that has no words there. */
export function translate(
  finding: Named & Pick<Finding, 'description'>,
  { language, ...words }: TitleContext,
): { title: string; description: string | null } | null {
  if (language === 'en') return null;
  const { descriptions } = words.titles;
  const title =
    detectorName(finding.title, language, words.titles) ?? familyOrName(finding, { language, ...words });
  if (title === undefined) return null;
  const about = descriptions.get(finding.description ?? '');
  return { title, description: about ? pick(about, language) : finding.description };
}

function familyOrName(
  finding: Named,
  { language, techniques, titles }: TitleContext & { language: Translated },
): string | undefined {
  const named =
    [...titles.families].find(([prefix]) => finding.ruleId.startsWith(prefix))?.[1] ??
    titles.rules.get(finding.title);
  if (named !== undefined) return pick(named, language);
  const tactic = techniques.find(({ id }) => finding.ttps.includes(id))?.tactics[0];
  const names = tactic === undefined ? undefined : titles.tactics.get(tactic);
  return names && `${pick(names, language)} (${finding.title})`;
}
