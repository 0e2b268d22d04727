/** Verhoeff's check: products of the group of ten, and what each place does to its digit. */
const product = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const places = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

/** True for an Indian Aadhaar number: twelve digits, the first 2 to 9, with the check digit of Verhoeff. */
export function isAadhaar(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (!/^[2-9]\d{11}$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries())
    sum = Number(product[sum]![Number(places[index % 8]![Number(digit)])]);
  return sum === 0;
}
