import { RE2JS } from 're2js';

export type LateRegex = Pick<RE2JS, 'test'>;

/**
 * A pattern of RE2 in which `.` meets line breaks too, compiled when it is first asked: most of a pack's are asked by no text of a
 * session, and to compile all takes longer than everything else at opening. A pattern that is none throws then.
 */
export function lateRegex(pattern: string): LateRegex {
  let regex: RE2JS | undefined;
  return {
    test: (text) => {
      regex ??= RE2JS.compile(pattern, RE2JS.DOTALL);
      return regex.test(text);
    },
  };
}
