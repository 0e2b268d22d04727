/** Guessing: many failed logins from one address, over many accounts, or followed by a success. */
import { isIP } from 'node:net';
import { addressScope } from '../indicators/address.ts';
import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';

const MIN_FAILURES = 5;
const MIN_ACCOUNTS = 4;
/** Attempts, and the words by which they fail, in either order and a few words apart. */
const TRIED = String.raw`(?:log-?on|log-?in|auth\w*|passwords?|passwd|credentials?|sign-?in|user|account|session\.start|kata laluan|log masuk|su|sudoers)`;
const FAILS = `(?:fail(?:ed|ure|s)?|denied|reject(?:ed)?|invalid|incorrect|wrong|mismatch|bad|not match|unauthori[sz]ed|gagal|not in)`;
const FAILED_TEXT = new RegExp(
  String.raw`(?<![a-z])${FAILS}\W{1,4}(?:[\w.]+\W{1,3}){0,3}?${TRIED}|(?<![a-z])${TRIED}[\W_]{0,4}(?:[\w.]+\W{1,3}){0,4}?${FAILS}(?![a-z])|login-?failed|ssl-login-fail|登录失败|登陆失败`,
  'iu',
);
const SUCCESS_TEXT =
  /\b(?:accepted (?:password|publickey|keyboard-interactive\S*)|login succe(?:ss|eded)|logged in successfully|successful login|session opened for user)\b/iu;
const USER_TEXT =
  /\b(?:user(?:name)?|account(?: name)?|acct|duser|userid|for(?: user)?)[=:\s]{1,3}["'<]?([\w.@$\\-]{1,64})/iu;
const SIP_USER = /<sips?:([\w.+-]{1,64})@/iu;
const FAILED_IDS = new Set(['4625', '4771', '4776']);
/** Entra ID's codes of wrong credentials and locked or unknown accounts. */
const FAILED_CODES = /^(?:5012[56]|5003[4]|5005[3-7]|50064|50144|50173|700016|50020)$/u;
/** Failures from many addresses at as many accounts. */
const MIN_SPREAD = 6;

/** A line that stands for many: `x2,911`; not the kind of a processor. */
const TIMES_TEXT = /[\s([][x×] ?(?!(?:86|64)\b)(\d[\d,]{1,9})\b/u;
/** Versions of programs look alike. */
const ADDRESS_TEXT = /(?<![\d.]|[A-Za-z]\/)(\d{1,3}(?:\.\d{1,3}){3})(?![\d.])/u;
/** Accounts that one address outside tries before one lets it in, however few times. */
const MIN_TRIED = 3;

interface Login {
  event: LogEvent;
  failed: boolean;
  /** Attempts for which the line stands. */
  times: number;
  source: string;
  user: string;
}

/** Longer events are not looked at. */
const MAX_LENGTH = 16_384;

function toLogin(event: LogEvent): Login | null {
  if (event.raw.length > MAX_LENGTH) return null;
  const id = firstField(event, 'eventid');
  const outcome =
    firstField(
      event,
      'outcome',
      'status',
      'result',
      'event.outcome',
      'responseelements.consolelogin',
      'outcome.result',
    ) ?? '';
  const code = firstField(event, 'status.errorcode', 'resulttype', 'errorcode');
  let failed: boolean;
  if (id !== undefined && (event.format.startsWith('windows') || FAILED_IDS.has(id) || id === '4624')) {
    if (!FAILED_IDS.has(id) && id !== '4624') return null;
    failed = id !== '4624' && firstField(event, 'status') !== '0x0';
  } else if (code !== undefined && event.fields.has('userprincipalname')) {
    if (code !== '0' && !FAILED_CODES.test(code)) return null;
    failed = code !== '0';
  } else if (
    FAILED_TEXT.test(event.raw) ||
    (/^fail/iu.test(outcome) && /login|logon|auth|signin|session\.start/iu.test(event.raw))
  )
    failed = true;
  else if (
    SUCCESS_TEXT.test(event.raw) ||
    (/^succe/iu.test(outcome) && /login|logon|auth|signin|session\.start/iu.test(event.raw))
  )
    failed = false;
  else return null;
  const line = event.raw.slice(0, 2048);
  const address =
    /\b(?:from|r(?:host|ip|emip|emote[ _]?(?:ip|addr\w*))=?|src=|client:?|source (?:network )?address:?|ip)[\s=:"[]{0,3}([0-9a-f:.]{7,45})\b/iu.exec(
      line,
    )?.[1] ?? ADDRESS_TEXT.exec(line)?.[1];
  const source =
    firstField(
      event,
      'src_ip',
      'ipaddress',
      'sourceip',
      'c-ip',
      'sourceipaddress',
      'rhost',
      'clientip',
      'source.ip',
      'client.ipaddress',
      'srcip',
      'remip',
      'remote_ip',
      'src',
    ) ??
    address ??
    '';
  return {
    event,
    failed,
    times: Number(TIMES_TEXT.exec(line)?.[1]?.replaceAll(',', '') ?? 1),
    source,
    user:
      firstField(
        event,
        'targetusername',
        'user',
        'username',
        'useridentity.username',
        'userprincipalname',
        'actor.alternateid',
        'userid',
        'duser',
        'suser',
      ) ??
      SIP_USER.exec(line)?.[1] ??
      USER_TEXT.exec(line)?.[1] ??
      '',
  };
}

export function findLogins(events: readonly LogEvent[]): Anomaly[] {
  const bySource = new Map<string, Login[]>();
  const all: Login[] = [];
  for (const event of events) {
    const login = toLogin(event);
    if (login === null) continue;
    all.push(login);
    const local = /\b(?:sudo|su)(?:\[\d+\])?:/u.test(event.raw) ? 'local' : '';
    const source = login.source === '' || login.source === '-' ? local : login.source;
    if (source === '') continue;
    const held = bySource.get(source);
    if (held === undefined) bySource.set(source, [login]);
    else held.push(login);
  }
  const found = [...bySource.values()].flatMap(judge);
  return found.length > 0 ? found : judgeSpread(all);
}

/** Logins that were accepted from addresses which attacked as clients of the same machines, however few were refused before. */
export function findAttackersLogins(events: readonly LogEvent[], attackers: ReadonlySet<string>): Anomaly[] {
  if (attackers.size === 0) return [];
  const accepted = events.flatMap((event) => {
    const login = toLogin(event);
    return login && !login.failed && attackers.has(login.source) ? [login.event] : [];
  });
  const [first] = accepted;
  if (!first) return [];
  return [
    {
      ruleId: 'anomaly-attacker-login',
      title: 'Login accepted from an address that attacks',
      level: 'critical',
      ttps: ['T1078'],
      events: accepted,
      about: first,
    },
  ];
}

/** Failures spread thin: each address tries little, all of them together many accounts, or one account often. */
function judgeSpread(logins: readonly Login[]): Anomaly[] {
  const failures = logins.filter((login) => login.failed);
  const accounts = new Set(failures.map((login) => login.user).filter((user) => user !== ''));
  if (failures.length < MIN_SPREAD || failures.length < logins.length * 0.6) return [];
  const isOne = accounts.size <= 1;
  if (!isOne && accounts.size < MIN_SPREAD) return [];
  return [
    {
      ruleId: isOne ? 'anomaly-password-guessing' : 'anomaly-password-spraying',
      title: isOne
        ? 'Burst of failed logins from one address'
        : 'Failed logins for many accounts from one address',
      level: isOne ? 'medium' : 'high',
      ttps: [isOne ? 'T1110.001' : 'T1110.003'],
      events: failures.map((login) => login.event),
    },
  ];
}

const isOutside = (source: string): boolean =>
  isIP(source) !== 0 && ['public', 'documentation'].includes(addressScope(source));

/** An address outside that tries account after account and is let in by one needs no more attempts to be a stranger. */
function judgeFew(logins: readonly Login[]): Anomaly[] {
  if (!isOutside(logins[0]?.source ?? '')) return [];
  const tried = new Set<string>();
  // One more attempt behind the login takes nothing back.
  const at = logins.findIndex(({ failed, user }) => {
    if (failed && user !== '') tried.add(user);
    return !failed && tried.size >= MIN_TRIED;
  });
  const success = logins[at];
  if (success === undefined) return [];
  return [
    {
      ruleId: 'anomaly-guessed-login',
      title: 'Successful login after many failures from the same address',
      level: 'high',
      ttps: ['T1110', 'T1078'],
      events: logins.slice(0, at + 1).map((login) => login.event),
      about: success.event,
    },
  ];
}

function judge(logins: readonly Login[]): Anomaly[] {
  const failures = logins.filter((login) => login.failed);
  const accounts = new Set(failures.map((login) => login.user).filter((user) => user !== ''));
  const lastFailure = logins.findLastIndex((login) => login.failed);
  const isForeign = isOutside(logins[0]?.source ?? '');
  let counted = 0;
  const fifth = logins.findIndex(({ failed, times }) => {
    // A job of the house repeats a login that fails; a stranger guesses.
    if (failed) counted += isForeign ? times : 1;
    return counted >= MIN_FAILURES;
  });
  if (fifth < 0) return judgeFew(logins);
  const success = logins.find((login, i) => !login.failed && i > fifth && i <= lastFailure + 3);
  const events = failures.map((login) => login.event);
  const found: Anomaly[] = [];
  if (accounts.size >= MIN_ACCOUNTS)
    found.push({
      ruleId: 'anomaly-password-spraying',
      title: 'Failed logins for many accounts from one address',
      level: 'high',
      ttps: ['T1110.003'],
      events,
    });
  else
    found.push({
      ruleId: 'anomaly-password-guessing',
      title: 'Burst of failed logins from one address',
      level: 'medium',
      ttps: ['T1110.001'],
      events,
    });
  if (success !== undefined)
    found.push({
      ruleId: 'anomaly-guessed-login',
      title: 'Successful login after many failures from the same address',
      level: 'critical',
      ttps: ['T1110', 'T1078'],
      events: [...events.slice(-5), success.event],
      // The account that was guessed is the one that got in, not those tried before.
      about: success.event,
    });
  return found;
}
