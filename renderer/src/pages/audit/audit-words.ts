/** Lines of the audit log in words: who, what, to which, and each change with its value. The saved log keeps them raw. */
import type { AuditEntry } from '../../../../server/api/console/installation/audit.ts';
import type { ApiKey } from '../../../../server/api/keys.ts';
import { toBrowser } from '../../format/browser.ts';
import { count } from '../../format/numbers.ts';
import { toMinute } from '../../format/time.ts';
import { en } from '../../strings/en.ts';
import { t } from '../../strings/t.ts';

type Action = keyof typeof en.audit.actions;
type Name = keyof typeof en.audit.names;

/** An act that the catalogue has no words for stays as it is written: a later version may know more. */
export function actionText(action: string): string {
  const key = action.replaceAll('.', '_');
  return key in en.audit.actions ? t(`audit.actions.${key as Action}`) : action;
}

const keyName = (id: string, keys: readonly ApiKey[]): string => {
  const key = keys.find((each) => each.id === id);
  return key ? `${key.name} …${key.last_four}` : id;
};

export function actorText(actor: string, keys: readonly ApiKey[]): string {
  if (actor.startsWith('console ')) return t('audit.actors.console');
  if (actor.startsWith('key ')) return t('audit.actors.key', { name: keyName(actor.slice(4), keys) });
  if (actor === 'command line') return t('audit.actors.command_line');
  return actor === 'system' ? t('audit.actors.system') : actor;
}

/** A session has nothing but its id to be named by, which tells a person nothing. */
export function targetText(
  { action, target }: Pick<AuditEntry, 'action' | 'target'>,
  keys: readonly ApiKey[],
): string {
  if (target === null || action.startsWith('session.')) return '–';
  return action.startsWith('key.') ? keyName(target, keys) : target;
}

interface Change {
  from: unknown;
  to: unknown;
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

const nameText = (name: string): string =>
  name in en.audit.names ? t(`audit.names.${name as Name}`) : name.replaceAll('_', ' ');

/** Unix seconds of this century; smaller numbers are counts and durations. */
const isTime = (name: string, value: unknown): value is number =>
  typeof value === 'number' && value > 1e9 && /expires|ends|created|revoked/.test(name);

function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return t('audit.nothing');
  if (isTime(name, value)) return toMinute(value);
  if (typeof value === 'number' && name.endsWith('_seconds'))
    return value % 3600 === 0
      ? t('audit.hours', { count: count(value / 3600) })
      : t('audit.seconds', { count: count(value) });
  if (typeof value === 'number') return count(value);
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  if (Array.isArray(value))
    return value.length > 0 ? value.map((each) => valueText(name, each)).join(', ') : t('audit.nothing');
  if (typeof value !== 'string') return JSON.stringify(value);
  return name === 'agent' ? toBrowser(value) : value;
}

export const changesText = (changes: AuditEntry['changes']): string =>
  Object.entries(changes)
    .map(([name, value]) =>
      isChange(value)
        ? `${nameText(name)}: ${t('audit.from_to', { from: valueText(name, value.from), to: valueText(name, value.to) })}`
        : `${nameText(name)}: ${valueText(name, value)}`,
    )
    .join(' · ');
