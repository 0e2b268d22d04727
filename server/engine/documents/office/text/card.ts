/** Contacts and appointments (vCard, iCalendar): lines joined and values decoded; files within are left out. */

import { leftOut } from '../../../../api/services/encoded-text.ts';
import { quotedPrintable } from '../mail/mime-text.ts';
import { bytesToText } from './bytes-to-text.ts';

export const isCard = (text: string): boolean => /^\uFEFF?\s*BEGIN:VC(?:ARD|ALENDAR)\b/i.test(text);

/** Lines that a soft break of quoted-printable, or a blank at the begin of the next, joins. */
const joined = (text: string): string[] =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/^[^:\n]*;ENCODING=QUOTED-PRINTABLE[^:\n]*:(?:[^\n]*=\n)+/gim, (lines) =>
      lines.replaceAll('=\n', ''),
    )
    .replace(/\n[ \t]/g, '')
    .split('\n');

const isFile = (head: string, value: string): boolean =>
  /;(?:ENCODING=(?:B|BASE64)|BASE64)\b/i.test(head) || /^data:[^,]*;base64,/i.test(value);

export function readCard(source: string): { text: string; warnings: string[] } {
  let files = 0;
  const lines = joined(source).flatMap((line) => {
    const at = /^[^":]*(?:"[^"]*"[^":]*)*:/.exec(line)?.[0].length ?? 0;
    const [head, value] = [line.slice(0, at), line.slice(at)];
    if (isFile(head, value)) {
      files++;
      return [];
    }
    const charset = /;CHARSET="?([\w-]+)/i.exec(head)?.[1] ?? null;
    const isQuoted = /;(?:ENCODING=)?QUOTED-PRINTABLE\b/i.test(head);
    const plain = isQuoted
      ? bytesToText(quotedPrintable(Buffer.from(value).toString('latin1')), charset)
      : value;
    const name = head.replace(/;(?:(?:ENCODING=)?QUOTED-PRINTABLE|CHARSET=[^;:]*)/gi, '');
    return [name + plain.replace(/\\n/gi, '\n').replace(/\\([,;\\])/g, '$1')];
  });
  return {
    text: lines.join('\n'),
    warnings: files > 0 ? [`${leftOut.attached} ${files} within the card.`] : [],
  };
}
