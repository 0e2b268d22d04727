/** Everything the log knows of one request: ids to copy, the error, what it used, and the engines that were tried. */
import type { RequestEntry } from '../../../../server/api/console/console.ts';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { FactList, type ShownFact } from '../../components/data/fact-list.tsx';
import { count, milliseconds } from '../../format/numbers.ts';
import { toClock, toDay } from '../../format/time.ts';
import { t } from '../../strings/t.ts';
import { toAttempt } from './attempts.ts';
import classes from './request-table.module.css';

export function RequestDetails({ entry }: { entry: RequestEntry }) {
  const tokens = entry.prompt_tokens + entry.completion_tokens;
  const facts: (ShownFact | false)[] = [
    { name: t('requests.id'), value: <Id value={entry.id} label={t('problem.copy_request')} /> },
    entry.key_id !== null && {
      name: t('requests.key_id'),
      value: <Id value={entry.key_id} label={t('requests.copy_key')} />,
    },
    {
      name: t('requests.time'),
      value: `${toDay(entry.time_ms / 1000)}, ${toClock(entry.time_ms)}`,
    },
    entry.duration_ms !== null && {
      name: t('requests.duration'),
      value: durationOf(entry, entry.duration_ms),
    },
    entry.code !== null && {
      name: t('requests.error'),
      value: `${entry.status} ${entry.code}`,
      className: 'lk-mono',
    },
    entry.asked !== undefined && {
      name: t('requests.asked'),
      value: entry.asked,
      className: 'lk-mono',
    },
    entry.inputs !== undefined && { name: t('requests.inputs'), value: count(entry.inputs) },
    entry.pack !== undefined && { name: t('requests.pack'), value: entry.pack, className: 'lk-mono' },
    entry.status === 200 && {
      name: t('requests.way'),
      value: t(entry.streamed ? 'requests.streamed' : 'requests.whole'),
    },
    tokens > 0 && {
      name: t('requests.token_parts'),
      value: `${count(entry.prompt_tokens)} + ${count(entry.completion_tokens)}`,
    },
    entry.model !== null && {
      name: t('requests.engine'),
      value: entry.upstream ?? t('requests.this_machine'),
    },
  ];
  const { attempts = [] } = entry;
  return (
    <div className={classes.details}>
      <FactList columns facts={facts.filter((fact) => fact !== false)} />
      {attempts.length > 0 && (
        <ol className={classes.tries} aria-label={t('requests.attempts')}>
          {attempts.map((attempt, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one engine may be tried twice, and the order never changes
            <li key={index}>
              {toAttempt(attempt)}
              {attempt.model && <span className={classes.faint}> {attempt.model}</span>}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** A first request waits for its model: that is told apart from the work itself. */
const durationOf = ({ load_ms }: RequestEntry, took: number): string =>
  load_ms === undefined
    ? milliseconds(took)
    : t('requests.took_parts', {
        whole: milliseconds(took),
        load: milliseconds(load_ms),
        run: milliseconds(Math.max(0, took - load_ms)),
      });

const Id = ({ value, label }: { value: string; label: string }) => (
  <span className={classes.wholeId}>
    <span className="lk-mono">{value}</span>
    <CopyButton value={value} label={label} small />
  </span>
);
