/** The page as it will be handed out: chosen places black. A box drawn here is painted over too. */
import { ActionIcon, Loader } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type PointerEvent, useState } from 'react';
import type { SourceFile } from '../../../components/source-file.ts';
import { t } from '../../../strings/t.ts';
import { pageDataUrl, pageWidths, usePageImage } from '../use-page-image.ts';
import classes from './redaction.module.css';
import type { Target } from './redaction-plan.ts';

interface PreviewProps {
  source: SourceFile;
  page: number;
  targets: readonly Target[];
  chosen: readonly Target[];
  onPage: (page: number) => void;
  onToggle: (id: string) => void;
  onBox: (page: number, bbox: number[]) => void;
}

/** Smaller ones are clicks. */
const leastShare = 0.008;

const toStyle = ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[]) => ({
  left: `${x0 * 100}%`,
  top: `${y0 * 100}%`,
  width: `${(x1 - x0) * 100}%`,
  height: `${(y1 - y0) * 100}%`,
});

export function RedactionPreview(props: PreviewProps) {
  const { source, page, targets, chosen, onPage, onToggle, onBox } = props;
  const image = usePageImage(source, page, { width: pageWidths.plain });
  const pages = image.data?.pages ?? page;
  const { drawn, handlers } = useBox((bbox) => onBox(page, bbox));
  const here = targets.filter((target) => target.page === page);
  return (
    <section className={classes.preview} aria-label={t('documents.redact_preview')}>
      <div className={classes.pager}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('documents.previous')}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        >
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <span className="lk-num">{t('documents.page_of', { page, pages })}</span>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('documents.next')}
          disabled={page >= pages}
          onClick={() => onPage(page + 1)}
        >
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
        <span className={classes.note}>{t('documents.redact_draw')}</span>
      </div>
      <div className={classes.sheet} data-testid="redaction-sheet" {...handlers}>
        {image.data ? (
          <img
            src={pageDataUrl(image.data.png)}
            alt={t('documents.page_alt', { page, pages: image.data.pages })}
            draggable={false}
          />
        ) : (
          <Loader size="sm" role="img" aria-label={t('documents.drawing')} />
        )}
        {here.map(({ id, bbox, label }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the keyboard has the list beside it
          <div
            key={id}
            className={classes.target}
            data-chosen={chosen.some((each) => each.id === id) || undefined}
            style={toStyle(bbox)}
            title={label}
            onClick={() => onToggle(id)}
          />
        ))}
        {drawn && <div className={classes.drawn} style={toStyle(drawn)} />}
      </div>
    </section>
  );
}

function useBox(onBox: (bbox: number[]) => void) {
  const [drag, setDrag] = useState<{ from: number[]; to: number[] } | null>(null);
  const pointOf = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): number[] => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const within = (value: number) => Math.min(1, Math.max(0, value));
    return [within((clientX - left) / width), within((clientY - top) / height)];
  };
  const toBox = ({ from: [ax = 0, ay = 0], to: [bx = 0, by = 0] }: { from: number[]; to: number[] }) => [
    Math.min(ax, bx),
    Math.min(ay, by),
    Math.max(ax, bx),
    Math.max(ay, by),
  ];
  return {
    drawn: drag && toBox(drag),
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button === 0) setDrag({ from: pointOf(event), to: pointOf(event) });
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (drag) setDrag({ ...drag, to: pointOf(event) });
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (!drag) return;
        setDrag(null);
        const box = toBox({ ...drag, to: pointOf(event) });
        const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = box;
        if (x1 - x0 > leastShare && y1 - y0 > leastShare / 2) onBox(box);
      },
      onPointerLeave: () => setDrag(null),
    },
  };
}
