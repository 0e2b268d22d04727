/** The document at the left: thumbnails, one page, its boxes, zoom. */

import { ActionIcon, Loader, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Empty } from '../../components/feedback/empty.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { ScrollRegion } from '../../components/frame/scroll-region.tsx';
import type { SourceFile } from '../../components/source-file.ts';
import { percent } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import type { LinkedMark } from './marks.ts';
import { isShown, type OverlayKind, OverlayMenu } from './overlay-menu.tsx';
import { PageOverlay } from './page-overlay.tsx';
import classes from './page-viewer.module.css';
import { Thumbnails } from './thumbnails.tsx';
import { pageDataUrl, pageWidths, usePageImage } from './use-page-image.ts';
import { usePan } from './use-pan.ts';

interface PageViewerProps {
  source: SourceFile;
  page: number;
  onPage: (page: number) => void;
  marks: LinkedMark[];
  /** The file was refused, and that is said elsewhere. */
  refused?: boolean;
  /** Lies over the page instead of the boxes, and takes the pointer. */
  layer?: ReactNode;
}

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];
/** Above this the plain picture shows its pixels. */
const sharpFrom = 1.5;

export function PageViewer({ source, page, onPage, marks, refused, layer }: PageViewerProps) {
  const [zoom, setZoom] = useState(1);
  const [hidden, setHidden] = useState<OverlayKind[]>([]);
  const pan = usePan();
  const width = zoom >= sharpFrom ? pageWidths.sharp : pageWidths.plain;
  const image = usePageImage(source, page, { width });
  const pages = image.data?.pages ?? 1;
  return (
    <div className={classes.viewer}>
      <div className={classes.bar}>
        <Pager page={page} pages={pages} onPage={onPage} />
        <div className={classes.tools}>
          <OverlayMenu marks={marks} hidden={hidden} onHidden={setHidden} />
          <Zoom zoom={zoom} onZoom={setZoom} />
        </div>
      </div>
      <div className={classes.body}>
        {pages > 1 && <Thumbnails source={source} pages={pages} page={page} onPage={onPage} />}
        <ScrollRegion className={classes.canvas} label={t('documents.page_region', { page })}>
          {image.error && refused ? (
            <Empty title={t('documents.no_picture')} />
          ) : image.error ? (
            <ProblemNote error={image.error} onRetry={() => void image.refetch()} />
          ) : image.data ? (
            <div className={classes.sheet} style={{ width: `${zoom * 100}%` }} {...(layer ? {} : pan)}>
              <img
                className={classes.picture}
                src={pageDataUrl(image.data.png)}
                alt={t('documents.page_alt', { page, pages })}
                draggable={false}
              />
              {layer ?? (
                <PageOverlay marks={marks.filter((mark) => mark.page === page && isShown(mark, hidden))} />
              )}
            </div>
          ) : (
            <div className={classes.wait}>
              <Loader size="sm" role="img" aria-label={t('documents.drawing')} />
            </div>
          )}
        </ScrollRegion>
      </div>
    </div>
  );
}

function Pager({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  return (
    <div className={classes.tools}>
      <Tool label={t('documents.previous')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size={16} aria-hidden />
      </Tool>
      <span className="lk-num">{t('documents.page_of', { page, pages })}</span>
      <Tool label={t('documents.next')} disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={16} aria-hidden />
      </Tool>
    </div>
  );
}

function Zoom({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  const index = zooms.indexOf(zoom);
  const step = (by: number) => onZoom(zooms[index + by] ?? zoom);
  return (
    <div className={classes.tools}>
      <Tool label={t('documents.zoom_out')} disabled={index <= 0} onClick={() => step(-1)}>
        <IconZoomOut size={16} aria-hidden />
      </Tool>
      <span className={`lk-num ${classes.zoom}`}>{percent(zoom)}</span>
      <Tool label={t('documents.zoom_in')} disabled={index >= zooms.length - 1} onClick={() => step(1)}>
        <IconZoomIn size={16} aria-hidden />
      </Tool>
    </div>
  );
}

interface ToolProps {
  label: string;
  disabled: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Tool({ label, disabled, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label} disabled={disabled}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={disabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
