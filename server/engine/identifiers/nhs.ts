/** True for ten digits whose last is the check digit of a British NHS number (modulo 11), and which are not all the same. */
export function isNhsNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (digits.length !== 10 || /^(\d)\1+$/.test(digits)) return false;
  const sum = [...digits.slice(0, 9)].reduce(
    (total, digit, index) => total + (10 - index) * Number(digit),
    0,
  );
  return (11 - (sum % 11)) % 11 === Number(digits[9]);
}
