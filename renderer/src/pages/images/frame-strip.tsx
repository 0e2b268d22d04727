/** The analysed frames of a video along its time: a thumbnail each, and a line that shows where they stand. */
import { useEffect, useState } from 'react';
import { milliseconds } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import classes from './frame-strip.module.css';
import type { FrameResult } from './seen-objects.ts';

interface FrameStripProps {
  results: readonly FrameResult[];
  frame: number;
  onFrame: (frame: number) => void;
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
            onClick={() => onFrame(index)}
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

/** Filled in one after the other; empty where the browser has no decoder. */
function useThumbnails(url: string | null, times: readonly number[]): string[] {
  const [thumbnails, setThumbnails] = useState<string[]>([]);
  const wanted = times.join();
  useEffect(() => {
    setThumbnails([]);
    if (!url) return;
    let gone = false;
    void drawThumbnails(url, wanted.split(',').map(Number), (index, picture) => {
      if (!gone) setThumbnails((previous) => Object.assign(previous.slice(), { [index]: picture }));
      return !gone;
    }).catch(() => {}); // without thumbnails the strip still works
    return () => {
      gone = true;
    };
  }, [url, wanted]);
  return thumbnails;
}

async function drawThumbnails(
  url: string,
  times: readonly number[],
  onPicture: (index: number, picture: string) => boolean,
): Promise<void> {
  const video = document.createElement('video');
  video.muted = true;
  video.src = url;
  await once(video, 'loadeddata');
  const canvas = document.createElement('canvas');
  canvas.width = thumbnailWidth;
  canvas.height = Math.round((thumbnailWidth * video.videoHeight) / video.videoWidth);
  const context = canvas.getContext('2d');
  for (const [index, time] of times.entries()) {
    // A hair later, so that rounding down does not show the frame before.
    video.currentTime = time / 1000 + 0.001;
    await once(video, 'seeked');
    context?.drawImage(video, 0, 0, canvas.width, canvas.height);
    if (!onPicture(index, canvas.toDataURL('image/jpeg', 0.7))) return;
  }
}

const once = (video: HTMLVideoElement, event: string): Promise<void> =>
  new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener('error', () => reject(new Error('The video cannot be played.')), { once: true });
  });
