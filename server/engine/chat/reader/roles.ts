/** Who has a role that the text puts beside a name: “A (landlord) and B (tenant)”, “A as landlord”. */

/** Words around roles (reader.json of a pack). */
export interface RoleWords {
  /** Asks who has a role; the first group that matched is the role. */
  asks: RegExp;
  /** Patterns of a name, and of what stands between a name and its role. */
  name: string;
  link: string;
  /** A word with a capital before a name that is no part of it. */
  lead: RegExp;
}

/** Null where nothing is asked of a role, or the text names none or several with it. */
export function roleAnswer(question: string, text: string, words: RoleWords): string | null {
  const role = words.asks.exec(question.trim())?.slice(1).find(Boolean);
  if (!role) return null;
  const pattern = new RegExp(
    `(?<![\\p{Script=Latin}\\d])(${words.name})(?:${words.link})(?i:${RegExp.escape(role)})(?!\\p{Script=Latin})`,
    'gu',
  );
  const names = [...text.matchAll(pattern)].map(([, name]) => name!.replace(words.lead, ''));
  return new Set(names).size === 1 ? names[0]! : null;
}
