/** The picture or the video at the frame that was looked at, with the objects' boxes. */
import { useEffect, useMemo, useRef } from 'react';
import type { ImagesResult } from '../../../../server/api/images.ts';
import { t } from '../../strings/t.ts';
import { PageOverlay } from '../documents/page-overlay.tsx';
import type { SourceFile } from '../documents/source-file.ts';
import classes from './picture.module.css';

interface PictureProps {
  source: SourceFile & { type: string };
  objects: ImagesResult['results'][number]['objects'];
  timestampMs: number | undefined;
}

export const objectMark = (index: number): string => `object:${index}`;

export function Picture({ source, objects, timestampMs }: PictureProps) {
  const marks = objects.map(({ bbox, label }, index) => ({
    id: objectMark(index),
    kind: 'field' as const,
    page: 1,
    bbox,
    label,
  }));
  const url = `data:${source.type};base64,${source.base64}`;
  return (
    <div className={classes.picture}>
      {source.type.startsWith('video/') ? (
        <Video source={source} timestampMs={timestampMs ?? 0} />
      ) : (
        <img src={url} alt={source.name} />
      )}
      <PageOverlay marks={marks} />
    </div>
  );
}

function Video({ source, timestampMs }: { source: SourceFile & { type: string }; timestampMs: number }) {
  const video = useRef<HTMLVideoElement>(null);
  const url = useMemo(() => `data:${source.type};base64,${source.base64}`, [source]);
  useEffect(() => {
    if (video.current) video.current.currentTime = timestampMs / 1000;
  }, [timestampMs]);
  return <video ref={video} src={url} muted aria-label={t('images.video', { name: source.name })} />;
}
