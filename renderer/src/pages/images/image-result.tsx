/** One frame's caption, objects, relations and scene. */
import { SegmentedControl } from '@mantine/core';
import { Confidence } from '../../components/data/confidence.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { MarkedRow } from '../../components/marked-row.tsx';
import { percent, score } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import classes from './image-result.module.css';
import { objectMark } from './object-boxes.tsx';
import { ObjectFilterBar } from './object-filter.tsx';
import {
  countLabels,
  type FrameResult,
  labelColor,
  labelWords,
  type ObjectFilter,
  type ShownObject,
} from './seen-objects.ts';

const languages = ['en', 'ms', 'zh'] as const;
export type CaptionLanguage = (typeof languages)[number];

export interface CaptionState {
  text: string;
  language: CaptionLanguage;
  pending: boolean;
  onLanguage: (language: CaptionLanguage) => void;
}

export function Caption({ caption }: { caption: CaptionState }) {
  return (
    <Panel
      title={t('images.caption')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('images.language')}
          data={languages.map((value) => ({ value, label: t(`moderation.languages.${value}`) }))}
          value={caption.language}
          disabled={caption.pending}
          onChange={(value) => caption.onLanguage(value as CaptionLanguage)}
        />
      }
    >
      <p className={classes.caption} lang={caption.language} aria-busy={caption.pending}>
        {caption.text}
      </p>
    </Panel>
  );
}

interface ObjectsProps {
  results: readonly FrameResult[];
  result: FrameResult;
  shown: readonly ShownObject[];
  filter: ObjectFilter;
  onFilter: (filter: ObjectFilter) => void;
  named: boolean;
  onNamed: (named: boolean) => void;
}

export function Objects({ results, result, shown, ...filtering }: ObjectsProps) {
  const labelOf = (index: number) => labelWords(result.objects[index]?.label ?? String(index));
  const labels = countLabels(results);
  const visible = new Set(shown.map(({ index }) => index));
  const relations = (result.relations ?? []).filter(
    ({ subject, object }) => visible.has(subject) && visible.has(object),
  );
  return (
    <Panel
      title={t('images.objects')}
      note={
        result.objects.length > 0 && t('images.shown', { shown: shown.length, all: result.objects.length })
      }
    >
      {labels.length > 0 ? (
        <ObjectFilterBar labels={labels} {...filtering} />
      ) : (
        <p className={classes.none}>{t('images.no_objects')}</p>
      )}
      {shown.map(({ index, label, confidence }) => (
        <MarkedRow key={index} className={classes.row} label={labelWords(label)} mark={objectMark(index)}>
          <span className={classes.name}>
            <span className={classes.swatch} style={{ background: labelColor(label) }} aria-hidden="true" />
            {labelWords(label)}
          </span>
          <Confidence value={confidence} />
        </MarkedRow>
      ))}
      {relations.length > 0 && (
        <details className={classes.relations} open>
          <summary>{t('images.relations', { count: relations.length })}</summary>
          {relations.map(({ subject, predicate, object }) => (
            <div key={`${subject} ${predicate} ${object}`} className={classes.relation}>
              {labelOf(subject)} → {labelWords(predicate)} → {labelOf(object)}
            </div>
          ))}
        </details>
      )}
    </Panel>
  );
}

const mostScenes = 12;

export function Scene({ scene }: { scene: FrameResult['scene'] }) {
  const ranked = Object.entries(scene)
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostScenes);
  if (ranked.length === 0) return null;
  return (
    <Panel title={t('images.scene')}>
      {ranked.map(([label, value]) => (
        <div key={label} className={classes.scene}>
          <span>{labelWords(label)}</span>
          <span className={classes.track} aria-hidden="true">
            <span className={classes.fill} style={{ width: percent(value) }} />
          </span>
          <span className="lk-num">{score(value)}</span>
        </div>
      ))}
    </Panel>
  );
}
