/** Asks what one wants to do, does it with a sample, and shows the way on. */
import { Button, Loader } from '@mantine/core';
import { IconCheck, IconFileText, IconMessage, IconRadar2, IconShieldCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useClient } from '../../api/api-context.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { milliseconds } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import { placeOf, type TaskName, type TaskResult, taskNames, tasks } from './first-tasks.ts';
import classes from './welcome-page.module.css';

const icon = { size: 20, stroke: 1.6, 'aria-hidden': true } as const;
const icons = {
  document: <IconFileText {...icon} />,
  text: <IconShieldCheck {...icon} />,
  log: <IconRadar2 {...icon} />,
  question: <IconMessage {...icon} />,
};

interface Outcome {
  name: TaskName;
  /** Null while it runs. */
  result: TaskResult | null;
  error: unknown;
  durationMs: number;
}

export function FirstTask() {
  const client = useClient();
  const abort = useRef<AbortController | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  async function run(name: TaskName) {
    abort.current?.abort();
    const mine = new AbortController();
    abort.current = mine;
    const begunMs = performance.now();
    const settle = (fields: Partial<Outcome>) =>
      abort.current === mine &&
      setOutcome({ name, result: null, error: null, durationMs: performance.now() - begunMs, ...fields });
    settle({});
    await tasks[name](client, mine.signal).then(
      (result) => settle({ result }),
      (error: unknown) => settle({ error }),
    );
  }

  return (
    <Panel title={t('welcome.ask')}>
      <ul className={classes.tasks}>
        {taskNames.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={classes.task}
              data-chosen={outcome?.name === name || undefined}
              onClick={() => void run(name)}
            >
              {icons[name]}
              <span>
                <strong>{t(`welcome.tasks.${name}.title`)}</strong>
                <span className={classes.hint}>{t(`welcome.tasks.${name}.text`)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {outcome && <OutcomeView outcome={outcome} onRetry={() => void run(outcome.name)} />}
    </Panel>
  );
}

function OutcomeView({ outcome, onRetry }: { outcome: Outcome; onRetry: () => void }) {
  const { name, result, error, durationMs } = outcome;
  if (error) return <ProblemNote error={error} onRetry={onRetry} />;
  return (
    <div className={classes.outcome} role="status">
      {result ? (
        <>
          <p className={classes.summary}>
            <IconCheck size={16} aria-hidden /> {result.summary}{' '}
            <span className={classes.hint}>{t('welcome.took', { time: milliseconds(durationMs) })}</span>
          </p>
          {result.lines.map((line) => (
            <p key={line} className={classes.result}>
              {line}
            </p>
          ))}
          <Button component={Link} to={placeOf[name]}>
            {t(`welcome.tasks.${name}.go`)}
          </Button>
        </>
      ) : (
        <p className={classes.summary}>
          <Loader size={14} aria-hidden /> {t('welcome.working')}
        </p>
      )}
    </div>
  );
}
