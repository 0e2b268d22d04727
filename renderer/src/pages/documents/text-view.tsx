/** The document's text in reading order: a second request, made when this view is opened. */
import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DocumentsRequest } from '../../../../server/api/services/documents.ts';
import { useClient } from '../../api/api-context.tsx';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import type { SourceFile } from '../../components/source-file.ts';
import { t } from '../../strings/t.ts';

export function TextView({ source, request }: { source: SourceFile; request: DocumentsRequest }) {
  const client = useClient();
  const text = useQuery({
    queryKey: ['document-text', source.id, request.template, request.pages],
    queryFn: async ({ signal }) => {
      const body = { ...request, output_format: 'text' as const };
      return (await client.call('POST /v1/documents/parse', { body, signal })).data.text ?? '';
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  if (text.isPending) return <Loader size="sm" role="img" aria-label={t('documents.parsing')} />;
  if (text.error) return <ProblemNote error={text.error} onRetry={() => void text.refetch()} />;
  if (!text.data.trim()) return <Empty title={t('documents.no_text')} />;
  return <CodeBlock code={text.data} label={t('documents.text')} maxHeight={640} />;
}
