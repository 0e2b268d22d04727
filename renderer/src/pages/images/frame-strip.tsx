/** The analysed frames of a video along its time: a thumbnail each, and a line that shows where they stand. */
import { useEffect, useRef, useState } from 'react';
import { milliseconds } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import classes from './frame-strip.module.css';
import type { FrameResult } from './seen-objects.ts';

interface FrameStripProps {
  results: readonly FrameResult[];
  frame: number;
  /** Absent while the frames still come. */
  onFrame?: (frame: number) => void;
  /** A video's data URL; thumbnails are drawn from it where the browser can play it. */
  url: string | null;
}

const thumbnailWidth = 112;

export function FrameStrip({ results, frame, onFrame, url }: FrameStripProps) {
  const times = results.map(({ timestamp_ms }) => timestamp_ms ?? 0);
  const thumbnails = useThumbnails(url, times);
  const end = Math.max(1, times.at(-1) ?? 1);
  return (
    <div className={classes.strip}>
      <div className={classes.line} aria-hidden="true">
        {times.map((time, index) => (
          <span
            key={time}
            className={classes.tick}
            data-chosen={index === frame || undefined}
            style={{ left: `${(time / end) * 100}%` }}
          />
        ))}
      </div>
      <fieldset className={classes.frames} aria-label={t('images.frames_label')}>
        {results.map((result, index) => (
          <button
            key={times[index]}
            type="button"
            className={classes.frame}
            aria-pressed={index === frame}
            aria-label={t('images.frame_at', { frame: index + 1, time: milliseconds(times[index] ?? 0) })}
            title={result.caption}
            disabled={!onFrame}
            onClick={() => onFrame?.(index)}
          >
            {thumbnails[index] ? (
              <img src={thumbnails[index]} alt="" />
            ) : (
              <span className={classes.blank}>{result.objects.length}</span>
            )}
            <span className={classes.time}>{milliseconds(times[index] ?? 0)}</span>
          </button>
        ))}
      </fieldset>
    </div>
  );
}

/** Filled in one after the other, those of new frames behind the ones that are there; empty without a decoder. */
function useThumbnails(url: string | null, times: readonly number[]): (string | undefined)[] {
  const [drawn, setDrawn] = useState<ReadonlyMap<number, string>>(new Map());
  const known = useRef(drawn);
  const wanted = times.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another video has other pictures
  useEffect(() => {
    known.current = new Map();
  }, [url]);
  useEffect(() => {
    if (!url || wanted === '') return;
    let gone = false;
    const missing = wanted
      .split(',')
      .map(Number)
      .filter((time) => !known.current.has(time));
    void drawThumbnails(url, missing, (time, picture) => {
      if (gone) return false;
      known.current = new Map(known.current).set(time, picture);
      setDrawn(known.current);
      return true;
    }).catch(() => {}); // without thumbnails the strip still works
    return () => {
      gone = true;
    };
  }, [url, wanted]);
  return times.map((time) => drawn.get(time));
}

async function drawThumbnails(
  url: string,
  times: readonly number[],
  onPicture: (time: number, picture: string) => boolean,
): Promise<void> {
  if (times.length === 0) return;
  const video = document.createElement('video');
  video.muted = true;
  video.src = url;
  await once(video, 'loadeddata');
  const canvas = document.createElement('canvas');
  canvas.width = thumbnailWidth;
  canvas.height = Math.round((thumbnailWidth * video.videoHeight) / video.videoWidth);
  const context = canvas.getContext('2d');
  for (const time of times) {
    // A hair later, so that rounding down does not show the frame before.
    video.currentTime = time / 1000 + 0.001;
    await once(video, 'seeked');
    context?.drawImage(video, 0, 0, canvas.width, canvas.height);
    if (!onPicture(time, canvas.toDataURL('image/jpeg', 0.7))) return;
  }
}

const once = (video: HTMLVideoElement, event: string): Promise<void> =>
  new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener('error', () => reject(new Error('The video cannot be played.')), { once: true });
  });
