/**
 * Patterns made of a vocabulary's, each compiled once: a vocabulary comes with its pack, so that none can be compiled before.
 *
 * @param build the pattern made of the vocabulary's
 */
export function derivedPattern(build: (words: RegExp) => RegExp): (words: RegExp) => RegExp {
  const built = new Map<RegExp, RegExp>();
  return (words) => {
    const known = built.get(words) ?? build(words);
    built.set(words, known);
    return known;
  };
}
