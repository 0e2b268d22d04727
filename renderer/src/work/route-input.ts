/** Things dropped or pasted anywhere, and the playgrounds that can take it. Pure. */
import type { WorkKind } from './store.ts';

export type Destination = WorkKind | 'packs';

const byEnding: [endings: RegExp, destinations: Destination[]][] = [
  [/\.(pdf|tiff?|docx|xlsx|pptx|od[tsp]|html?|msg)$/i, ['documents']],
  [/\.(gif|webp|mp4|webm|mov|mkv)$/i, ['images']],
  [/\.(png|jpe?g)$/i, ['documents', 'images']],
  [/\.(log|jsonl|ndjson|evtx|xml|json)$/i, ['threats']],
  [/\.(gguf|safetensors|onnx|lokalpack|zip|tar|tgz)$/i, ['packs']],
  [/\.eml$/i, ['documents', 'moderation', 'chat']],
  [/\.(txt|md|csv)$/i, ['moderation', 'chat', 'documents']],
];

/** The playgrounds that take a file; of several the person chooses, and empty: none does. */
export function destinationsOf({ name }: { name: string }): Destination[] {
  return byEnding.find(([endings]) => endings.test(name))?.[1] ?? [];
}

/** One answer for all files of a drop: what every one of them can go to. */
export function destinationsOfAll(files: readonly { name: string }[]): Destination[] {
  const [first = [], ...others] = files.map(destinationsOf);
  return first.filter((each) => others.every((other) => other.includes(each)));
}

const logLine =
  /^\s*(\{.*\}|<\d{1,3}>.*|\S*\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*|[A-Z][a-z]{2}\s+\d{1,2} \d{2}:\d{2}:\d{2} .*|\d{1,3}(\.\d{1,3}){3} .*|(GET|POST|PUT|HEAD|DELETE) \S+ HTTP\/.*|type=[A-Z_]+ .*)$/;

/** Most lines begin as lines of logs do. */
export function looksLikeLog(text: string): boolean {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 40);
  return lines.length > 0 && lines.filter((line) => logLine.test(line)).length * 2 > lines.length;
}

export const destinationsOfText = (text: string): Destination[] =>
  looksLikeLog(text) ? ['threats'] : ['moderation', 'chat'];
