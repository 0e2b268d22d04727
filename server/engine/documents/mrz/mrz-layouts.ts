/** Characters that may stand at each place of a machine-readable zone (ICAO Doc 9303 parts 4 to 7). */

export type MrzFormat = 'TD1' | 'TD2' | 'TD3' | 'MRV-A' | 'MRV-B';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';

/** L letters or filler, D digits, F digits or filler, S sex, C the code a document begins with, A anything. */
const alphabets: Record<string, string> = {
  L: `${letters}<`,
  D: digits,
  F: `${digits}<`,
  S: 'MFX<',
  C: 'PVIAC',
  A: `${letters}${digits}<`,
};

/** `A9` is nine places of class A. */
const expand = (pattern: string): string[] =>
  [...pattern.matchAll(/([A-Z])(\d*)/g)].flatMap(([, kind, count]) =>
    Array<string>(Number(count || 1)).fill(alphabets[kind!]!),
  );

/** Number, its digit, nationality, birth, sex, expiry: the same in every form of two lines. */
const secondHead = 'A9FL3F6DSF6D';

/** Lines of each form; each line a list of the characters allowed at its places. */
export const mrzLayouts: Record<MrzFormat, string[][]> = {
  TD3: [expand('CL43'), expand(`${secondHead}A14FD`)],
  TD2: [expand('CL35'), expand(`${secondHead}A7D`)],
  TD1: [expand('CL4A9FA15'), expand('F6DSF6DL3A11D'), expand('L30')],
  'MRV-A': [expand('CL43'), expand(`${secondHead}A16`)],
  'MRV-B': [expand('CL35'), expand(`${secondHead}A8`)],
};
