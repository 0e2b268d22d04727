/** Tabs of a document's results: those of marks and risks where there are any. */
import type { DocumentsResult } from '../../../../server/api/services/documents.ts';
import { t } from '../../strings/t.ts';

interface DocumentTab {
  value: 'fields' | 'tables' | 'checks' | 'risks' | 'text' | 'markdown' | 'chunks' | 'json' | 'code';
  label: string;
}

export function tabsOf(result: DocumentsResult): DocumentTab[] {
  const { checkboxes, signatures, stamps = [], barcodes = [], risks = [], tables } = result;
  const checks = [checkboxes, signatures, stamps, barcodes].reduce((sum, { length }) => sum + length, 0);
  return [
    { value: 'fields', label: t('documents.fields') },
    { value: 'tables', label: t('documents.tables', { count: tables.length }) },
    ...(checks > 0 ? [{ value: 'checks' as const, label: t('documents.checks', { count: checks }) }] : []),
    ...(risks.length > 0
      ? [{ value: 'risks' as const, label: t('documents.risks', { count: risks.length }) }]
      : []),
    { value: 'text', label: t('documents.text') },
    { value: 'markdown', label: t('documents.markdown') },
    { value: 'chunks', label: t('documents.chunks') },
    { value: 'json', label: t('documents.json') },
    { value: 'code', label: t('documents.code') },
  ];
}
