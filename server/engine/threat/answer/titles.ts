/**
 * Titles and descriptions of findings in Malay or Chinese. Our web detectors and anomalies have names of their own there, by rule
 * id, our own Sigma rules by title; an imported rule, whose title is its author's, is announced by the ATT&CK tactic it serves.
 */
import type { Analysis, Finding, Language } from '../types.ts';
import type { Names, Titles } from './answer-texts.ts';

const pick = (names: Names, language: 'ms' | 'zh') => names[language === 'ms' ? 0 : 1];

export interface TitleContext {
  language: Language;
  techniques: Analysis['techniques'];
  titles: Titles;
}

/** Title of a finding in a summary, and the kind it is counted under where several are alike. */
export function titleOf(
  finding: Pick<Finding, 'ruleId' | 'title' | 'ttps'>,
  context: TitleContext,
): { title: string; kind: string } {
  if (context.language === 'en')
    return { title: finding.title, kind: finding.title.split(': ')[0] as string };
  const title = familyOf(finding, context) ?? nameOf(finding, context) ?? finding.title;
  return { title, kind: title };
}

/** Title and description in the answer's language; null in English and for a rule that has no words there. */
export function translate(
  finding: Pick<Finding, 'ruleId' | 'title' | 'ttps' | 'description'>,
  context: TitleContext,
): { title: string; description: string | null } | null {
  const { language, titles } = context;
  if (language === 'en') return null;
  const detector = titles.detectors.get(finding.title);
  const title = detector
    ? pick(detector, language)
    : (familyOf(finding, context) ?? nameOf(finding, context));
  if (title === undefined) return null;
  const about = titles.descriptions.get(finding.description ?? '');
  return { title, description: about ? pick(about, language) : finding.description };
}

const familyOf = ({ ruleId }: Pick<Finding, 'ruleId'>, { language, titles }: TitleContext) => {
  const family = [...titles.families].find(([prefix]) => ruleId.startsWith(prefix))?.[1];
  return family && language !== 'en' ? pick(family, language) : undefined;
};

function nameOf(
  finding: Pick<Finding, 'title' | 'ttps'>,
  { language, techniques, titles }: TitleContext,
): string | undefined {
  if (language === 'en') return finding.title;
  const own = titles.rules.get(finding.title);
  if (own !== undefined) return pick(own, language);
  const tactic = techniques.find(({ id }) => finding.ttps.includes(id))?.tactics[0];
  const names = tactic === undefined ? undefined : titles.tactics.get(tactic);
  return names && `${pick(names, language)} (${finding.title})`;
}
