import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import classes from './actions-list.module.css';

/** Actions to tick off; the ticks are for the person and go nowhere. */
export function ActionsList({ actions }: { actions: string[] }) {
  const [done, setDone] = useState<ReadonlySet<number>>(new Set());
  if (actions.length === 0) return null;
  const toggle = (index: number) =>
    setDone(new Set(done.has(index) ? [...done].filter((i) => i !== index) : [...done, index]));
  return (
    <Panel
      title={t('threats.actions')}
      note={t('threats.actions_done', { done: done.size, total: actions.length })}
      actions={
        <CopyButton
          value={actions.map((action) => `- ${action}`).join('\n')}
          label={t('threats.copy_actions')}
        />
      }
    >
      <div className={classes.list}>
        {actions.map((action, index) => (
          <Checkbox key={action} label={action} checked={done.has(index)} onChange={() => toggle(index)} />
        ))}
      </div>
    </Panel>
  );
}
