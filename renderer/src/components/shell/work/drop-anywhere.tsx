/** Takes files dropped and texts or files pasted anywhere outside a field, and leads them to the playground of their kind. */
import { Button, Modal, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../../strings/t.ts';
import { packInbox } from '../../../work/pack-inbox.ts';
import { type Destination, destinationsOfAll, destinationsOfText } from '../../../work/route-input.ts';
import type { Delivery } from '../../../work/store.ts';
import { work } from '../../../work/work-context.ts';
import { notifyProblem } from '../../feedback/notify.ts';
import classes from './drop-anywhere.module.css';

interface Question {
  delivery: Delivery;
  destinations: Destination[];
}

export function DropAnywhere() {
  const navigate = useNavigate();
  const [question, setQuestion] = useState<Question | null>(null);

  function lead(to: Destination, delivery: Delivery): void {
    setQuestion(null);
    if (to !== 'packs') work.deliver(to, delivery);
    else if ('files' in delivery) packInbox.put(delivery.files);
    void navigate(`/${to}`);
  }

  function take(delivery: Delivery): void {
    const destinations =
      'files' in delivery ? destinationsOfAll(delivery.files) : destinationsOfText(delivery.text);
    const [only, ...others] = destinations;
    if (!only) notifyProblem(new Error(t('work.drop.nowhere', { name: nameOf(delivery) })));
    else if (others.length === 0) lead(only, delivery);
    else setQuestion({ delivery, destinations });
  }

  const over = useDrops((files) => take({ files }));
  usePastes(take);
  return (
    <>
      {over && (
        <div className={classes.veil} aria-hidden="true">
          <div className={classes.card}>
            <strong>{t('work.drop.title')}</strong>
            <span>{t('work.drop.text')}</span>
          </div>
        </div>
      )}
      {question && (
        <Modal
          opened
          onClose={() => setQuestion(null)}
          title={t('work.drop.ask')}
          size="sm"
          closeButtonProps={{ 'aria-label': t('dialog.close') }}
        >
          <Text size="sm">
            {'text' in question.delivery
              ? t('work.drop.ask_text')
              : t('work.drop.ask_file', { name: nameOf(question.delivery) })}
          </Text>
          <div className={classes.choices}>
            {question.destinations.map((to, index) => (
              <Button
                key={to}
                variant="default"
                fullWidth
                onClick={() => lead(to, question.delivery)}
                {...(index === 0 && { 'data-autofocus': true })}
              >
                {t(`work.drop.${to as Exclude<Destination, 'embeddings'>}`)}
              </Button>
            ))}
          </div>
        </Modal>
      )}
    </>
  );
}

const nameOf = (delivery: Delivery): string => ('files' in delivery ? (delivery.files[0]?.name ?? '') : '');

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Drop zones of the pages come first: what they take never gets here. */
function useDrops(take: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      setOver(!event.defaultPrevented);
      event.preventDefault();
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (event.defaultPrevented || !hasFiles(event)) return;
      // The browser would open it in the app's place.
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) latest.current(files);
    };
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
  return over;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

function usePastes(take: (delivery: Delivery) => void): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (files.length > 0) latest.current({ files });
      else if (text.trim() !== '' && !isField(event.target)) latest.current({ text });
      else return;
      event.preventDefault();
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
