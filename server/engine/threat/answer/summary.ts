/** A few sentences from templates: what was read, what stands out, where, and how sure. */
import { isWorthFollowing } from '../../../api/services/worth-following.ts';
import type { Analysis, Language, Level } from '../types.ts';
import type { Titles } from './answer-texts.ts';
import { type TitleContext, titleOf } from './titles.ts';

type Part = Pick<Analysis, 'severity' | 'confidence' | 'findings' | 'techniques' | 'indicators' | 'formats'>;

const LEVEL_NAMES: Readonly<Record<Language, Readonly<Record<Level, string>>>> = {
  en: { informational: 'informational', low: 'low', medium: 'medium', high: 'high', critical: 'critical' },
  ms: { informational: 'maklumat', low: 'rendah', medium: 'sederhana', high: 'tinggi', critical: 'kritikal' },
  zh: { informational: '信息', low: '低', medium: '中', high: '高', critical: '严重' },
};

interface Words {
  read(events: number, formats: string): string;
  none: string;
  found(count: number, level: string, percent: number): string;
  top(title: string, level: string, line: number, times: number): string;
  about(label: 'hosts' | 'users' | 'addresses', values: string): string;
  also(titles: string): string;
  techniques(names: string): string;
  indicators(count: number, public_: number): string;
}

const ABOUT: Readonly<Record<Language, Readonly<Record<'hosts' | 'users' | 'addresses', string>>>> = {
  en: { hosts: 'Host', users: 'Account', addresses: 'Address' },
  ms: { hosts: 'Hos', users: 'Akaun', addresses: 'Alamat' },
  zh: { hosts: '主机', users: '账户', addresses: '地址' },
};

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    read: (events, formats) => `${events} event${events === 1 ? '' : 's'} read (${formats}).`,
    none: 'No known attack pattern or anomaly was found.',
    found: (count, level, percent) =>
      `${count} finding${count === 1 ? '' : 's'}; overall severity ${level}, confidence ${percent} %.`,
    top: (title, level, line, times) =>
      `Most serious: "${title}" (${level}) at line ${line}${times > 1 ? `, seen ${times} times` : ''}.`,
    about: (label, values) => `${ABOUT.en[label]}: ${values}.`,
    also: (titles) => `Also: ${titles}.`,
    techniques: (names) => `ATT&CK: ${names}.`,
    indicators: (count, public_) =>
      `${count} indicator${count === 1 ? '' : 's'} extracted, ${public_} worth following up.`,
  },
  ms: {
    read: (events, formats) => `${events} peristiwa dibaca (${formats}).`,
    none: 'Tiada corak serangan atau keganjilan yang diketahui ditemui.',
    found: (count, level, percent) =>
      `${count} penemuan; tahap keseluruhan ${level}, keyakinan ${percent} %.`,
    top: (title, level, line, times) =>
      `Paling serius: "${title}" (${level}) pada baris ${line}${times > 1 ? `, dilihat ${times} kali` : ''}.`,
    about: (label, values) => `${ABOUT.ms[label]}: ${values}.`,
    also: (titles) => `Juga: ${titles}.`,
    techniques: (names) => `ATT&CK: ${names}.`,
    indicators: (count, public_) => `${count} penunjuk diekstrak, ${public_} wajar disiasat.`,
  },
  zh: {
    read: (events, formats) => `已读取 ${events} 个事件（${formats}）。`,
    none: '未发现已知攻击模式或异常。',
    found: (count, level, percent) => `共 ${count} 项发现；总体严重程度：${level}，置信度 ${percent} %。`,
    top: (title, level, line, times) =>
      `最严重：“${title}”（${level}），第 ${line} 行${times > 1 ? `，共 ${times} 次` : ''}。`,
    about: (label, values) => `${ABOUT.zh[label]}：${values}。`,
    also: (titles) => `另有：${titles}。`,
    techniques: (names) => `ATT&CK：${names}。`,
    indicators: (count, public_) => `提取 ${count} 个指标，其中 ${public_} 个值得跟进。`,
  },
};

const MAX_NAMES = 4;

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
  const words = WORDS[language];
  const levels = LEVEL_NAMES[language];
  const events = Object.values(part.formats).reduce((sum, count) => sum + count, 0);
  const formats = Object.entries(part.formats)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MAX_NAMES)
    .map(([name]) => name)
    .join(', ');
  const sentences = [words.read(events, formats || '-')];
  const top = part.findings[0];
  if (top === undefined) sentences.push(words.none);
  else {
    const { title } = titleOf(top, context);
    sentences.push(
      words.found(part.findings.length, levels[part.severity], Math.round(part.confidence * 100)),
    );
    sentences.push(words.top(title, levels[top.level], top.mainLine ?? top.lines[0]?.line ?? 1, top.count));
    for (const label of ['hosts', 'users', 'addresses'] as const) {
      if (top.subjects[label].length > 0)
        sentences.push(words.about(label, top.subjects[label].slice(0, 3).join(', ')));
    }
    const others = families(part.findings.slice(1), context).filter((name) => name !== title);
    if (others.length > 0) sentences.push(words.also(others.slice(0, MAX_NAMES).join('; ')));
  }
  if (part.techniques.length > 0)
    sentences.push(
      words.techniques(
        part.techniques
          .slice(0, MAX_NAMES)
          .map(({ id, name }) => `${id} ${name}`)
          .join(', '),
      ),
    );
  if (part.indicators.length > 0)
    sentences.push(words.indicators(part.indicators.length, part.indicators.filter(isWorthFollowing).length));
  return sentences.join(language === 'zh' ? '' : ' ');
}
