import { bytes } from '../../../format/numbers.ts';
import { t, tn } from '../../../strings/t.ts';
import type { Attachment } from '../model/attachment.ts';
import type { PendingAttachment } from './use-attachments.ts';

/** Pages, tokens and in what form it is sent, in one line. */
export function attachmentFacts({ kind, pages, cut, tokens }: Attachment): string {
  return [
    pages !== null && tn('chat.attach.pages', pages),
    cut && t('chat.attach.cut'),
    tokens !== null && tn('chat.attach.tokens', tokens),
    t(`chat.attach.as.${kind}`),
  ]
    .filter((fact) => typeof fact === 'string')
    .join(' · ');
}

export function pendingFacts({ attachment, progress, sizeBytes }: PendingAttachment): string {
  if (attachment) return attachmentFacts(attachment);
  return [
    bytes(sizeBytes),
    progress
      ? t('chat.attach.reading_page', { page: progress.page, pages: progress.pages })
      : t('chat.attach.reading'),
  ].join(' · ');
}
