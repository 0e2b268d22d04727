/** Places of personal data in a text of any length, as the shield finds them in pieces that it takes. */
import type { EngineCall, Engines } from '../../hosts/engines.ts';

export interface PersonalSpan {
  /** UTF-16 offsets. */
  start: number;
  end: number;
  kind: string;
}

/** The service takes 32 KB of UTF-8, and no character takes more than three bytes of it. */
const pieceLength = 10_000;

/** Cut behind a line, else behind a blank. */
function* piecesOf(text: string): Generator<{ from: number; text: string }> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + pieceLength);
    if (to < text.length) {
      const cut = Math.max(text.lastIndexOf('\n', to - 1), text.lastIndexOf(' ', to - 1));
      const line = text.lastIndexOf('\n', to - 1);
      if (line > from + pieceLength / 2) to = line + 1;
      else if (cut > from) to = cut + 1;
    }
    yield { from, text: text.slice(from, to) };
    from = to;
  }
}

/** In order, none over another; the longer of two that overlap counts. */
export async function findPersonalSpans(
  text: string,
  kinds: readonly string[] | null,
  { engines, call }: { engines: Pick<Engines, 'call'>; call: EngineCall },
): Promise<PersonalSpan[]> {
  const found: PersonalSpan[] = [];
  for (const piece of piecesOf(text)) {
    if (piece.text.trim() === '') continue;
    const params = { text: piece.text, categories: ['pii_exposure' as const] };
    const { spans } = await engines.call('svc-shield-base', 'classify', params, call);
    for (const { category, start, end, kind = 'personal_data' } of spans)
      if (category === 'pii_exposure' && (kinds === null || kinds.includes(kind)) && end > start)
        found.push({ start: piece.from + start, end: piece.from + end, kind });
  }
  const kept: PersonalSpan[] = [];
  for (const span of found.toSorted((a, b) => b.end - b.start - (a.end - a.start)))
    if (!kept.some((other) => other.start < span.end && other.end > span.start)) kept.push(span);
  return kept.toSorted((a, b) => a.start - b.start);
}
