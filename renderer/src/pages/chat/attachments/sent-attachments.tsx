/** Files that went with a message: name, pages, tokens; a click shows the very text that the model was sent. */
import { Modal } from '@mantine/core';
import { IconFileText, IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { t } from '../../../strings/t.ts';
import { type Attachment, toPromptText } from '../model/attachment.ts';
import { attachmentFacts } from './attachment-facts.ts';
import classes from './attachments.module.css';

export function SentAttachments({ attachments }: { attachments: readonly Attachment[] }) {
  const [shown, setShown] = useState<Attachment | null>(null);
  return (
    <ul className={classes.list} aria-label={t('chat.attach.list')}>
      {attachments.map((attachment) => (
        <li key={attachment.id} className={classes.chip}>
          <KindIcon kind={attachment.kind} />
          <button
            type="button"
            className={classes.name}
            title={t('chat.attach.show')}
            onClick={() => setShown(attachment)}
          >
            {attachment.name}
          </button>
          <span className={`lk-num ${classes.facts}`}>{attachmentFacts(attachment)}</span>
        </li>
      ))}
      {shown && (
        <Modal
          opened
          onClose={() => setShown(null)}
          title={t('chat.attach.shown', { name: shown.name })}
          size="lg"
          closeButtonProps={{ 'aria-label': t('dialog.close') }}
        >
          <CodeBlock code={toPromptText(shown)} label={shown.name} maxHeight={480} />
        </Modal>
      )}
    </ul>
  );
}

export const KindIcon = ({ kind }: { kind: Attachment['kind'] }) =>
  kind === 'picture' ? <IconPhoto size={14} aria-hidden /> : <IconFileText size={14} aria-hidden />;
