/** Engines that are loaded, their memory of what they may take, and the requests they work on; a way to the packs. */
import { Tooltip } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { HostState } from '../../../../../server/api/console/packs.ts';
import { useConsoleEvents } from '../../../api/api-context.tsx';
import { useRead } from '../../../api/queries.ts';
import { bytes } from '../../../format/numbers.ts';
import { t, tn } from '../../../strings/t.ts';
import { type EngineLoad, loadOf } from './engine-load.ts';
import classes from './engine-meter.module.css';

/** Memory grows between two events. */
const refreshMs = 15_000;
const mebibyte = 1_048_576;
const separator = ' · ';

export function EngineMeter() {
  const overview = useRead('GET /console/packs', { refetchInterval: refreshMs }).data;
  const ceilingMb = useRead('GET /console/settings').data?.memory_ceiling_mb;
  // Packs that serve without being bound to a role tell of themselves by events alone.
  const [heard, setHeard] = useState<Record<string, HostState>>({});
  useConsoleEvents((event) => {
    if (event.type === 'host') setHeard((before) => ({ ...before, [event.host.pack]: event.host }));
  });
  if (!overview || ceilingMb === undefined) return null;
  const load = loadOf([...Object.values(heard), ...overview.roles.flatMap(({ host }) => host ?? [])]);
  const parts = toParts(load, ceilingMb);
  const text = parts.join(separator);
  return (
    <Tooltip label={text} position="right">
      <Link to="/packs" className={classes.meter} aria-label={`${t('meter.label')}: ${text}`}>
        <span className={`lk-bar ${classes.track}`} aria-hidden>
          <span
            className={classes.fill}
            data-busy={load.running > 0 || undefined}
            data-full={load.memoryMb > ceilingMb * 0.9 || undefined}
            style={{ width: `${Math.min(100, (load.memoryMb / ceilingMb) * 100)}%` }}
          />
        </span>
        <span className={`lk-num ${classes.text}`}>
          {parts.map((part, index) => (
            <span key={part}>{index < parts.length - 1 ? `${part}${separator}` : part}</span>
          ))}
        </span>
      </Link>
    </Tooltip>
  );
}

function toParts({ engines, memoryMb, running }: EngineLoad, ceilingMb: number): string[] {
  if (engines === 0) return [t('meter.none')];
  return [
    tn('meter.engines', engines),
    t('meter.memory', { used: bytes(memoryMb * mebibyte), most: bytes(ceilingMb * mebibyte) }),
    ...(running > 0 ? [tn('meter.running', running)] : []),
  ];
}
