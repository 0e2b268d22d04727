/** The menu of an open document's exports: what was read and corrected, and forms of it that the server makes. */
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { DocumentsRequest, DocumentsResult } from '../../../../server/api/services/documents.ts';
import { useClient } from '../../api/api-context.tsx';
import { notifyProblem } from '../../components/feedback/notify.ts';
import type { SourceFile } from '../../components/source-file.ts';
import { bytesBlob, download, downloadBlob, siblingName } from '../../export/download.ts';
import { toWorkbook } from '../../export/workbook.ts';
import { t } from '../../strings/t.ts';
import { answerJson, type Corrections, toCorrected } from './corrections/corrections.ts';
import { answerSheets, fieldsCsv, tablesCsv } from './document-exports.ts';

interface DocumentSaveProps {
  source: SourceFile;
  /** As it was read. */
  request: DocumentsRequest;
  read: DocumentsResult;
  corrections: Corrections;
}

export function DocumentSaveMenu({ source, request, read, corrections }: DocumentSaveProps) {
  const { name } = source;
  const { save, busy } = useReadAgain(source, request);
  const result = toCorrected(read, corrections);
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" loading={busy} leftSection={<IconDownload size={14} aria-hidden />}>
          {t('documents.save')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => download(siblingName(name, 'json'), answerJson(read, corrections))}>
          {t('documents.save_json')}
        </Menu.Item>
        <Menu.Item
          onClick={() =>
            void toWorkbook(answerSheets(result)).then(
              (blob) => downloadBlob(siblingName(name, 'xlsx'), blob),
              notifyProblem,
            )
          }
        >
          {t('documents.save_xlsx')}
        </Menu.Item>
        <Menu.Item onClick={() => download(siblingName(name, 'fields.csv'), fieldsCsv(result), 'text/csv')}>
          {t('documents.save_fields')}
        </Menu.Item>
        <Menu.Item
          disabled={result.tables.length === 0}
          onClick={() => download(siblingName(name, 'tables.csv'), tablesCsv(result), 'text/csv')}
        >
          {t('documents.save_tables')}
        </Menu.Item>
        <Menu.Item onClick={() => save('markdown')}>{t('documents.save_markdown')}</Menu.Item>
        <Menu.Item onClick={() => save('searchable_pdf')}>{t('documents.save_searchable')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Markdown and the searchable PDF are of the pages, so they are made when they are asked for. */
function useReadAgain({ name }: SourceFile, request: DocumentsRequest) {
  const client = useClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async (output_format: 'markdown' | 'searchable_pdf') => {
      const { data } = await client.call('POST /v1/documents/parse', { body: { ...request, output_format } });
      if (output_format === 'markdown') {
        download(siblingName(name, 'md'), data.markdown ?? '', 'text/markdown');
      } else {
        downloadBlob(
          siblingName(name, 'searchable.pdf'),
          bytesBlob(data.searchable_pdf ?? '', 'application/pdf'),
        );
      }
    },
    onError: notifyProblem,
  });
  return { save: mutate, busy: isPending };
}
