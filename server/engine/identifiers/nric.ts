const weights = [2, 7, 6, 5, 4, 3, 2];
const offsets: Record<string, number> = { T: 4, G: 4, M: 3 };

/** True for a Singapore NRIC or FIN: a prefix, seven digits and the letter that their weighted sum gives. */
export function isNric(text: string): boolean {
  const upper = text.toUpperCase();
  const prefix = upper[0] ?? '';
  const digits = weights.reduce((total, weight, index) => total + weight * Number(upper[index + 1]), 0);
  const rest = (digits + (offsets[prefix] ?? 0)) % 11;
  if (prefix === 'M') return 'KLJNPQRTUWX'[10 - rest] === upper[8];
  return ('ST'.includes(prefix) ? 'JZIHGFEDCBA' : 'XWUTRQPNMLK')[rest] === upper[8];
}
