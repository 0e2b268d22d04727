import { RE2JS } from 're2js';
import { SigmaError } from './sigma-error.ts';

const MAX_PATTERN = 4096;

/**
 * A regular expression of a rule, run by RE2: linear in the value whatever the pattern. Look-around and back-references do
 * not exist there, and are refused by name.
 * A trusted one, which a test compiles, is compiled when it is first asked: few of many rules ever are.
 * @throws SigmaError when the pattern is longer than 4,096 characters or no RE2 expression
 */
export function compileRegex(
  pattern: string,
  flags: readonly string[],
  isTrusted = false,
): (value: string) => boolean {
  if (pattern.length > MAX_PATTERN) throw new SigmaError('regular expression longer than 4,096 characters');
  let bits = 0;
  if (flags.includes('i')) bits |= RE2JS.CASE_INSENSITIVE;
  if (flags.includes('m')) bits |= RE2JS.MULTILINE;
  if (flags.includes('s')) bits |= RE2JS.DOTALL;
  if (isTrusted) {
    let late: RE2JS | undefined;
    return (value) => {
      late ??= RE2JS.compile(pattern, bits);
      return late.test(value);
    };
  }
  try {
    const regex = RE2JS.compile(pattern, bits);
    return (value) => regex.test(value);
  } catch (error) {
    throw new SigmaError(
      `regular expression not supported: ${error instanceof Error ? error.message.slice(0, 120) : 'unknown'}`,
    );
  }
}
