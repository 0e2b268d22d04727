/** Tells in plain words where requests can go, before any goes there. */
import { Alert } from '@mantine/core';
import { IconHome, IconLockOpen, IconWorldShare } from '@tabler/icons-react';
import type { EngineList, RemoteEngine } from '../../../../server/api/console/engines.ts';
import { t } from '../../strings/t.ts';
import { isLoopback, parseUrl } from './engine-form.ts';

export function EgressNote({ list: { data, sealed } }: { list: EngineList }) {
  const away = data.filter(
    (engine) => engine.enabled && !isLoopback(parseUrl(engine.base_url)?.hostname ?? ''),
  );
  const clear = away.filter(({ base_url: url }) => parseUrl(url)?.protocol === 'http:');
  const icon = { size: 18, 'aria-hidden': true } as const;
  if (data.length === 0) return null;
  if (sealed || away.length === 0)
    return (
      <Alert variant="light" color="teal" icon={<IconHome {...icon} />}>
        {away.length === 0 ? t('engines.egress.local') : t('engines.egress.sealed')}
      </Alert>
    );
  return (
    <>
      <Alert variant="light" color="yellow" icon={<IconWorldShare {...icon} />}>
        {t('engines.egress.leaves', { names: toNames(away) })}
      </Alert>
      {clear.length > 0 && (
        <Alert variant="light" color="red" icon={<IconLockOpen {...icon} />}>
          {t('engines.egress.clear', { names: toNames(clear) })}
        </Alert>
      )}
    </>
  );
}

const toNames = (engines: RemoteEngine[]): string =>
  engines.map(({ base_url: url, name }) => `${name} (${parseUrl(url)?.host ?? url})`).join(', ');
