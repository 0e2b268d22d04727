/** The same file as another installed pack sees it. */
import { Select } from '@mantine/core';
import { useRef, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import type { ImageParameters } from './image-options.tsx';
import classes from './image-result.module.css';
import { type OpenedFile, Picture } from './picture.tsx';
import { countLabels, labelWords, type ObjectFilter, shownObjects } from './seen-objects.ts';
import { useAnalysis } from './use-analysis.ts';

interface CompareViewProps {
  source: OpenedFile;
  parameters: ImageParameters;
  frame: number;
  filter: ObjectFilter;
  named: boolean;
}

/** Nothing where there is only one vision pack. */
export function PackComparison({ source, parameters, frame, filter, named }: CompareViewProps) {
  const overview = useRead('GET /console/packs').data;
  const packs = (overview?.packs ?? []).filter(({ roles }) => roles.includes('svc-vision-pro'));
  const [pack, setPack] = useState<string | null>(null);
  const analysis = useAnalysis();
  const media = useRef<HTMLImageElement | HTMLVideoElement>(null);
  if (packs.length < 2) return null;
  const result = analysis.answer?.results[frame];
  return (
    <Panel
      title={t('images.compare')}
      actions={
        <Select
          w={220}
          aria-label={t('images.compare_pack')}
          placeholder={t('images.compare_pack')}
          data={packs.map(({ ref, name }) => ({ value: ref, label: name }))}
          value={pack}
          onChange={(chosen) => {
            setPack(chosen);
            if (chosen) analysis.run(source, parameters, chosen);
          }}
        />
      }
    >
      <ProblemNote error={analysis.error} />
      {analysis.pending && <p className={classes.none}>{t('documents.parsing')}</p>}
      {result && (
        <>
          <Picture
            source={source}
            objects={shownObjects(result.objects, filter)}
            named={named}
            timestampMs={result.timestamp_ms}
            media={media}
          />
          <p className={classes.compared}>{result.caption}</p>
          <p className={classes.none}>
            {countLabels([result])
              .map(({ label, count }) => `${labelWords(label)} ${count}`)
              .join(' · ')}
          </p>
        </>
      )}
    </Panel>
  );
}
