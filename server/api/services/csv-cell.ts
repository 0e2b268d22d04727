/** Beginnings that a spreadsheet takes for a formula (OWASP, "CSV injection"); a number with its sign and a lone dash are none. */
const formula = /^(?:[=@\t\r]|[+-](?![\d.,\s]*(?:e[+-]?\d+)?%?$))/i;

/** A cell of comma-separated values (RFC 4180), the same in every export; an apostrophe keeps what would run a text. */
export function toCsvCell(value: string | number | boolean | null): string {
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
