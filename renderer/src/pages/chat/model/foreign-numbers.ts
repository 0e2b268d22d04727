/** Numbers of an answer that stand nowhere in what it was asked about: worked out, or made up. Pure. */

const numbers = /\d(?:[\d.,:/-]*\d)?/g;
const isoDate = /^(?<year>\d{4})-\d\d-(?<day>\d\d)$/;
const dayFirst = /^(?<day>\d{1,2})[./-]\d{1,2}[./-](?<year>\d{4})$/;

/** Two numbers with one form are the same: `1,250.00` and `1250`, `012-345` and `012345`. */
function formOf(number: string): string {
  const plain = number.replaceAll(/,(?=\d{3}(?!\d))/g, '');
  return /^\d+\.\d+$/.test(plain) ? String(Number(plain)) : number.replaceAll(/\D/g, '');
}

/**
 * @param asked all texts that went before the answer
 * @returns numbers of two digits and more, as the answer writes them, each once
 */
export function foreignNumbers(answer: string, asked: readonly string[]): string[] {
  // Also as one: telephone and account numbers are written in groups.
  const joined = asked.map((text) => text.replaceAll(/(?<=\d)[ -](?=\d)/g, ''));
  const known = [...asked, ...joined].flatMap((text) => text.match(numbers) ?? []);
  const forms = new Set(known.map(formOf));
  const parts = new Set(known.flatMap((number) => number.split(/\D+/)));
  const values = new Set([...parts].map(Number));
  function isKnown(number: string): boolean {
    if (forms.has(formOf(number)) || number.split(/\D+/).every((part) => parts.has(part))) return true;
    // A month may stand by its name: the year and the day tell.
    const date = (isoDate.exec(number) ?? dayFirst.exec(number))?.groups;
    return date !== undefined && values.has(Number(date.year)) && values.has(Number(date.day));
  }
  const found = answer.match(numbers) ?? [];
  return [...new Set(found.filter((number) => number.replaceAll(/\D/g, '').length > 1 && !isKnown(number)))];
}
