/** Passages for search, each with the heading above it and its page. */
import type { DocumentsRequest, DocumentsResult } from '../../../../server/api/services/documents.ts';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import type { SourceFile } from '../../components/source-file.ts';
import { t } from '../../strings/t.ts';
import { OtherOutput } from './other-output.tsx';
import classes from './passages-view.module.css';

type Passage = NonNullable<DocumentsResult['chunks']>[number];

export function PassagesView(of: { source: SourceFile; request: DocumentsRequest }) {
  return (
    <OtherOutput {...of} format="chunks">
      {({ chunks = [] }) =>
        chunks.length > 0 ? <Passages passages={chunks} /> : <Empty title={t('documents.no_text')} />
      }
    </OtherOutput>
  );
}

function Passages({ passages }: { passages: readonly Passage[] }) {
  return (
    <>
      <CopyButton
        value={JSON.stringify(passages, null, 2)}
        label={t('documents.copy_passages', { count: passages.length })}
        text
      />
      <ol className={classes.list} aria-label={t('documents.chunks')}>
        {passages.map(({ text, page, heading }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a finished answer's passages stay as they are
          <li key={index} className={classes.passage}>
            <div className={classes.head}>
              <span>
                {heading !== null && <strong>{heading} </strong>}
                <span className={classes.page}>{t('documents.on_page', { page })}</span>
              </span>
              <CopyButton value={text} label={t('documents.copy_passage', { number: index + 1 })} small />
            </div>
            {text}
          </li>
        ))}
      </ol>
    </>
  );
}
