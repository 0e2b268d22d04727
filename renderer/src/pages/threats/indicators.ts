/** Indicators as analysts pass them on: defanged on screen, canonical in exports. */
import type { ThreatResult } from '../../../../server/api/services/moderations.ts';
import { isWorthFollowing } from '../../../../server/api/services/worth-following.ts';
import { toCsv } from '../../export/csv.ts';

export type ThreatOutcome = ThreatResult['results'][number];
export type Indicator = ThreatOutcome['indicators'][number];
export type Finding = ThreatOutcome['findings'][number];
export type Severity = ThreatOutcome['severity'];

/** A finding's title and description in the language of the answer. */
export const wordsOf = ({ title, description, translation }: Finding) =>
  translation ?? { title, description };

export const partIndicators = (indicators: readonly Indicator[]) => ({
  worth: indicators.filter(isWorthFollowing),
  others: indicators.filter((each) => !isWorthFollowing(each)),
});

/** So that nothing on screen, or pasted from it, turns into a link. */
export function defang({ type, value }: Pick<Indicator, 'type' | 'value'>): string {
  if (type === 'ip') return value.replaceAll('.', '[.]').replaceAll(':', '[:]');
  if (type === 'domain') return value.replaceAll('.', '[.]');
  if (type === 'email') return value.replace('@', '[@]').replaceAll('.', '[.]');
  if (type !== 'url') return value;
  const [, scheme = '', host = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(value) ?? [];
  if (!scheme) return value;
  return `${scheme.replace(/^http/i, 'hxxp')}://${host.replaceAll('.', '[.]')}${rest}`;
}

export const indicatorsCsv = (indicators: readonly Indicator[]): string =>
  toCsv([
    ['type', 'value', 'defanged', 'confidence', 'occurrences', 'scope'],
    ...indicators.map((indicator) => [
      indicator.type,
      indicator.value,
      defang(indicator),
      indicator.confidence,
      indicator.offsets.length,
      indicator.scope,
    ]),
  ]);
