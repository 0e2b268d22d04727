/** Syslog (RFC 3164 and 5424) and what programs write behind it: sshd, sudo, su, cron, useradd, auditd, PAM. */

import type { LogEvent } from '../event.ts';
import { addField } from '../event.ts';
import { readKeyValues } from './key-value.ts';

const RFC5424 = /^<(\d{1,3})>\d{1,2} (\S{1,64}) (\S{1,255}) (\S{1,48}) (\S{1,128}) (\S{1,32}) ?/u;
const RFC3164 =
  /^(?:<(\d{1,3})>)?([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S{0,16}) (\S{1,255}) ([\w./()-]{1,64})(?:\[(\d{1,10})\])?: ?/u;

const SERVICES: Readonly<Record<string, string>> = {
  sshd: 'sshd',
  'sshd-session': 'sshd',
  sudo: 'sudo',
  su: 'auth',
  login: 'auth',
  cron: 'cron',
  crond: 'cron',
  CRON: 'cron',
  audit: 'auditd',
  auditd: 'auditd',
  vsftpd: 'vsftpd',
  clamd: 'clamav',
  freshclam: 'clamav',
  guacd: 'guacamole',
};

/** True when the line is syslog; fields host, program, pid, message and, for known programs, user and source address. */
export function readSyslog(event: LogEvent): boolean {
  const line = event.raw;
  const modern = RFC5424.exec(line);
  const old = modern === null ? RFC3164.exec(line) : null;
  if (modern !== null) {
    setHead(event, [modern[2], modern[3], modern[4], modern[5]]);
    structuredData(event, line.slice(modern[0].length));
  } else if (old !== null) {
    setHead(event, [old[2], old[3], old[4], old[5]]);
    addField(event, 'message', line.slice(old[0].length));
  } else return false;
  event.format = 'syslog';
  const program = event.fields.get('program')?.[0] ?? '';
  const service = SERVICES[program];
  event.sources = service
    ? [
        { product: 'linux', service },
        { product: 'linux', service: 'auth' },
      ]
    : [];
  event.sources.push({ product: 'linux', service: 'syslog' }, { product: 'linux' });
  const message = event.fields.get('message')?.[0] ?? '';
  readProgram(event, message);
  return true;
}

function setHead(event: LogEvent, [time, host, program, pid]: (string | undefined)[]): void {
  if (time) addField(event, 'timestamp', time);
  if (host && host !== '-') addField(event, 'host', host);
  if (program && program !== '-') addField(event, 'program', program.split('/').at(-1) as string);
  if (pid && pid !== '-') addField(event, 'pid', pid);
}

/** `[id name="value" …]` elements, then the message. */
function structuredData(event: LogEvent, rest: string): void {
  let text = rest;
  if (text.startsWith('- ')) text = text.slice(2);
  while (text.startsWith('[')) {
    const end = text.indexOf(']');
    if (end < 0) break;
    readKeyValues(event, text.slice(1, end));
    text = text.slice(end + 1).trimStart();
  }
  addField(event, 'message', text.replace(/^\uFEFF/u, ''));
}

const SSH_LOGIN =
  /^(Accepted|Failed) (\S{1,40}) for (?:invalid user )?(\S{0,64}) from (\S{1,64}) port (\d{1,5})/u;
const SSH_INVALID = /^Invalid user (\S{0,64}) from (\S{1,64})/u;
const SUDO =
  /^\s{0,8}(\S{1,64}) : (?:[^;]{0,200} ; )?TTY=\S{1,64} ; PWD=([^;]{0,1024}) ; USER=(\S{1,64}) ; (?:[A-Z]{1,16}=[^;]{0,512} ; ){0,4}COMMAND=(.{1,8192})$/u;
const CRON = /^\((\S{1,64})\) CMD \((.{1,8192})\)$/u;

/** BIND: `client @… ADDRESS#PORT: query: NAME IN TYPE`; dnsmasq: `query[TYPE] NAME from ADDRESS`. */
const DNS_QUERY =
  /client (?:@\S{1,24} )?([\da-f.:]{3,45})#\d{1,5}(?: \(\S{1,255}\))?: (?:view \S{1,64}: )?query: (\S{1,255}) IN (\w{1,8})|^query\[\w{1,8}\] (\S{1,255}) from ([\da-f.:]{3,45})/u;

function readProgram(event: LogEvent, message: string): void {
  const login = SSH_LOGIN.exec(message);
  if (login !== null) {
    addField(event, 'outcome', login[1] === 'Accepted' ? 'success' : 'failure');
    addField(event, 'method', login[2] as string);
    addField(event, 'user', login[3] as string);
    addField(event, 'src_ip', login[4] as string);
    return;
  }
  const invalid = SSH_INVALID.exec(message);
  if (invalid !== null) {
    addField(event, 'user', invalid[1] as string);
    addField(event, 'src_ip', invalid[2] as string);
    addField(event, 'outcome', 'failure');
    return;
  }
  const command = SUDO.exec(message);
  if (command !== null) {
    addField(event, 'user', command[1] as string);
    addField(event, 'target_user', command[3] as string);
    setCommand(event, command[4] as string);
    return;
  }
  const cron = CRON.exec(message);
  if (cron !== null) {
    addField(event, 'user', cron[1] as string);
    setCommand(event, cron[2] as string);
    return;
  }
  const query = DNS_QUERY.exec(message);
  if (query !== null) {
    addField(event, 'query', (query[2] ?? query[4]) as string);
    addField(event, 'src_ip', (query[1] ?? query[5]) as string);
    if (query[3]) addField(event, 'query_type', query[3]);
    event.sources.push({ category: 'dns' });
    return;
  }
  if (message.includes('=')) readKeyValues(event, message);
}

/** A command seen by sudo or cron is a process creation to a rule. */
function setCommand(event: LogEvent, command: string): void {
  addField(event, 'CommandLine', command);
  addField(event, 'Image', command.split(' ', 1)[0] as string);
  event.sources.unshift({ product: 'linux', category: 'process_creation' });
}

/** auditd writes values with blanks or quotes as hexadecimal digits, arguments of a title parted by NUL. */
function fromHex(value: string): string {
  if (value.length < 4 || !/^(?:[0-9A-F]{2})+$/u.test(value)) return value;
  const text = Buffer.from(value, 'hex').toString('utf8').replaceAll('\0', ' ');
  return /[\p{Cc}\uFFFD]/u.test(text.replace(/[\t\n]/gu, '')) ? value : text;
}

/** auditd's own lines: `type=EXECVE msg=audit(…): argc=3 a0="…"`. */
export function readAuditd(event: LogEvent): boolean {
  if (!/^(?:node=\S{1,64} )?type=[A-Z_0-9]{2,40} msg=audit\(/u.test(event.raw)) return false;
  event.format = 'auditd';
  readKeyValues(event, event.raw);
  const argv: string[] = [];
  for (let i = 0; event.fields.has(`a${i}`) && i < 64; i += 1)
    argv.push(fromHex(event.fields.get(`a${i}`)?.[0] ?? ''));
  const title = event.fields.get('proctitle')?.[0];
  event.sources = [{ product: 'linux', service: 'auditd' }, { product: 'linux' }];
  if (event.fields.get('type')?.includes('EXECVE') && argv.length > 0) {
    event.sources.unshift({ product: 'linux', category: 'process_creation' });
    addField(event, 'CommandLine', argv.join(' '));
    addField(event, 'Image', argv[0] as string);
  } else if (title !== undefined) {
    event.sources.unshift({ product: 'linux', category: 'process_creation' });
    addField(event, 'CommandLine', fromHex(title));
  }
  return true;
}
