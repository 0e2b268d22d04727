/** The facts of an analysis that its summary tells. */
import { reportSentences } from '../../../api/services/report-sentences.ts';
import type { Analysis, Language } from '../types.ts';
import type { Titles } from './answer-texts.ts';
import { type TitleContext, titleOf } from './titles.ts';

type Part = Pick<Analysis, 'severity' | 'confidence' | 'findings' | 'techniques' | 'indicators' | 'formats'>;

/** Findings of one kind ("SQL injection: …") are named once, by their kind where they are several. */
function families(findings: Part['findings'], context: TitleContext): string[] {
  const byKind = new Map<string, { title: string; count: number }>();
  for (const finding of findings) {
    const { title, kind } = titleOf(finding, context);
    byKind.set(kind, { title, count: (byKind.get(kind)?.count ?? 0) + 1 });
  }
  return [...byKind].map(([kind, { title, count }]) => (count === 1 ? title : `${kind} (${count})`));
}

export function summarize(part: Part, language: Language, titles: Titles): string {
  const context = { language, techniques: part.techniques, titles };
  const formats = Object.entries(part.formats).toSorted((a, b) => b[1] - a[1]);
  const [top] = part.findings;
  const facts = {
    ...part,
    read: {
      events: formats.reduce((sum, [, count]) => sum + count, 0),
      formats: formats.map(([name]) => name),
    },
    findings: part.findings.length,
    top: top
      ? {
          ...top,
          ...top.subjects,
          title: titleOf(top, context).title,
          line: top.mainLine ?? top.lines[0]?.line ?? 1,
        }
      : null,
    others: families(part.findings.slice(1), context),
  };
  return reportSentences(facts, language);
}
