/** Shorter forms of a name that a text gives in full: “Ms Nurul” is Nurul Aisyah binti Hassan, 陈先生 is 陈伟明. */

const address =
  /^(?:mr|mrs|ms|mdm|miss|madam|dr|prof|sir|encik|en|puan|pn|cik|tuan|datuk|dato|datin|haji|hajah)\.? |(?:先生|女士|小姐|太太|老师|医生)$/giu;
/** Behind these stands the father's name. */
const child = /^(?:bin|binti|bt|bte|b\.|a\/l|a\/p|s\/o|d\/o|anak)$/u;
const isHan = (name: string): boolean => /^\p{Script=Han}+$/u.test(name);

const plain = (name: string): string => name.replace(address, '').toLowerCase().replace(/\s+/gu, ' ').trim();

/** A person's own words, without the father's. */
function ownWords(name: string): string[] {
  const words = plain(name).split(' ');
  const end = words.findIndex((word) => child.test(word));
  return end > 0 ? words.slice(0, end) : words;
}

function isShorter(short: string, full: string): boolean {
  const [a, b] = [plain(short), plain(full)];
  if (a === '' || a.length >= b.length) return false;
  if (isHan(a) || isHan(b))
    return isHan(a) && isHan(b) && (b.startsWith(a) || (a.length > 1 && b.endsWith(a)));
  if (b.startsWith(`${a} `)) return true;
  const words = ownWords(full);
  return words.length > 1 && a.split(' ').every((word) => word.length > 1 && words.includes(word));
}

/** Each name as its longest form in the text, where only one person can be meant; else as it is. */
export function fullNames(names: readonly string[]): (name: string) => string {
  const distinct = [...new Map(names.map((name) => [plain(name), name])).values()];
  const full = new Map(
    distinct.map((name) => {
      const longer = distinct.filter((other) => isShorter(name, other));
      // Forms of one another are one person: “Nurul”, “Nurul Aisyah”, “Nurul Aisyah binti Hassan”.
      const longest = longer.filter((one) => !longer.some((other) => isShorter(one, other)));
      return [plain(name), longest.length === 1 ? longest[0]! : name] as const;
    }),
  );
  return (name) => full.get(plain(name)) ?? name;
}
