/** One normalized event: what every reader produces and every detector consumes. */

/** A Sigma log source; an absent part matches any. */
export interface LogSource {
  product?: string;
  category?: string;
  service?: string;
}

export interface LogEvent {
  /** First and last line in the text, 1-based. */
  line: number;
  endLine: number;
  /** Offsets of the event's text, UTF-16. */
  start: number;
  end: number;
  raw: string;
  format: string;
  /** Lower-case field name → values as written; an empty list is a JSON null. */
  fields: Map<string, string[]>;
  /** Names of the event in a rule's `logsource`; empty when nothing is known of it. */
  sources: LogSource[];
  timeMs: number | null;
  /** True where the command line is the whole of a line of text: nobody says that it ran, nor who ran it. */
  isBare?: boolean;
  /** `stopped`: its product says that nothing came of it; `routine`: it tells of upkeep, not of what somebody did. */
  standing?: 'stopped' | 'routine';
}

/** A stretch of the text with its place; readers turn it into events. */
export interface LogChunk {
  line: number;
  endLine: number;
  start: number;
  end: number;
  raw: string;
}

export function createEvent(piece: LogChunk, format: string): LogEvent {
  return { ...piece, format, fields: new Map(), sources: [], timeMs: null };
}

/** Adds a value under a name; a second value of the same name is kept beside the first. */
export function addField(event: LogEvent, name: string, value: string): void {
  const key = name.toLowerCase();
  const held = event.fields.get(key);
  if (held === undefined) event.fields.set(key, [value]);
  else if (!held.includes(value) && held.length < 64) held.push(value);
}

export function firstField(event: LogEvent, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = event.fields.get(name)?.[0];
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}
