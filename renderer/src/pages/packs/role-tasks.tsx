/** Packs that answer single tasks of a role in place of its own; shown once there is a choice. */
import { Select } from '@mantine/core';
import type { PackSummary, RoleBinding } from '../../../../server/api/console/packs.ts';
import { useChange } from '../../api/queries.ts';
import { notifyProblem } from '../../components/feedback/notify.ts';
import { toOption } from '../../format/pack-title.ts';
import { t } from '../../strings/t.ts';
import classes from './roles-panel.module.css';

const tasks = ['caption', 'objects', 'scene_graph', 'rerank'] as const;

export function RoleTasks({ role, packs }: { role: RoleBinding; packs: PackSummary[] }) {
  const bind = useChange('POST /console/packs/bind', ['GET /console/packs', 'GET /console/state']);
  const chosen = role.tasks;
  if (!chosen || packs.length < 2) return null;
  return (
    <div className={classes.tasks}>
      {tasks
        .filter((task) => task in chosen)
        .map((task) => (
          <Select
            key={task}
            size="xs"
            label={t(`packs.tasks.${task}`)}
            data={[
              { value: '', label: t('packs.same_pack') },
              ...packs.filter((pack) => pack.tasks.includes(task)).map(toOption),
            ]}
            value={chosen[task] ?? ''}
            allowDeselect={false}
            disabled={bind.isPending}
            onChange={(pack) =>
              bind.mutate({ body: { role: role.role, pack: pack || null, task } }, { onError: notifyProblem })
            }
          />
        ))}
    </div>
  );
}
