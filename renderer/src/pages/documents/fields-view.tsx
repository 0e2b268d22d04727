/** Fields by group. Each row lights its box on the page when pointed at or focused. */
import { Alert, Badge, Button } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import type { DocumentsResult } from '../../../../server/api/services/documents.ts';
import { Confidence } from '../../components/data/confidence.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { HandOver } from '../../components/hand-over.tsx';
import { MarkedRow } from '../../components/marked-row.tsx';
import type { SourceFile } from '../../components/source-file.ts';
import { t } from '../../strings/t.ts';
import { expectedKind, itemPlace, kindOfColumn } from './corrections/corrections.ts';
import { Editable } from './corrections/editable.tsx';
import type { CorrectionsState } from './corrections/use-corrections.ts';
import {
  type Field,
  isItems,
  itemColumns,
  type LineItem,
  printedForm,
  sumThatDiffers,
  toGroups,
  toLabel,
  toText,
} from './field-groups.ts';
import classes from './fields-view.module.css';
import { markId } from './marks.ts';
import { ResultPart } from './result-part.tsx';

interface FieldsViewProps {
  source: SourceFile;
  /** As the server read it. */
  read: DocumentsResult;
  /** With the person's corrections. */
  result: DocumentsResult;
  correcting: CorrectionsState;
}

export function FieldsView({ source, read, result, correcting }: FieldsViewProps) {
  const groups = toGroups(result);
  const sumOff = correcting.corrections.size > 0 ? sumThatDiffers(result) : null;
  return (
    <>
      <div className={classes.summary}>
        <span>{t('documents.type', { type: toLabel(result.type) })}</span>
        <Confidence value={result.confidence} />
      </div>
      {sumOff !== null && (
        <Alert color="yellow" variant="light" role="status">
          {t('documents.sum_off', sumOff)}
        </Alert>
      )}
      {groups.length === 0 && (
        <Empty
          title={t('documents.no_fields')}
          text={t('documents.no_fields_note')}
          action={<LookInImages source={source} />}
        />
      )}
      {groups.map(({ name, fields }) => (
        <ResultPart key={name} title={t(`documents.groups.${name}`)}>
          {fields.map(([key, field]) =>
            isItems(field) ? (
              <Items
                key={key}
                name={key}
                field={field}
                items={field.value}
                alone={key === 'line_items'}
                correcting={correcting}
              />
            ) : (
              <Row
                key={key}
                name={key}
                field={field}
                read={read.fields[key] ?? field}
                correcting={correcting}
              />
            ),
          )}
        </ResultPart>
      ))}
    </>
  );
}

const pictureTypes: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg' };

/** A photograph without fields is better looked at than read. */
function LookInImages({ source }: { source: SourceFile }) {
  const type = pictureTypes[source.name.split('.').at(-1)!.toLowerCase()];
  if (type === undefined) return null;
  return (
    <HandOver to="images" source={source} type={type} icon={<IconPhoto size={14} aria-hidden />}>
      {t('documents.look_in_images')}
    </HandOver>
  );
}

interface RowProps {
  name: string;
  field: Field;
  read: Field;
  correcting: CorrectionsState;
}

/** Reasons are in the way where a value is sure; there they are told to who points at its confidence. */
const unsureBelow = 0.85;

/** Why a field has its value: “By its label · recognition”. */
const whyOf = ({ rule, sources }: NonNullable<Field['evidence']>): string =>
  [t(`documents.why.${rule}`), ...sources.map((source) => t(`documents.sources.${source}`))].join(' · ');

const checkFor = (before: unknown) => (text: string) => {
  const kind = expectedKind(text, before);
  return kind && t(`documents.expected.${kind}`);
};

function Row({ name, field, read, correcting }: RowProps) {
  const text = toText(field.value, field.currency, name);
  const printed = printedForm(field.raw, text);
  const corrected = correcting.corrections.has(name) && field.value !== read.value;
  return (
    <MarkedRow className={classes.row} label={toLabel(name)} mark={markId.field(name)} page={field.page}>
      <span className={classes.name}>{toLabel(name)}</span>
      <span className={classes.value}>
        <Editable
          label={toLabel(name)}
          text={String(field.value ?? '')}
          check={checkFor(read.value)}
          onText={(value) => correcting.correct(name, value)}
        >
          {text || <span className={classes.none}>{t('documents.empty_value')}</span>}
        </Editable>
        {corrected && (
          <span className={classes.raw}>
            {t('documents.was', {
              text: toText(read.value, read.currency, name) || t('documents.empty_value'),
            })}{' '}
            <Button size="compact-xs" variant="subtle" onClick={() => correcting.revert(name)}>
              {t('documents.revert')}
            </Button>
          </span>
        )}
        {!corrected && printed && <span className={classes.raw}>{printed}</span>}
        {!corrected && field.evidence && field.confidence < unsureBelow && (
          <span className={classes.raw}>{whyOf(field.evidence)}</span>
        )}
        {field.filled_by && (
          <span className={classes.raw}>{t('documents.filled_by', { pack: field.filled_by })}</span>
        )}
      </span>
      {corrected ? (
        <Badge color="blue" variant="light">
          {t('documents.corrected')}
        </Badge>
      ) : (
        <span title={field.evidence && whyOf(field.evidence)}>
          <Confidence value={field.confidence} />
        </span>
      )}
    </MarkedRow>
  );
}

interface ItemsProps {
  name: string;
  field: Field;
  items: LineItem[];
  /** Under a heading that says the same. */
  alone: boolean;
  correcting: CorrectionsState;
}

function Items({ name, field, items, alone, correcting }: ItemsProps) {
  const { corrections, correct: onCorrect } = correcting;
  const columns = itemColumns(items);
  return (
    <MarkedRow className={classes.items} label={toLabel(name)} mark={markId.field(name)} page={field.page}>
      <table>
        {!alone && <caption>{toLabel(name)}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                data-number={items.some((item) => typeof item[column]?.value === 'number') || undefined}
              >
                {toLabel(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: line items have no identity but their place
            <tr key={index}>
              {columns.map((column) => (
                <td
                  key={column}
                  data-number={typeof item[column]?.value === 'number' || undefined}
                  data-mark={item[column]?.bbox ? markId.item(name, index, column) : undefined}
                  data-page={item[column]?.page ?? undefined}
                >
                  <Editable
                    label={`${toLabel(column)} ${index + 1}`}
                    text={String(item[column]?.value ?? '')}
                    check={checkFor(item[column]?.value ?? kindOfColumn(items, column))}
                    onText={(value) => onCorrect(itemPlace(name, index, column), value)}
                  >
                    {item[column] ? toText(item[column].value, item[column].currency, column) : '–'}
                  </Editable>
                  {corrections.has(itemPlace(name, index, column)) && (
                    <span className={classes.raw}>{t('documents.corrected')}</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </MarkedRow>
  );
}
