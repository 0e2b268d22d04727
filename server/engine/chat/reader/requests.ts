/** Requests that forbid an action or only ask about it, and words that tell no argument. */
export interface RequestWords {
  /** A clause that forbids. */
  forbids: RegExp;
  /** Asks how something works. */
  explains: RegExp;
  /** A value of nothing but such words tells nothing: “me”, “please”, “somebody”. */
  empty: RegExp;
}

/** A request without the clauses that forbid; null where nothing else is asked for. */
export function openRequest(said: string, requests: RequestWords): string | null {
  const rest = said.replaceAll(requests.forbids, ' ').trim();
  const isEmpty = rest !== said.trim() && !/[\p{L}\d]/u.test(rest);
  return isEmpty || requests.explains.test(rest) ? null : rest;
}

/** “Show closed issues”: a request's first word, which small letters follow, is what is to be done. */
export const isVerb = (
  { end, start, text: said }: { start: number; end: number; text: string },
  text: string,
): boolean =>
  text.slice(0, start).trim() === '' && /^\p{Lu}\p{Ll}+$/u.test(said) && /^ \p{Ll}/u.test(text.slice(end));
