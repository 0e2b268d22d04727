/** The end of a sentence that begins with the path of a file that could not be read. */
export function whyUnread(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'is not there';
  if (code === 'EISDIR') return 'is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by this user';
  return `cannot be read (${code ?? 'unknown reason'})`;
}
