/** Ranks what the palette offers by what was typed: every word must begin a word of the title, or else occur in it. Pure. */

export interface PaletteItem {
  id: string;
  group: 'recents' | 'actions' | 'pages' | 'packs' | 'settings';
  title: string;
  /** Shown beside the title, and searched too. */
  note?: string;
  /** Other words that people look for it by; searched, not shown. */
  words?: string;
  /** A shortcut that does the same. */
  keys?: string;
  run: () => void;
}

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

function scoreOf(word: string, text: string): number {
  if (text.startsWith(word)) return 3;
  if (text.includes(` ${word}`)) return 2;
  return text.includes(word) ? 1 : 0;
}

/** Null: a word occurs nowhere. */
function rankOf(item: PaletteItem, words: readonly string[]): number | null {
  const title = fold(item.title);
  const note = fold(item.note ?? '');
  const others = fold(item.words ?? '');
  let rank = 0;
  for (const word of words) {
    const score = Math.max(scoreOf(word, title) * 2, scoreOf(word, note), scoreOf(word, others));
    if (score === 0) return null;
    rank += score;
  }
  return rank;
}

/** Best first; equals stay in the order they came in. Nothing typed: all of them. */
export function searchPalette(items: readonly PaletteItem[], typed: string): PaletteItem[] {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...items];
  return items
    .map((item) => ({ item, rank: rankOf(item, words) }))
    .filter((each): each is { item: PaletteItem; rank: number } => each.rank !== null)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ item }) => item);
}
