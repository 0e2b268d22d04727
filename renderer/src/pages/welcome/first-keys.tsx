/** The first live and test key. Their secrets live in this component alone and go when the person says they are stored. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useBlocker } from 'react-router';
import { useChange } from '../../api/queries.ts';
import { SecretField } from '../../components/code/secret-field.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { ConfirmDialog } from '../../components/input/confirm-dialog.tsx';
import { t } from '../../strings/t.ts';
import { useUnloadGuard } from '../../work/unload-guard.ts';
import classes from './welcome-page.module.css';

export function FirstKeys({ firstRun }: { firstRun: boolean }) {
  const queries = useQueryClient();
  const create = useChange('POST /console/first-keys', ['GET /console/keys']);
  const stored = () => {
    create.reset();
    void queries.invalidateQueries({ queryKey: ['GET /console/state'] });
  };

  // Shown once: no click in the navigation takes them away unread.
  const blocker = useBlocker(create.data !== undefined);
  useUnloadGuard(create.data !== undefined);

  if (create.data) {
    return (
      <div className={classes.secrets}>
        {blocker.state === 'blocked' && (
          <ConfirmDialog
            title={t('keys.leave_title')}
            text={t('keys.leave_text')}
            confirm={t('keys.leave')}
            onConfirm={() => blocker.proceed()}
            onClose={() => blocker.reset()}
          />
        )}
        <p className={classes.text}>{t('keys.secret_note')}</p>
        <SecretField label={t('welcome.live_key')} secret={create.data.live.secret} />
        <SecretField label={t('welcome.test_key')} secret={create.data.test.secret} />
        <div>
          <Button onClick={stored}>{t('welcome.stored_both')}</Button>
        </div>
      </div>
    );
  }
  if (!firstRun) {
    return (
      <>
        <p className={classes.text}>{t('welcome.keys_made')}</p>
        <Button component={Link} to="/keys" variant="default">
          {t('welcome.manage_keys')}
        </Button>
      </>
    );
  }
  return (
    <>
      <p className={classes.text}>{t('welcome.keys_note')}</p>
      <ProblemNote error={create.error} />
      <Button onClick={() => create.mutate({})} loading={create.isPending}>
        {t('welcome.create_keys')}
      </Button>
    </>
  );
}
