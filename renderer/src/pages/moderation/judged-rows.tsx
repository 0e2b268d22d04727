/** The rows of a batch: searched, sorted, only the flagged ones, each with its details on a click. */
import { Badge, Switch, Table, TextInput, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { count, score } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import { type BatchRow, type BatchSort, chooseRows, flaggedOf, highestOf } from './batch.ts';
import classes from './batch-view.module.css';
import { categories, type SafetyOutcome } from './categories.ts';

const shownRows = 200;
/** Scores below say nothing. */
const leastShown = 0.05;

export function JudgedRows({ texts, rows }: { texts: string[]; rows: BatchRow[] }) {
  const [flaggedOnly, setFlaggedOnly] = useState(false);
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<BatchSort>({ by: 'place', descending: false });
  const [opened, setOpened] = useState<number | null>(null);
  const chosen = chooseRows({ texts, rows }, { flaggedOnly, search, sort });
  const head = (by: BatchSort['by'], label: string) => {
    const isChosen = sort.by === by;
    const descending = isChosen ? !sort.descending : by === 'score';
    const Arrow = sort.descending ? IconArrowDown : IconArrowUp;
    return (
      <Table.Th aria-sort={isChosen ? (sort.descending ? 'descending' : 'ascending') : 'none'}>
        <UnstyledButton className={classes.sort} onClick={() => setSort({ by, descending })}>
          {label}
          {isChosen && <Arrow size={13} aria-hidden />}
        </UnstyledButton>
      </Table.Th>
    );
  };
  return (
    <>
      <div className={classes.bar}>
        <TextInput
          aria-label={t('moderation.search_rows')}
          placeholder={t('moderation.search_rows')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Switch
          label={t('moderation.flagged_only')}
          checked={flaggedOnly}
          onChange={(event) => setFlaggedOnly(event.currentTarget.checked)}
        />
        <span className={classes.count} role="status">
          {chosen.length < texts.length &&
            t('moderation.rows_shown', { count: count(chosen.length), total: count(texts.length) })}
        </span>
      </div>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {head('place', t('moderation.row_number'))}
            {head('text', t('moderation.text'))}
            {head('verdict', t('moderation.verdict'))}
            {head('score', t('moderation.highest'))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {chosen.slice(0, shownRows).map((place) => (
            <Row
              key={place}
              place={place}
              text={texts[place] ?? ''}
              row={rows[place]}
              opened={opened === place}
              onOpen={() => setOpened(opened === place ? null : place)}
            />
          ))}
        </Table.Tbody>
      </Table>
      {chosen.length > shownRows && (
        <p className={classes.more}>
          {t('moderation.more_rows', { count: count(chosen.length - shownRows) })}
        </p>
      )}
    </>
  );
}

interface RowProps {
  /** In the file, from 0. */
  place: number;
  text: string;
  row: BatchRow | undefined;
  opened: boolean;
  onOpen: () => void;
}

function Row({ place, text, row, opened, onOpen }: RowProps) {
  const outcome = row?.outcome;
  const top = outcome ? highestOf(outcome) : null;
  return (
    <>
      <Table.Tr className={classes.row ?? ''} onClick={onOpen} data-opened={opened || undefined}>
        <Table.Td className="lk-num">{place + 1}</Table.Td>
        <Table.Td className={classes.text}>
          <UnstyledButton
            className={classes.sort}
            aria-expanded={opened}
            disabled={!outcome}
            onClick={(event) => {
              event.stopPropagation();
              onOpen();
            }}
          >
            {text}
          </UnstyledButton>
        </Table.Td>
        <Table.Td>
          {outcome && (
            <Badge color={outcome.flagged ? 'red' : 'teal'}>
              {t(outcome.flagged ? 'moderation.flagged' : 'moderation.not_flagged')}
            </Badge>
          )}
          {row?.error && <Badge color="gray">{row.error}</Badge>}
        </Table.Td>
        <Table.Td className={classes.top}>
          {top && `${t(`moderation.names.${top.name}`)} ${score(top.value)}`}
        </Table.Td>
      </Table.Tr>
      {opened && outcome && (
        <Table.Tr>
          <Table.Td />
          <Table.Td colSpan={3}>
            <Details text={text} outcome={outcome} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function Details({ text, outcome }: { text: string; outcome: SafetyOutcome }) {
  const flagged = new Set(flaggedOf(outcome));
  const ranked = categories
    .map((name) => ({ name, value: outcome.category_scores[name] ?? 0 }))
    .filter(({ name, value }) => flagged.has(name) || value >= leastShown)
    .sort((a, b) => b.value - a.value);
  const found = [...new Set(outcome.spans.map(({ start, end }) => text.slice(start, end)))];
  return (
    <div className={classes.details}>
      {ranked.map(({ name, value }) => (
        <Badge key={name} variant="light" color={flagged.has(name) ? 'red' : 'gray'}>
          {t(`moderation.names.${name}`)} {score(value)}
        </Badge>
      ))}
      {ranked.length === 0 && t('moderation.nothing_scored')}
      {found.length > 0 && (
        <p>
          {t('moderation.spans')}: {found.map((each) => `“${each}”`).join(' · ')}
        </p>
      )}
    </div>
  );
}
