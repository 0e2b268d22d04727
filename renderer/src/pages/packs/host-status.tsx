/** One host process in words: state, memory, provider and why, when it goes to sleep, what went wrong last. */
import { Badge } from '@mantine/core';
import type { HostState } from '../../../../server/api/console/packs.ts';
import { bytes, count } from '../../format/numbers.ts';
import { t, tn } from '../../strings/t.ts';
import classes from './host-status.module.css';

const colors = {
  stopped: 'gray',
  starting: 'yellow',
  ready: 'teal',
  backing_off: 'orange',
  failed: 'red',
} as const;

export function HostStatus({ host }: { host: HostState | null }) {
  const state = host?.state ?? 'stopped';
  return (
    <div className={classes.host}>
      <Badge color={colors[state]}>{t(`packs.states.${state}`)}</Badge>
      {host && (
        <span className={classes.facts} title={host.provider_reason ?? undefined}>
          {toFacts(host).join(' · ')}
        </span>
      )}
      {host?.last_error && <span className={classes.error}>{host.last_error}</span>}
      {host?.provider_reason && <span className={classes.reason}>{host.provider_reason}</span>}
      {host?.confinement && host.confinement !== 'on' && (
        <span className={classes.reason}>{t('packs.not_confined', { state: host.confinement })}</span>
      )}
    </div>
  );
}

function toFacts(host: HostState): string[] {
  const facts: string[] = [];
  if (host.provider) facts.push(t('packs.on_provider', { provider: host.provider }));
  if (host.memory_mb !== null) facts.push(bytes(host.memory_mb * 1_000_000));
  if (host.running > 0) facts.push(tn('packs.running', host.running));
  if (host.state === 'ready' && host.idle_unload_seconds !== null && host.running === 0) {
    facts.push(t('packs.sleeps_in', { minutes: Math.max(1, Math.round(host.idle_unload_seconds / 60)) }));
  }
  if (host.generation > 1) facts.push(t('packs.generation', { generation: count(host.generation) }));
  return facts;
}
