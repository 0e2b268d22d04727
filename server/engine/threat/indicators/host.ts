/** Files, keys, hashes, programs and other things found on a host. */
import { isBitcoinAddress } from '../../identifiers/bitcoin.ts';
import type { IndicatorMatch } from './indicator-match.ts';

const HEX = /(?<![0-9a-z_/+=-])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-z_/+-])/giu;
const CVE = /(?<![\w-])CVE[-\u2010-\u2013 _](\d{4})[-\u2010-\u2013 _](\d{4,7})(?![\w])/giu;
const BITCOIN =
  /(?<![\w])(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[02-9ac-hj-np-z]{11,71}|BC1[02-9AC-HJ-NP-Z]{11,71})(?![\w])/gu;
/** Words of one path component: only the last may hold a dot, so that a sentence after a file name is not drawn in. */
const COMPONENT = String.raw`(?:[^\\/:*?"<>|\s,;'=().]{1,80} ){0,4}[^\\/:*?"<>|\s,;'=()]{1,120}(?: \(x86\))?`;
const REGISTRY =
  /(?<![\w\\])(?:HKEY_(?:LOCAL_MACHINE|CURRENT_USER|CLASSES_ROOT|USERS|CURRENT_CONFIG)|HKLM|HKCU|HKCR|HKU|HKCC|\\REGISTRY\\(?:MACHINE|USER)):?(?:\\(?:[^\\\s"'<>|,;().:=]{1,80} ){0,4}[^\\\s"'<>|,;():=]{1,120}(?=\\)){0,24}\\[^\\\s"'<>|,;():=]{1,120}/giu;
const WINDOWS_PATH = new RegExp(
  String.raw`(?<![\w\\/])(?:[A-Za-z]:\\|\\\\(?:\?\\|\.\\)?[\w.$-]{1,64}\\|%[A-Za-z]{2,32}%\\)(?:${COMPONENT}\\){0,24}(?:(?:[^\\/:*?"<>|\s,;'=().]{1,60} ){1,3}[^\\/:*?"<>|\s,;'=().]{1,80}\.[A-Za-z0-9]{1,5}(?![A-Za-z0-9.])|[^\\/:*?"<>|\s,;'=()]{1,120})`,
  'gu',
);
const UNIX_PATH =
  /(?<![\w/.:%-])\/(?:etc|usr|var|tmp|home|opt|bin|sbin|lib|lib64|dev|proc|root|mnt|srv|run|boot|sys|Users|Library|Applications|private|System|Volumes)(?:\/[\w.@%+~-]{1,120}){1,24}/gu;
const PROGRAM = /(?<![\w\\/.:%-])[\w-][\w.-]{0,62}\.(?:exe|scr|pif)(?![\w\\/-]|\.\w)/giu;

/** Names whose 32 or 40 hexadecimal digits are no file's hash. */
const NOT_A_HASH =
  /(?:trace|span|session|request|token|nonce|csrf|xsrf|etag|guid|uuid|correlation|apikey|api_key|secret|jti|cookie|sid|imphash|commit|revision|sha512|parent|event|user|device|client|tenant|account|transaction|message)[\w-]{0,12}["']?\s?[:=]\s?["']?$/iu;
const HASH_TYPES: Readonly<Record<number, 'md5' | 'sha1' | 'sha256'>> = {
  32: 'md5',
  40: 'sha1',
  64: 'sha256',
};

export function findHost(text: string): IndicatorMatch[] {
  return [
    ...hashes(text),
    ...cves(text),
    ...bitcoin(text),
    ...matched(text, REGISTRY, registry),
    ...matched(text, WINDOWS_PATH, path),
    ...matched(text, UNIX_PATH, path),
    ...matched(text, PROGRAM, program),
  ];
}

function matched(
  text: string,
  pattern: RegExp,
  make: (value: string) => Pick<IndicatorMatch, 'type' | 'value' | 'scope'> | null,
): IndicatorMatch[] {
  const found: IndicatorMatch[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = match[0].replace(/[\s.,:]+$/u, '');
    const made = make(value);
    if (made !== null) found.push({ ...made, start: match.index, end: match.index + value.length });
  }
  return found;
}

function hashes(text: string): IndicatorMatch[] {
  const found: IndicatorMatch[] = [];
  for (const match of text.matchAll(HEX)) {
    const value = match[0].toLowerCase();
    const type = HASH_TYPES[value.length];
    const isNumber = /^\d+$/u.test(value) || new Set(value).size < 6;
    if (
      type === undefined ||
      isNumber ||
      NOT_A_HASH.test(text.slice(Math.max(0, match.index - 40), match.index))
    )
      continue;
    found.push({ type, value, start: match.index, end: match.index + value.length, scope: 'public' });
  }
  // Sysmon writes `MD5=…`, where `=` stands before the digits.
  for (const match of text.matchAll(/(?:MD5|SHA1|SHA-?256)=([0-9a-f]{32,64})(?![0-9a-z])/giu)) {
    const value = (match[1] as string).toLowerCase();
    const type = HASH_TYPES[value.length];
    const start = match.index + match[0].length - value.length;
    if (type !== undefined && new Set(value).size >= 6)
      found.push({ type, value, start, end: start + value.length, scope: 'public' });
  }
  return found;
}

function cves(text: string): IndicatorMatch[] {
  return [...text.matchAll(CVE)]
    .filter((match) => Number(match[1]) >= 1999 && Number(match[1]) < 2100)
    .map((match) => ({
      type: 'cve',
      value: `CVE-${match[1]}-${match[2]}`,
      start: match.index,
      end: match.index + match[0].length,
      scope: 'public',
    }));
}

function bitcoin(text: string): IndicatorMatch[] {
  return [...text.matchAll(BITCOIN)]
    .filter((match) => isBitcoinAddress(match[0]))
    .map((match) => ({
      type: 'bitcoin',
      value: match[0],
      start: match.index,
      end: match.index + match[0].length,
      scope: 'public',
    }));
}

const HIVES: Readonly<Record<string, string>> = {
  HKEY_LOCAL_MACHINE: 'HKLM',
  HKEY_CURRENT_USER: 'HKCU',
  HKEY_CLASSES_ROOT: 'HKCR',
  HKEY_USERS: 'HKU',
  HKEY_CURRENT_CONFIG: 'HKCC',
  '\\REGISTRY\\MACHINE': 'HKLM',
  '\\REGISTRY\\USER': 'HKU',
};

export function registry(value: string): Pick<IndicatorMatch, 'type' | 'value' | 'scope'> {
  const hive = Object.keys(HIVES).find((name) => value.toUpperCase().startsWith(name));
  const short = hive === undefined ? value : (HIVES[hive] as string) + value.slice(hive.length);
  // PowerShell writes `HKLM:\\`; no other colon may stand in a key.
  return { type: 'registry_key', value: short.replace(/^(HK\w{1,2}):/u, '$1'), scope: 'public' };
}

const SYSTEM_PATH =
  /^(?:c:\\windows\\(?:system32|syswow64|explorer\.exe)|c:\\program files(?: \(x86\))?\\(?:microsoft|windows)|\/usr\/(?:s?bin|lib)\/|\/s?bin\/|\/lib(?:64)?\/|\/dev\/(?:null|pts|tty))/iu;

/** Files in places where intruders lay down programs, and scripts among pictures or uploads: worth looking for elsewhere. */
const DROPPED =
  /^(?:\/tmp|\/var\/tmp|\/dev\/shm|\/run\/shm)\/[^/]|(?:\\(?:temp|tmp|public|programdata|appdata|downloads|perflogs|\$recycle\.bin)\\|^%(?:temp|tmp|appdata|localappdata|public|programdata)%\\).*\.(?:exe|dll|scr|ps1|vbs|vbe|js|jse|bat|cmd|hta|lnk|jar|iso|img|msi|py|zip|rar|7z)$|\/(?:uploads?|uploaded|images?|img|pics?|photos?|pictures|files?|media|avatars?|attachments?)\/(?:[\w.-]+\/)*[\w.-]+\.(?:php\d?|phtml|phar|aspx?|ashx|asmx|jspx?|cfm)$/iu;

export const isDropped = (value: string): boolean => DROPPED.test(value);

export function path(value: string): Pick<IndicatorMatch, 'type' | 'value' | 'scope'> {
  return { type: 'file_path', value, scope: SYSTEM_PATH.test(value) ? 'system' : 'public' };
}

const SYSTEM_PROGRAMS =
  /^(?:svchost|explorer|services|lsass|wininit|winlogon|csrss|smss|taskhostw|runtimebroker|searchindexer|spoolsv|dwm|conhost|sihost|ctfmon|fontdrvhost|chrome|msedge|firefox|outlook|teams|onedrive|winword|excel|msmpeng)\.exe$/iu;

export function program(value: string): Pick<IndicatorMatch, 'type' | 'value' | 'scope'> | null {
  return { type: 'process', value, scope: SYSTEM_PROGRAMS.test(value) ? 'system' : 'public' };
}
