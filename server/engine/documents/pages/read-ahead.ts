/** Pages that are read beside each other: what one computes here runs while the networks read another. */

/** Reads `count` pages at once and gives them in their order. After an error the pages under way are waited for. */
export async function* readAhead<Read>(
  numbers: readonly number[],
  count: number,
  read: (number: number) => Promise<Read>,
): AsyncGenerator<Read> {
  const running: Promise<Read>[] = [];
  let next = 0;
  try {
    while (next < numbers.length || running.length > 0) {
      while (running.length < count && next < numbers.length) {
        const page = read(numbers[next++]!);
        // It is awaited in its turn; until then its error is nobody's.
        page.catch(() => undefined);
        running.push(page);
      }
      yield await running.shift()!;
    }
  } finally {
    await Promise.allSettled(running);
  }
}
