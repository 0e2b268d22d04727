/** Above a document of a batch: its place among the others, and the way on, back and through them. */
import { Button } from '@mantine/core';
import { IconArrowLeft, IconCheck } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../../../components/shell/palette/shortcuts.ts';
import { t } from '../../../strings/t.ts';
import type { BatchItem } from './batch.ts';
import { inReviewOrder, isApprovable, needsReview } from './batch-grid.ts';
import classes from './batch-view.module.css';

interface BatchPlaceProps {
  items: BatchItem[];
  opened: BatchItem;
  onOpen: (item: BatchItem) => void;
  onApprove: (id: number, approved: boolean) => void;
  onBack: () => void;
}

export function BatchPlace({ items, opened, onOpen, onApprove, onBack }: BatchPlaceProps) {
  const order = inReviewOrder(items);
  const at = order.findIndex(({ id }) => id === opened.id);
  const before = order[at - 1];
  const after = order[at + 1];
  const approve = () => {
    onApprove(opened.id, true);
    const next = order.find((item) => item.id !== opened.id && needsReview(item));
    if (next) onOpen(next);
    else onBack();
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
      return;
    if (event.key === 'j' && after) onOpen(after);
    else if (event.key === 'k' && before) onOpen(before);
    else if (event.key === 'a' && isApprovable(opened)) approve();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <nav className={classes.place} aria-label={t('documents.batch.place')}>
      <Button variant="default" leftSection={<IconArrowLeft size={14} aria-hidden />} onClick={onBack}>
        {t('documents.batch.back')}
      </Button>
      <span className="lk-num">{t('documents.batch.progress', { done: at + 1, total: order.length })}</span>
      <Button
        variant="default"
        disabled={!before}
        aria-keyshortcuts="k"
        onClick={() => before && onOpen(before)}
      >
        {t('documents.batch.previous')}
      </Button>
      <Button
        variant="default"
        disabled={!after}
        aria-keyshortcuts="j"
        onClick={() => after && onOpen(after)}
      >
        {t('documents.batch.next')}
      </Button>
      {isApprovable(opened) && (
        <Button leftSection={<IconCheck size={14} aria-hidden />} aria-keyshortcuts="a" onClick={approve}>
          {t('documents.batch.approve_next')}
        </Button>
      )}
    </nav>
  );
}
