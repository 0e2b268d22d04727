/** Requests and answers of the threat engine; services map it to the wire's snake_case. */

export interface ThreatAnalyzeParams {
  text: string;
  /** The language of the text's own words where absent. */
  language?: Language;
}

export type Level = 'informational' | 'low' | 'medium' | 'high' | 'critical';

export type Language = 'en' | 'ms' | 'zh';

export const LEVELS: readonly Level[] = ['informational', 'low', 'medium', 'high', 'critical'];

export type IndicatorType =
  | 'ip'
  | 'domain'
  | 'url'
  | 'email'
  | 'md5'
  | 'sha1'
  | 'sha256'
  | 'cve'
  | 'file_path'
  | 'registry_key'
  | 'process'
  | 'user'
  | 'mac'
  | 'bitcoin';

/** UTF-16 code units into the text as it was given: `text.slice(start, end)` is the indicator as found. */
export interface Offset {
  start: number;
  end: number;
}

export interface Indicator {
  type: IndicatorType;
  /** Canonical form, refanged. */
  value: string;
  /** 0 to 1: how sure we are that this is an indicator worth acting on, not merely that it parses. */
  confidence: number;
  offsets: Offset[];
  /** True where the text held it defanged (`hxxp`, `[.]`). */
  defanged: boolean;
  /** `public`, or why nobody should block it: private, loopback, documentation, well-known… */
  scope: string;
}

/** Lines (1-based, inclusive) and characters of the text that a finding rests on. */
export interface MatchedLine {
  line: number;
  endLine: number;
  start: number;
  end: number;
}

export interface Finding {
  ruleId: string;
  title: string;
  level: Level;
  /** The probability itself where the source is `learnt`. */
  confidence: number;
  ttps: string[];
  lines: MatchedLine[];
  /** The line to read first, where that is not the first of `lines`. */
  mainLine?: number;
  /** Times it was seen; `lines` stops at a hundred. */
  count: number;
  /** The part of the engine that made the finding. */
  source: 'sigma' | 'web' | 'text' | 'learnt' | 'anomaly' | 'correlation';
  /** The rule's author: the Detection Rule License asks that matches name them. */
  author: string | null;
  description: string | null;
  /** In the answer's language; absent in English and where the pack has no words for the rule. */
  translation?: { title: string; description: string | null };
  falsePositives: string[];
  /** Commands that its lines hold in base64, decoded; absent where there are none. */
  decoded?: string[];
  /** Hosts, accounts, processes and addresses of the matched events: what the actions act on. */
  subjects: Subjects;
  /** The first lines of the finding, cut to a length that a report bears. */
  excerpts: { line: number; text: string }[];
  /** The earliest and the latest time of its events, milliseconds since 1970; null where they have none. */
  spanMs: [first: number, last: number] | null;
}

export interface Subjects {
  hosts: string[];
  users: string[];
  processes: string[];
  addresses: string[];
  files: string[];
}

export interface Analysis {
  severity: Level;
  confidence: number;
  summary: string;
  language: Language;
  indicators: Indicator[];
  ttps: string[];
  techniques: { id: string; name: string; tactics: string[] }[];
  recommendedActions: string[];
  findings: Finding[];
  attackVersion: string;
  /** Events read, by format. */
  formats: Record<string, number>;
}

export interface RuleFile {
  name: string;
  text: string;
}

export interface RuleInfo {
  id: string;
  title: string;
  level: Level;
  status: string;
  tags: string[];
  author: string | null;
  kind: 'detection' | 'correlation' | 'filter';
  file: string;
  origin: 'built-in' | 'imported';
  enabled: boolean;
}

export interface ImportResult {
  imported: number;
  errors: { file: string; message: string }[];
}

/** A rule with the ATT&CK techniques its tags name. */
export interface ListedRule extends RuleInfo {
  techniques: string[];
}

export interface SetRulesParams {
  /** Rule ids to switch on or off; what does not exist yet is switched once it does. */
  enable?: string[];
  disable?: string[];
}

/** Rules that a person imported or switched off. */
export interface UserRules {
  /** Sigma files in the order they were imported; where two bring a rule of one id, the later holds. */
  files: RuleFile[];
  /** Ids of rules that are off. */
  disabled: string[];
}
