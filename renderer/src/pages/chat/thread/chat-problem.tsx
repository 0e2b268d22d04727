/** A failed answer: its reason, and what to do about it. */
import { Alert, Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { hasCode, type Problem } from '../../../api/problem.ts';
import { ProblemNote } from '../../../components/feedback/problem-note.tsx';
import { t } from '../../../strings/t.ts';
import classes from './chat-problem.module.css';

interface ChatProblemProps {
  error: unknown;
  onRetry: () => void;
  onNew: () => void;
}

export function ChatProblem({ error, onRetry, onNew }: ChatProblemProps) {
  if (!hasCode(error, 'context_length_exceeded')) return <ProblemNote error={error} onRetry={onRetry} />;
  return (
    <Alert
      color="orange"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={t('chat.too_long')}
    >
      <p className={classes.text}>{(error as Problem).message}</p>
      <p className={classes.text}>{t('chat.too_long_note')}</p>
      <div className={classes.actions}>
        <Button variant="default" onClick={onNew}>
          {t('chat.clear')}
        </Button>
        <Button variant="default" component={Link} to="/packs">
          {t('not_installed.open')}
        </Button>
      </div>
    </Alert>
  );
}
