/** Small pictures of the pages; each is drawn when it scrolls into view. */
import { useInViewport } from '@mantine/hooks';
import { useRef } from 'react';
import type { SourceFile } from '../../components/source-file.ts';
import { t } from '../../strings/t.ts';
import classes from './thumbnails.module.css';
import { pageDataUrl, pageWidths, usePageImage } from './use-page-image.ts';

interface ThumbnailsProps {
  source: SourceFile;
  pages: number;
  page: number;
  onPage: (page: number) => void;
}

/** A document may have thousands of pages; the list shows the first of them, the pager reaches all. */
const maxThumbnails = 200;

export function Thumbnails({ source, pages, page, onPage }: ThumbnailsProps) {
  const numbers = Array.from({ length: Math.min(pages, maxThumbnails) }, (_, index) => index + 1);
  return (
    <ol className={classes.list} aria-label={t('documents.thumbnails')}>
      {numbers.map((number) => (
        <li key={number}>
          <button
            type="button"
            className={classes.thumbnail}
            aria-current={number === page ? 'page' : undefined}
            aria-label={t('documents.go_to', { page: number })}
            onClick={() => onPage(number)}
          >
            <Picture source={source} page={number} />
            <span className="lk-num">{number}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function Picture({ source, page }: { source: SourceFile; page: number }) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const seen = useRef(false);
  seen.current ||= inViewport;
  const image = usePageImage(source, page, { width: pageWidths.thumbnail, enabled: seen.current });
  return (
    <span ref={ref} className={classes.picture}>
      {image.data && <img src={pageDataUrl(image.data.png)} alt="" />}
    </span>
  );
}
