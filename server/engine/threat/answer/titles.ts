/**
 * Titles of findings for a summary in Malay or Chinese. Our web detectors and anomalies have names of their own there, by rule
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
  { language, techniques, titles }: TitleContext,
): { title: string; kind: string } {
  if (language === 'en') return { title: finding.title, kind: finding.title.split(': ')[0] as string };
  const family = [...titles.families].find(([prefix]) => finding.ruleId.startsWith(prefix))?.[1];
  if (family !== undefined) {
    const title = pick(family, language);
    return { title, kind: title };
  }
  const own = titles.rules.get(finding.title);
  if (own !== undefined) return { title: pick(own, language), kind: pick(own, language) };
  const tactic = techniques.find(({ id }) => finding.ttps.includes(id))?.tactics[0];
  const names = tactic === undefined ? undefined : titles.tactics.get(tactic);
  const title = names === undefined ? finding.title : `${pick(names, language)} (${finding.title})`;
  return { title, kind: title };
}
