/** The picture or the video at the frame that was looked at, with the objects' boxes. */
import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { SourceFile } from '../../components/source-file.ts';
import { t } from '../../strings/t.ts';
import { ObjectBoxes } from './object-boxes.tsx';
import classes from './picture.module.css';
import type { ShownObject } from './seen-objects.ts';

export const acceptedPictures = '.png,.jpg,.jpeg,.webp,.gif,.mp4,.webm';

export interface OpenedFile extends SourceFile {
  type: string;
}

export const isVideo = ({ type }: OpenedFile): boolean => type.startsWith('video/');
export const pictureDataUrl = ({ type, base64 }: OpenedFile): string => `data:${type};base64,${base64}`;

interface PictureProps {
  source: OpenedFile;
  objects: readonly ShownObject[];
  named: boolean;
  timestampMs: number | undefined;
  /** The shown picture, for drawing it into a file. */
  media: RefObject<HTMLImageElement | HTMLVideoElement | null>;
}

export function Picture({ source, objects, named, timestampMs = 0, media }: PictureProps) {
  const url = useMemo(() => pictureDataUrl(source), [source]);
  const video = isVideo(source);
  useEffect(() => {
    const element = media.current;
    // A hair later, so that rounding down does not show the frame before.
    if (element instanceof HTMLVideoElement) element.currentTime = timestampMs / 1000 + 0.001;
  }, [media, timestampMs]);
  return (
    <div className={classes.picture}>
      {video ? (
        <video
          ref={media as RefObject<HTMLVideoElement>}
          src={url}
          muted
          aria-label={t('images.video', { name: source.name })}
        />
      ) : (
        <Still key={url} media={media as RefObject<HTMLImageElement | null>} url={url} name={source.name} />
      )}
      <ObjectBoxes objects={objects} labels={named} />
    </div>
  );
}

/** A file that is no picture has a name alone: the answer says what is wrong with it. */
function Still({
  media,
  url,
  name,
}: {
  media: RefObject<HTMLImageElement | null>;
  url: string;
  name: string;
}) {
  const [unreadable, setUnreadable] = useState(false);
  if (unreadable) return <p className={classes.unreadable}>{name}</p>;
  return <img ref={media} src={url} alt={name} onError={() => setUnreadable(true)} />;
}
