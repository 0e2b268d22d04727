/** A text at the left, its categories at the right, and the spans that led to them below. */
import { Button, Menu, Progress, Switch, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFolderOpen, IconLanguage } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { SafetyResult } from '../../../../server/api/services/moderations.ts';
import { cutText, maxPieceBytes, utf8Bytes } from '../../../../server/api/services/text-pieces.ts';
import { useBoundPack } from '../../api/bound-pack.ts';
import { useRead } from '../../api/queries.ts';
import { JsonView } from '../../components/code/json-view.tsx';
import { SnippetsView } from '../../components/code/snippets-view.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { useFileText } from '../../components/file-text.ts';
import { Panel } from '../../components/frame/panel.tsx';
import { ChooseFile, useFileDrop } from '../../components/input/file-drop.tsx';
import { acceptedDocuments } from '../../components/source-file.ts';
import { count } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import { AnonymizePanel } from './anonymize-panel.tsx';
import type { Thresholds } from './categories.ts';
import { CategoryBars } from './category-bars.tsx';
import { textSamples } from './samples.ts';
import classes from './single-view.module.css';
import { SpansView } from './spans-view.tsx';
import { type TextRequest, useSafety } from './use-safety.ts';

const pauseMs = 450;

interface SingleViewProps {
  text: string;
  onText: (text: string) => void;
  thresholds: Thresholds;
  onThresholds: (thresholds: Thresholds) => void;
}

export function SingleView({ text, onText, thresholds, onThresholds }: SingleViewProps) {
  const [live, setLive] = useState(true);
  const [asked, setAsked] = useState({ input: '', thresholds });
  const [settledText] = useDebouncedValue(text, pauseMs);
  const [settledThresholds] = useDebouncedValue(thresholds, 200);
  const size = useMemo(() => utf8Bytes(text), [text]);
  const pieces = useMemo(() => (size > maxPieceBytes ? (cutText(text)?.length ?? 0) : 1), [text, size]);
  // A text of many requests is read when it is asked for, not at each letter.
  const typing = live && pieces === 1;
  const settled =
    settledText.length * 3 > maxPieceBytes && utf8Bytes(settledText) > maxPieceBytes ? '' : settledText;
  const sent = typing ? { input: settled, thresholds: settledThresholds } : asked;
  const { input } = sent;
  const body: TextRequest = {
    model: 'svc-shield-base',
    input,
    ...(Object.keys(sent.thresholds).length > 0 ? { thresholds: sent.thresholds } : {}),
  };
  const { answer, progress, cancel } = useSafety(body);
  const defaults = useBoundPack('svc-shield-base')?.thresholds ?? {};
  const outcome = input.trim() ? (answer.data?.results[0] ?? null) : null;
  const file = useFileText(onText);
  const { over, handlers } = useFileDrop(file.read);
  function check(): void {
    if (asked.input === text && asked.thresholds === thresholds) void answer.refetch();
    else setAsked({ input: text, thresholds });
  }
  return (
    <div className={classes.columns}>
      <div className={classes.column} data-over={over || undefined} {...handlers}>
        <Panel
          title={t('moderation.text')}
          note={
            <span className="lk-num">
              {pieces === 1
                ? t('moderation.size', { size: count(size), max: count(maxPieceBytes) })
                : t('moderation.size_pieces', { size: count(size), count: pieces })}
            </span>
          }
          actions={
            <>
              <Switch
                label={t('moderation.live')}
                checked={typing}
                disabled={pieces !== 1}
                onChange={(event) => setLive(event.currentTarget.checked)}
              />
              <Samples onText={onText} />
              <ChooseFile
                accept={`text/*,.json,.jsonl,.log,.rtf,.ics,.vcf,${acceptedDocuments}`}
                onFile={file.read}
                busy={file.busy}
                icon={<IconFolderOpen size={14} aria-hidden />}
              >
                {t('moderation.choose')}
              </ChooseFile>
            </>
          }
        >
          <Textarea
            data-main-field
            aria-label={t('moderation.text')}
            placeholder={t('moderation.placeholder')}
            autosize
            minRows={12}
            maxRows={18}
            value={text}
            error={pieces === 0 ? t('moderation.too_long') : null}
            onChange={(event) => onText(event.currentTarget.value)}
          />
          {!typing && (
            <div className={classes.run}>
              <Button onClick={check} loading={answer.isFetching} disabled={!text.trim() || pieces === 0}>
                {t('moderation.check')}
              </Button>
              {progress && (
                <>
                  <Button variant="default" onClick={cancel}>
                    {t('dialog.cancel')}
                  </Button>
                  <Progress
                    className={classes.progress ?? ''}
                    value={(progress.done / progress.total) * 100}
                    aria-label={t('moderation.pieces_done', progress)}
                  />
                </>
              )}
            </div>
          )}
        </Panel>
        <ProblemNote error={answer.error} onRetry={() => void answer.refetch()} />
        {outcome && !progress && <SpansView text={input} spans={outcome.spans} />}
        <AnonymizePanel text={text} />
        {answer.data && input.trim() && <Details body={body} answer={answer.data} />}
      </div>
      <CategoryBars
        outcome={outcome}
        thresholds={thresholds}
        defaults={defaults}
        onThresholds={onThresholds}
        busy={answer.isFetching}
      />
    </div>
  );
}

function Samples({ onText }: { onText: (text: string) => void }) {
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<IconLanguage size={14} aria-hidden />}>
          {t('moderation.samples')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {textSamples.map(({ language, samples }) => (
          <div key={language}>
            <Menu.Label>{t(`moderation.languages.${language}`)}</Menu.Label>
            {samples.map((sample) => (
              <Menu.Item key={sample} onClick={() => onText(sample)} className={classes.sample}>
                <span className={classes.sample}>{sample}</span>
              </Menu.Item>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Details({ body, answer }: { body: TextRequest; answer: SafetyResult }) {
  const baseUrl = useRead('GET /console/state').data?.base_url ?? '';
  return (
    <>
      <details className={classes.details}>
        <summary>{t('moderation.json')}</summary>
        <JsonView value={answer} label={t('moderation.json')} />
      </details>
      {utf8Bytes(body.input) <= maxPieceBytes && (
        <details className={classes.details}>
          <summary>{t('moderation.code')}</summary>
          <SnippetsView request={{ baseUrl, path: '/moderations', body: { ...body } }} />
        </details>
      )}
    </>
  );
}
