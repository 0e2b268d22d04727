/** Messages of engines begin with a small letter, as parts of a line; the name of a field (`param`) keeps its own. */
export function toSentence(message: string, param: string | null): string {
  const [word = ''] = /^\p{Ll}+(?= )/u.exec(message) ?? [];
  const isName = word === '' || param?.split(/[.[]/).includes(word);
  return isName ? message : `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}
