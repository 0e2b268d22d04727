import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeFileDefect } from '../../server/engine/file-defect.ts';

it('says what a reader said on purpose, on one line and without its full stop', () => {
  expect(describeFileDefect(new Error('the header is cut off.\nat byte 7'))).toBe('the header is cut off');
});

it('does not tell where the files lie', () => {
  const line = (path: string) => {
    try {
      readFileSync(path);
    } catch (error) {
      return describeFileDefect(error);
    }
  };
  expect(line('/nowhere/secret/file')).toBe('a file of it is missing');
  expect(line('/')).toBe('a file of it cannot be read (EISDIR)');
});

it.each([
  () => JSON.parse('{"secret text": }'),
  () => (null as unknown as { type: string }).type,
  () => new Uint8Array(-1),
  () => 'x'.repeat(2 ** 30),
])('does not quote the file or the program: %s', (read) => {
  let line = '';
  try {
    read();
  } catch (error) {
    line = describeFileDefect(error);
  }
  expect(line).toBe('it is damaged, or of a kind that is not read');
});
