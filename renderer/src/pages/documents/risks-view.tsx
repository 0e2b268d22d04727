/** Risks of a document, such as hidden text, scripts and orders to models: their places, and the text of those that have one. */
import { IconAlertTriangle } from '@tabler/icons-react';
import type { DocumentsResult } from '../../../../server/api/services/documents.ts';
import { t } from '../../strings/t.ts';
import { ResultPart } from './result-part.tsx';
import classes from './risks-view.module.css';

type Risk = NonNullable<DocumentsResult['risks']>[number];

export function RisksView({ risks }: { risks: readonly Risk[] }) {
  return (
    <ResultPart title={t('documents.risks_title')}>
      <ul className={classes.list}>
        {risks.map((risk, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a finished answer's risks stay as they are
          <li key={index} className={classes.risk}>
            <IconAlertTriangle size={18} aria-hidden />
            <div>
              <div>
                {risk.detail}
                {risk.page !== null && (
                  <span className={classes.page}> {t('documents.on_page', { page: risk.page })}</span>
                )}
              </div>
              {risk.text && <div className={classes.text}>{risk.text}</div>}
            </div>
          </li>
        ))}
      </ul>
    </ResultPart>
  );
}
