/** Bytes as text: by byte order mark, declared charset, UTF-8, then what Chinese and western files without one are mostly in. */

/** @param isCut its last character may be parted */
const decoded = (bytes: Uint8Array, charset: string, fatal: boolean, isCut = false): string | null => {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
};

function byOrderMark([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/** Mostly Chinese characters beyond ASCII: what is of another charset decodes to rare ones and signs. */
function looksChinese(text: string): boolean {
  const beyond = text.match(/[^\p{ASCII}\s]/gu) ?? [];
  return (
    beyond.length > 1 &&
    beyond.filter((sign) => /[\p{Script=Han}，。、：；“”]/u.test(sign)).length > 0.8 * beyond.length
  );
}

/** @param charset as the file declares it; an unknown one counts as none */
export function bytesToText(bytes: Uint8Array, charset: string | null = null): string {
  const known = byOrderMark(bytes) ?? charset;
  const declared = known === null ? null : decoded(bytes, known, false);
  if (declared !== null) return declared;
  const utf8 = decoded(bytes, 'utf-8', true);
  if (utf8 !== null) return utf8;
  const chinese = decoded(bytes, 'gb18030', true);
  return chinese !== null && looksChinese(chinese) ? chinese : decoded(bytes, 'windows-1252', false)!;
}

/** True where nothing tells the charset of bytes beyond ASCII, and windows-1252 is what is left. */
export function isGuessed(bytes: Uint8Array): boolean {
  if (byOrderMark(bytes) !== null || decoded(bytes, 'utf-8', true) !== null) return false;
  const chinese = decoded(bytes, 'gb18030', true);
  return chinese === null || !looksChinese(chinese);
}

/** Of a western text: letters beyond ASCII that stand within words, or few signs. */
const mostHigh = 0.35;
const letterShare = 0.8;

/** Latin letters of windows-1252, one or two at a time beside those of ASCII; longer runs are of another charset, or of none. */
function looksWestern(sample: Uint8Array, high: number): boolean {
  if (high > mostHigh * sample.length) return false;
  const text = decoded(sample, 'windows-1252', false)!;
  const among =
    text.match(/(?<![\xc0-\xff])[\xc0-\xd6\xd8-\xf6\xf8-\xff]{1,2}(?![\xc0-\xff])|[€„…‘’“”–—\xa0£§«°»¡¿]/g) ??
    [];
  return among.join('').length >= letterShare * high;
}

/** Characters that no text has. */
const controls = /[^\P{Cc}\t\n\r\f]/u;

const sampleBytes = 1 << 16;

/** True for bytes that are text: no control characters, and few beyond ASCII where they are not UTF-8. */
export function isTextFile(bytes: Uint8Array): boolean {
  if (byOrderMark(bytes))
    return bytes.length % 2 === 0 && !controls.test(bytesToText(bytes.subarray(0, sampleBytes)));
  const sample = bytes.subarray(0, sampleBytes);
  let high = 0;
  for (const byte of sample) {
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12) return false;
    if (byte === 127) return false;
    if (byte > 127) high++;
  }
  const isCut = sample.length < bytes.length;
  if (high === 0 || decoded(sample, 'utf-8', true, isCut) !== null) return true;
  const chinese = decoded(sample, 'gb18030', true, isCut);
  return (
    (chinese !== null && looksChinese(chinese)) || high < 0.1 * sample.length || looksWestern(sample, high)
  );
}
