import type { LogEvent } from '../readers/event.ts';
import type { Language } from '../types.ts';

const MALAY = new Set(
  'dan yang untuk telah dengan pada dari daripada tidak adalah ini itu kepada oleh akan atau dalam sila pengguna gagal kata laluan pelayan cubaan serangan log masuk sistem kami saya ada boleh apakah kenapa'.split(
    ' ',
  ),
);
const MIN_WORDS = 3;

/** The language of what is not log: a question or note around the lines. English when nothing speaks for another. */
export function guessLanguage(events: readonly LogEvent[]): Language {
  const prose = events
    .filter((event) => event.format === 'text')
    .map((event) => event.raw)
    .join('\n')
    .slice(0, 8192);
  const han = (prose.match(/\p{Script=Han}/gu) ?? []).length;
  if (han >= 4 && han * 4 > prose.replace(/\s/gu, '').length) return 'zh';
  const words = new Set((prose.toLowerCase().match(/[a-z]{3,}/gu) ?? []).filter((word) => MALAY.has(word)));
  return words.size >= MIN_WORDS ? 'ms' : 'en';
}
