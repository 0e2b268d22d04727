/** The document's text in reading order, laid out or as Markdown. */
import type { DocumentsRequest } from '../../../../server/api/services/documents.ts';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import type { SourceFile } from '../../components/source-file.ts';
import { t } from '../../strings/t.ts';
import { OtherOutput } from './other-output.tsx';

interface TextViewProps {
  source: SourceFile;
  request: DocumentsRequest;
  format: 'text' | 'markdown';
}

export function TextView({ format, ...of }: TextViewProps) {
  return (
    <OtherOutput {...of} format={format}>
      {({ [format]: text = '' }) =>
        text.trim() ? (
          <CodeBlock code={text} label={t(`documents.${format}`)} maxHeight={640} />
        ) : (
          <Empty title={t('documents.no_text')} />
        )
      }
    </OtherOutput>
  );
}
