const longest = 80;

/** The first line with words, for a title; null: there is none. */
export function firstLine(text: string): string | null {
  const line = text.trimStart().split('\n', 1)[0]?.trim() ?? '';
  if (line === '') return null;
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
