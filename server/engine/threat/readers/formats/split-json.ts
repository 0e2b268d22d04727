/** Finds where JSON values begin and end without building them, so that pretty-printed and concatenated values keep their lines. */

export interface Range {
  start: number;
  end: number;
}

/**
 * The end (exclusive) of the object or list that opens at `start`, or -1 when it never closes. One pass, no recursion:
 * the depth of nesting costs nothing.
 */
export function jsonEnd(text: string, start: number, limit = text.length): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < limit; i += 1) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 92) i += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

/** The objects directly inside the list that spans `range`. */
export function listItems(text: string, range: Range): Range[] {
  const items: Range[] = [];
  let i = range.start + 1;
  while (i < range.end - 1) {
    const code = text.charCodeAt(i);
    if (code === 123 || code === 91) {
      const end = jsonEnd(text, i, range.end);
      if (end < 0) return items;
      items.push({ start: i, end });
      i = end;
    } else i += 1;
  }
  return items;
}
