/** Who and what an event is about: the host, account, program and address that an analyst would act on. */

import type { LogEvent } from '../readers/event.ts';
import type { Subjects } from '../types.ts';

const FIELDS: Readonly<Record<keyof Subjects, readonly string[]>> = {
  hosts: [
    'computer',
    'host',
    'hostname',
    'host.name',
    'device.hostname',
    'shost',
    'dvchost',
    'kubernetes.host',
    'objectref.name',
    'requestparameters.instanceid',
  ],
  users: [
    'targetusername',
    'user',
    'username',
    'user_name',
    'subjectusername',
    'suser',
    'useridentity.username',
    'useridentity.name',
    'user.username',
    'user.name',
    'userprincipalname',
    'actor',
    'actor.alternateid',
    'acct',
    'cs-username',
  ],
  processes: ['image', 'newprocessname', 'process', 'process_name', 'sourceimage', 'exe', 'comm'],
  addresses: [
    'src_ip',
    'c-ip',
    'sourceip',
    'ipaddress',
    'sourceipaddress',
    'sourceips',
    'clientip',
    'source.ip',
    'remote_addr',
    'destinationip',
    'dst_ip',
  ],
  files: ['targetfilename', 'targetobject', 'imageloaded', 'objectname', 'name'],
};
const EMPTY = /^(?:-|n\/a|null|none|::1|127\.0\.0\.1|localhost|S-1-[\d-]+|\d*)$/iu;
const MAX_EACH = 5;

export function emptySubjects(): Subjects {
  return { hosts: [], users: [], processes: [], addresses: [], files: [] };
}

export function addSubjects(subjects: Subjects, event: LogEvent): void {
  for (const kind of Object.keys(FIELDS) as (keyof Subjects)[]) {
    const list = subjects[kind];
    for (const name of FIELDS[kind]) {
      if (name === 'name' && !event.fields.has('auditd') && event.format !== 'auditd') continue;
      const values = (event.fields.get(name) ?? []).filter(
        (value) => value.length <= 200 && !EMPTY.test(value),
      );
      for (const value of values) {
        if (kind === 'processes' && isReading(value, list)) continue;
        if (list.length < MAX_EACH && !list.includes(value)) list.push(value);
      }
      // The first field of the event that names one is the one that counts.
      if (values.length > 0 && kind !== 'addresses') break;
    }
  }
}

/** `\bash.exe` and `/bash` are readings of `/bin/bash` for rules of other systems: the program is named already. */
const isReading = (value: string, named: readonly string[]): boolean =>
  /^[\\/][\w.+-]+$/u.test(value) && named.some((each) => programName(each) === programName(value));

export const programName = (path: string): string =>
  path
    .replace(/^.*[\\/]/u, '')
    .replace(/\.exe$/iu, '')
    .toLowerCase();
