/** The question that stands for a field, an argument or a function. */

export interface Named {
  key: string;
  description: string;
}

/** `vendorName`, `vendor_name`: vendor name. */
export const wordsOfKey = (key: string): string =>
  key
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|[_.-]+/gu, ' ')
    .toLowerCase()
    .trim();

/** @param about the function it is an argument of, or a function's arguments @param option one of the values to choose among */
export function questionOf({ key, description }: Named, about: string, option?: string): string {
  const named = [wordsOfKey(key), description.replaceAll(/\s+/gu, ' ').slice(0, 160)]
    .filter(Boolean)
    .join(': ');
  const of = about === '' ? '' : ` ; ${wordsOfKey(about)}`;
  return option === undefined ? `${named}${of}` : `= ${wordsOfKey(option)} ; ${named}${of}`;
}
