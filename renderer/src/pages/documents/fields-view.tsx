/** Fields by group. Each row lights its box on the page when pointed at or focused. */

import type { DocumentsResult } from '../../../../server/api/documents.ts';
import { Confidence } from '../../components/data/confidence.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { t } from '../../strings/t.ts';
import {
  type Field,
  isItems,
  itemColumns,
  type LineItem,
  toGroups,
  toLabel,
  toText,
} from './field-groups.ts';
import classes from './fields-view.module.css';
import { MarkedRow } from './marked-row.tsx';
import { markId } from './marks.ts';

export function FieldsView({ result }: { result: DocumentsResult }) {
  const groups = toGroups(result);
  return (
    <>
      <div className={classes.summary}>
        <span>{t('documents.type', { type: toLabel(result.type) })}</span>
        <Confidence value={result.confidence} />
      </div>
      {groups.length === 0 && <Empty title={t('documents.no_fields')} text={t('documents.no_fields_note')} />}
      {groups.map(({ name, fields }) => (
        <section key={name} className={classes.group} aria-label={t(`documents.groups.${name}`)}>
          <h3 className={classes.heading}>{t(`documents.groups.${name}`)}</h3>
          {fields.map(([key, field]) =>
            isItems(field) ? (
              <Items key={key} name={key} field={field} items={field.value} />
            ) : (
              <Row key={key} name={key} field={field} />
            ),
          )}
        </section>
      ))}
    </>
  );
}

function Row({ name, field }: { name: string; field: Field }) {
  const text = toText(field.value, field.currency);
  return (
    <MarkedRow className={classes.row} label={toLabel(name)} mark={markId.field(name)} page={field.page}>
      <span className={classes.name}>{toLabel(name)}</span>
      <span className={classes.value}>
        {text || <span className={classes.none}>{t('documents.empty_value')}</span>}
        {field.raw && field.raw.trim() !== text && <span className={classes.raw}>{field.raw}</span>}
      </span>
      <Confidence value={field.confidence} />
    </MarkedRow>
  );
}

interface ItemsProps {
  name: string;
  field: Field;
  items: LineItem[];
}

function Items({ name, field, items }: ItemsProps) {
  const columns = itemColumns(items);
  return (
    <MarkedRow className={classes.items} label={toLabel(name)} mark={markId.field(name)} page={field.page}>
      <table>
        {name !== 'line_items' && <caption>{toLabel(name)}</caption>}
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
                  {toText(item[column]?.value ?? null, item[column]?.currency)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </MarkedRow>
  );
}
