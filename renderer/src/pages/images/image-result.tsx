import { Slider } from '@mantine/core';
import type { ImagesResult } from '../../../../server/api/images.ts';
import { Confidence } from '../../components/data/confidence.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { milliseconds, percent, score } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import { MarkedRow } from '../documents/marked-row.tsx';
import classes from './image-result.module.css';
import { objectMark } from './picture.tsx';

interface ImageResultProps {
  answer: ImagesResult;
  frame: number;
  onFrame: (frame: number) => void;
}

/** One frame's caption, objects, relations and scene. */
export function ImageResult({ answer, frame, onFrame }: ImageResultProps) {
  const result = answer.results[frame];
  if (!result) return null;
  const frames = answer.results.length;
  return (
    <>
      {frames > 1 && (
        <Panel
          title={t('images.frame', { frame: frame + 1, frames })}
          note={milliseconds(result.timestamp_ms ?? 0)}
        >
          <Slider
            min={0}
            max={frames - 1}
            value={frame}
            label={null}
            thumbLabel={t('images.frame_slider')}
            onChange={onFrame}
          />
        </Panel>
      )}
      {result.caption && (
        <Panel title={t('images.caption')}>
          <p className={classes.caption}>{result.caption}</p>
        </Panel>
      )}
      <Objects result={result} />
      <Scene scene={result.scene} />
    </>
  );
}

type FrameResult = ImagesResult['results'][number];

function Objects({ result }: { result: FrameResult }) {
  const labelOf = (index: number) => result.objects[index]?.label ?? String(index);
  return (
    <Panel title={t('images.objects')} note={result.objects.length}>
      {result.objects.map(({ label, confidence }, index) => (
        <MarkedRow
          // biome-ignore lint/suspicious/noArrayIndexKey: an object is its index in the answer
          key={index}
          className={classes.row}
          label={label}
          mark={objectMark(index)}
        >
          <span>{label}</span>
          <Confidence value={confidence} />
        </MarkedRow>
      ))}
      {(result.relations ?? []).map(({ subject, predicate, object }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a relation is its index in the answer
        <div key={index} className={classes.relation}>
          {labelOf(subject)} → {predicate} → {labelOf(object)}
        </div>
      ))}
    </Panel>
  );
}

function Scene({ scene }: { scene: FrameResult['scene'] }) {
  const ranked = Object.entries(scene).sort(([, a], [, b]) => b - a);
  if (ranked.length === 0) return null;
  return (
    <Panel title={t('images.scene')}>
      {ranked.map(([label, value]) => (
        <div key={label} className={classes.scene}>
          <span>{label}</span>
          <span className={classes.track} aria-hidden="true">
            <span className={classes.fill} style={{ width: percent(value) }} />
          </span>
          <span className="lk-num">{score(value)}</span>
        </div>
      ))}
    </Panel>
  );
}
