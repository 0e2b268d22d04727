/** Never given out as the first two letters of a British National Insurance number. */
const unused = new Set(['BG', 'GB', 'KN', 'NK', 'NT', 'TN', 'ZZ']);

/** True for a British National Insurance number: two letters that are given out, six digits, a suffix of A to D. */
export function isNationalInsurance(text: string): boolean {
  const plain = text.toUpperCase().replace(/[ -]/g, '');
  // QQ is the example that forms and letters print.
  return (
    /^(?:[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]|QQ)\d{6}[A-D]$/.test(plain) && !unused.has(plain.slice(0, 2))
  );
}
