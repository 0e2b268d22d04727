/** The defect of a file that somebody wants to import, as one line for them. */

/**
 * An error that the reader of the file raised on purpose says it itself. Any other comes of content that nobody expected, and
 * its words are about the program or quote the file.
 */
export function describeFileDefect(error: unknown): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  // Their words hold the path.
  if (syscall !== undefined)
    return code === 'ENOENT' ? 'a file of it is missing' : `a file of it cannot be read (${code})`;
  const isMeant = error instanceof Error && !ofTheProgram.some((kind) => error instanceof kind);
  const line = isMeant ? error.message.split('\n', 1)[0]!.trim().replace(/\.$/, '') : '';
  return line.slice(0, longestLine) || 'it is damaged, or of a kind that is not read';
}

const ofTheProgram = [TypeError, RangeError, SyntaxError, ReferenceError, URIError];
const longestLine = 300;
