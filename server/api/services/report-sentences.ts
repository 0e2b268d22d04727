/** The sentences of a threat report's summary in its three languages: of one text, and of a long one read in parts. Pure. */

import type { severities } from './moderations.ts';
import { isWorthFollowing } from './worth-following.ts';

type Severity = (typeof severities)[number];
type Language = 'en' | 'ms' | 'zh';

const LEVEL_NAMES: Readonly<Record<Language, Readonly<Record<Severity, string>>>> = {
  en: { informational: 'informational', low: 'low', medium: 'medium', high: 'high', critical: 'critical' },
  ms: { informational: 'maklumat', low: 'rendah', medium: 'sederhana', high: 'tinggi', critical: 'kritikal' },
  zh: { informational: '信息', low: '低', medium: '中', high: '高', critical: '严重' },
};

interface Words {
  read(events: number, formats: string): string;
  readInParts(lines: number, parts: number): string;
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
    readInParts: (lines, parts) => `${lines} line${lines === 1 ? '' : 's'} read in ${parts} parts.`,
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
    readInParts: (lines, parts) => `${lines} baris dibaca dalam ${parts} bahagian.`,
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
    readInParts: (lines, parts) => `已分 ${parts} 段读取 ${lines} 行。`,
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

export interface ReportFacts {
  read: { events: number; formats: string[] } | { lines: number; parts: number };
  severity: Severity;
  confidence: number;
  findings: number;
  /** The most serious finding; null: there is none. */
  top: {
    title: string;
    level: Severity;
    line: number;
    count: number;
    hosts: readonly string[];
    users: readonly string[];
    addresses: readonly string[];
  } | null;
  /** Names of the other findings. */
  others: readonly string[];
  techniques: readonly { id: string; name: string }[];
  indicators: readonly Parameters<typeof isWorthFollowing>[0][];
}

const MAX_NAMES = 4;

export function reportSentences(facts: ReportFacts, language: Language): string {
  const { read, severity, confidence, findings, top, techniques, indicators } = facts;
  const words = WORDS[language];
  const levels = LEVEL_NAMES[language];
  const sentences = [
    'lines' in read
      ? words.readInParts(read.lines, read.parts)
      : words.read(read.events, read.formats.slice(0, MAX_NAMES).join(', ') || '-'),
  ];
  if (top === null) sentences.push(words.none);
  else {
    sentences.push(words.found(findings, levels[severity], Math.round(confidence * 100)));
    sentences.push(words.top(top.title, levels[top.level], top.line, top.count));
    for (const label of ['hosts', 'users', 'addresses'] as const)
      if (top[label].length > 0) sentences.push(words.about(label, top[label].slice(0, 3).join(', ')));
    const others = facts.others.filter((name) => name !== top.title);
    if (others.length > 0) sentences.push(words.also(others.slice(0, MAX_NAMES).join('; ')));
  }
  if (techniques.length > 0) {
    const names = techniques.slice(0, MAX_NAMES).map(({ id, name }) => `${id} ${name}`);
    sentences.push(words.techniques(names.join(', ')));
  }
  if (indicators.length > 0)
    sentences.push(words.indicators(indicators.length, indicators.filter(isWorthFollowing).length));
  return sentences.join(language === 'zh' ? '' : ' ');
}
