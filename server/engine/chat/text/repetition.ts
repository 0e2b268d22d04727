/** Notices a small decoder that has begun to say the same again and again. */

const longestUnit = 24;
/** Times that a unit may stand one behind the other; signs and digits alone (1,000,000, a ruled line) more often. */
const most = { words: 3, signs: 7 };

/** The same words may be other tokens: with a blank before them, in other pieces. One letter alone (#ffffff) is no word. */
const longestText = 120;
const sameWords = /(?=.{0,40}\p{L})(?!(.)\1{5})(.{2,40}?)\2\2$/su;

export class Repetition {
  readonly #bytesOf: (token: number) => Uint8Array;
  readonly #tokens: number[] = [];
  #text = '';

  constructor(bytesOf: (token: number) => Uint8Array) {
    this.#bytesOf = bytesOf;
  }

  /** @returns true when the tokens so far end with one unit too many times */
  push(token: number): boolean {
    const tokens = this.#tokens;
    tokens.push(token);
    if (tokens.length > longestUnit * most.signs) tokens.shift();
    this.#text = (this.#text + Buffer.from(this.#bytesOf(token)).toString('utf8')).slice(-longestText);
    if (sameWords.test(this.#text)) return true;
    const end = tokens.length;
    let same = 0;
    for (let unit = 1; unit <= longestUnit && unit * most.words <= end; unit += 1) {
      for (same = 0; same + unit < end && tokens[end - 1 - same] === tokens[end - 1 - same - unit]; )
        same += 1;
      const times = Math.floor(same / unit) + 1;
      if (times >= most.words && times >= (this.#hasLetters(tokens.slice(-unit)) ? most.words : most.signs))
        return true;
    }
    return false;
  }

  #hasLetters(tokens: readonly number[]): boolean {
    const text = Buffer.concat(tokens.map((token) => this.#bytesOf(token))).toString('utf8');
    // Bytes that are no sign by themselves count as words.
    return /[\p{L}\uFFFD]/u.test(text);
  }
}
