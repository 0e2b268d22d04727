/** The one way an error is shown: the server's own words, the field it names, and the request id to look it up by. */
import { Alert, Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { hasCode, isAbort, mayPass, offlineCode, Problem } from '../../api/problem.ts';
import { toSentence } from '../../format/sentence.ts';
import { t } from '../../strings/t.ts';
import { CopyButton } from '../code/copy-button.tsx';
import { NotInstalled } from './not-installed.tsx';
import classes from './problem-note.module.css';

export function ProblemNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (!error || isAbort(error)) return null;
  if (hasCode(error, 'model_not_installed')) return <NotInstalled message={(error as Problem).message} />;
  const problem = error instanceof Problem ? error : null;
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} aria-hidden />}>
      <div className={classes.message}>{toMessage(error)}</div>
      {problem && problem.status > 0 && (
        <dl className={classes.details}>
          <Detail name={t('problem.code')} value={`${problem.status} ${problem.code}`} />
          {problem.param && <Detail name={t('problem.param')} value={problem.param} />}
          {problem.requestId && (
            <Detail name={t('problem.request')} value={problem.requestId}>
              <CopyButton value={problem.requestId} label={t('problem.copy_request')} small />
            </Detail>
          )}
        </dl>
      )}
      {onRetry && mayPass(error) && (
        <Button variant="default" mt={8} onClick={onRetry}>
          {t('problem.retry')}
        </Button>
      )}
    </Alert>
  );
}

function Detail({ name, value, children }: { name: string; value: string; children?: React.ReactNode }) {
  return (
    <div className={classes.detail}>
      <dt>{name}</dt>
      <dd>
        <span className="lk-mono">{value}</span>
        {children}
      </dd>
    </div>
  );
}

export function toMessage(error: unknown): string {
  if (hasCode(error, offlineCode)) return t('problem.offline');
  if (!(error instanceof Error && error.message)) return t('problem.unknown');
  return toSentence(error.message, error instanceof Problem ? error.param : null);
}
