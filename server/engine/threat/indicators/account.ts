/** Accounts and programs that the events' fields name; they are looked up in the text to keep exact offsets. */
import type { LogEvent } from '../readers/event.ts';
import { path, program, registry } from './host.ts';
import type { IndicatorMatch } from './indicator-match.ts';
import type { RefangedText } from './refang.ts';

const USER_FIELDS = [
  'user',
  'username',
  'user_name',
  'targetusername',
  'subjectusername',
  'target_user',
  'suser',
  'duser',
  'usrname',
  'cs-username',
  'account',
  'accountname',
  'useridentity.username',
  'user.username',
  'user.name',
  'userprincipalname',
  'userid',
  'acct',
  'parentuser',
  'logon_user',
  'actor.alternateid',
];
const IMAGE_FIELDS = [
  'image',
  'parentimage',
  'newprocessname',
  'sourceimage',
  'targetimage',
  'process',
  'process_name',
  'processname',
  'dproc',
  'sproc',
  'comm',
  'exe',
  'process.name',
];
/** Fields that hold a whole path or key, spaces and all. */
const WHOLE_FIELDS: readonly [string, 'file_path' | 'registry_key'][] = [
  ['image', 'file_path'],
  ['parentimage', 'file_path'],
  ['targetfilename', 'file_path'],
  ['imageloaded', 'file_path'],
  ['newprocessname', 'file_path'],
  ['targetobject', 'registry_key'],
];
const NOBODY =
  /^(?:-|n\/a|null|none|unknown|\(null\)|undefined|anonymous|\?|\*|all|me|you|from|the|invalid|account)$/iu;
const SYSTEM_USER =
  /^(?:(?:NT AUTHORITY|NT-AUTORIT.T|Window Manager|Font Driver Host)\\.{1,40}|system|local service|network service|local system|DWM-\d|UMFD-\d|root|nobody|daemon|www-data|S-1-5-(?:18|19|20)|system:.{1,64})$/iu;
const USER_TEXT =
  /(?<![\w/.?&-])(?:user(?:name)?|account(?: name)?|login|acct|pengguna)(?:\s?[=:]\s?|\s(?:is\s|named?\s)?)["']?((?:[A-Za-z][\w.-]{0,30}\\)?[A-Za-z_][\w.$-]{1,40})(?![\w\\]|\.\w)|\b(?:for|by) (?:invalid user |user )?([A-Za-z_][\w.-]{0,40})(?: from |\(uid=)|(?:用户|帐户|账户|账号)[:：\s]{0,2}([A-Za-z_][\w.-]{0,40})/giu;
/** Words that follow "user" or "account" in prose. */
const PROSE = new Set(
  'name names agent agents id ids the is was has had have and or not to from in on of for by with at this that can could may might will would must should account accounts login logged created added deleted changed logon type domain sid info data input profile group groups http https mode space interface enumeration activity behavior behaviour session sessions action actions are were be who which where when if does did do failed success successful shell root-level rights privileges privilege access authentication credential credentials password passwords management locked lockout lists list control manager service services invalid unknown without using via after before during object objects role roles permission permissions request requests device devices been being it its as an any all new within until till since today tomorrow now immediately soon again because so but details number statement balance verification update updates team support security payment card holder holders'.split(
    ' ',
  ),
);

export function findAccounts(refanged: RefangedText, events: readonly LogEvent[]): IndicatorMatch[] {
  const found: IndicatorMatch[] = [];
  for (const match of refanged.text.matchAll(USER_TEXT)) {
    const value = (match[1] ?? match[2] ?? match[3]) as string;
    if (PROSE.has(value.toLowerCase()) || NOBODY.test(value)) continue;
    const start = match.index + match[0].lastIndexOf(value);
    found.push(userFound(value, start));
  }
  const finder = new Finder(refanged);
  for (const event of events) {
    if (event.fields.size < 2) continue;
    for (const name of USER_FIELDS)
      for (const value of event.fields.get(name) ?? []) addUser(found, finder, { event, value });
    for (const [name, type] of WHOLE_FIELDS)
      for (const value of event.fields.get(name) ?? []) addWhole(found, finder, { event, value, type });
    for (const name of IMAGE_FIELDS)
      for (const value of event.fields.get(name) ?? []) addProgram(found, finder, { event, value });
  }
  return found;
}

const userFound = (value: string, start: number): IndicatorMatch => ({
  type: 'user',
  value,
  start,
  end: start + value.length,
  scope: SYSTEM_USER.test(value) || value.endsWith('$') ? 'system' : 'public',
});

interface Held {
  event: LogEvent;
  value: string;
}

function addUser(found: IndicatorMatch[], finder: Finder, { event, value }: Held): void {
  if (
    value.length < 2 ||
    value.length > 80 ||
    NOBODY.test(value) ||
    /^S-1-\d|^\d+$|^arn:|[%'"<>;]/u.test(value) ||
    value.includes('@')
  )
    return;
  const start = finder.find(event, value);
  if (start >= 0) found.push(userFound(value, start));
}

function addProgram(found: IndicatorMatch[], finder: Finder, { event, value }: Held): void {
  const name = value.slice(Math.max(value.lastIndexOf('\\'), value.lastIndexOf('/')) + 1);
  if (name.length < 2 || name.length > 80 || !/^[\w][\w .()+-]*$/u.test(name) || /^\d+$/u.test(name)) return;
  const start = finder.find(event, value);
  const made = program(name);
  if (start >= 0 && made !== null)
    found.push({ ...made, start: start + value.length - name.length, end: start + value.length });
}

function addWhole(
  found: IndicatorMatch[],
  finder: Finder,
  { event, value, type }: Held & { type: 'file_path' | 'registry_key' },
): void {
  if (
    type === 'file_path'
      ? !/^(?:[A-Za-z]:\\|\/|\\\\).{2,512}$/u.test(value)
      : !/^(?:HK|\\REGISTRY).{4,512}$/u.test(value)
  )
    return;
  const start = finder.find(event, value);
  if (start >= 0)
    found.push({
      ...(type === 'file_path' ? path(value) : registry(value)),
      start,
      end: start + value.length,
    });
}

/** Finds a field's value inside its event's stretch of the refanged text. */
class Finder {
  readonly #refanged: RefangedText;
  constructor(refanged: RefangedText) {
    this.#refanged = refanged;
  }

  find(event: LogEvent, value: string): number {
    const from = this.#index(event.start);
    const at = this.#refanged.text.indexOf(value, from);
    return at >= 0 && (this.#refanged.origin[at] as number) < event.end ? at : -1;
  }

  /** First refanged index that stems from the offset or later. */
  #index(offset: number): number {
    let low = 0;
    let high = this.#refanged.text.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#refanged.origin[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
