/** Another form of the document: a second request, made when its tab is opened. */
import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DocumentsRequest, DocumentsResult } from '../../../../server/api/services/documents.ts';
import { useClient } from '../../api/api-context.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import type { SourceFile } from '../../components/source-file.ts';
import { t } from '../../strings/t.ts';

interface OtherOutputProps {
  source: SourceFile;
  request: DocumentsRequest;
  format: 'text' | 'markdown' | 'chunks';
  children: (output: Pick<DocumentsResult, 'text' | 'markdown' | 'chunks'>) => ReactNode;
}

export function OtherOutput({ source, request, format, children }: OtherOutputProps) {
  const client = useClient();
  const answer = useQuery({
    queryKey: ['document-output', format, source.id, request.template, request.pages],
    queryFn: async ({ signal }) => {
      const body = { ...request, output_format: format };
      const { data } = await client.call('POST /v1/documents/parse', { body, signal });
      return { [format]: data[format] };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  if (answer.isPending) return <Loader size="sm" role="img" aria-label={t('documents.parsing')} />;
  if (answer.error) return <ProblemNote error={answer.error} onRetry={() => void answer.refetch()} />;
  return children(answer.data);
}
