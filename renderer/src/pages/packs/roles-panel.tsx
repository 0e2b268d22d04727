/** The six roles: each with its pack, chosen here, and its host as it is now. */
import { Button, Select } from '@mantine/core';
import type { HostState, PackOverview, RoleBinding } from '../../../../server/api/console/packs.ts';
import { useChange } from '../../api/queries.ts';
import { modelNames } from '../../components/data/models.ts';
import { notifyProblem } from '../../components/feedback/notify.ts';
import { Panel } from '../../components/frame/panel.tsx';
import { toOption } from '../../format/pack-title.ts';
import { t } from '../../strings/t.ts';
import { HostStatus } from './host-status.tsx';
import { RoleTasks } from './role-tasks.tsx';
import classes from './roles-panel.module.css';

export function RolesPanel({ overview }: { overview: PackOverview }) {
  const roles = modelNames.flatMap((name) => overview.roles.find(({ role }) => role === name) ?? []);
  return (
    <Panel title={t('packs.roles')} flush>
      <ul className={classes.list}>
        {roles.map((role) => (
          <Role key={role.role} role={role} packs={overview.packs} />
        ))}
      </ul>
    </Panel>
  );
}

function Role({ role, packs }: { role: RoleBinding; packs: PackOverview['packs'] }) {
  const bind = useChange('POST /console/packs/bind', ['GET /console/packs', 'GET /console/state']);
  const fitting = packs.filter(({ roles }) => roles.includes(role.role));
  return (
    <li className={classes.role}>
      <div>
        <div className={classes.name}>{t(`packs.role_names.${role.role}`)}</div>
        <div className={`lk-mono ${classes.id}`}>
          {role.role}
          {role.status === 'beta' && ` · ${t('packs.beta')}`}
        </div>
      </div>
      <Select
        aria-label={t('packs.pack_for', { role: role.role })}
        data={[
          { value: '', label: t('packs.no_pack') },
          ...fitting.filter(({ tasks }) => !tasks.includes('rerank')).map(toOption),
        ]}
        value={role.pack ?? ''}
        allowDeselect={false}
        disabled={bind.isPending || fitting.length === 0}
        onChange={(pack) =>
          bind.mutate({ body: { role: role.role, pack: pack || null } }, { onError: notifyProblem })
        }
      />
      <div className={classes.host}>
        {role.pack ? (
          <HostStatus host={role.host} />
        ) : (
          <span className={classes.id}>{t('packs.unbound')}</span>
        )}
      </div>
      <Unload host={role.host} />
      <RoleTasks role={role} packs={fitting} />
    </li>
  );
}

function Unload({ host }: { host: HostState | null }) {
  const unload = useChange('POST /console/packs/unload', ['GET /console/packs']);
  const loaded = host?.state === 'ready' || host?.state === 'starting';
  return (
    <Button
      variant="default"
      disabled={!loaded}
      loading={unload.isPending}
      aria-label={host ? t('packs.unload_name', { name: host.pack }) : t('packs.unload')}
      onClick={() => host && unload.mutate({ body: { pack: host.pack } }, { onError: notifyProblem })}
    >
      {t('packs.unload')}
    </Button>
  );
}
