/** A text at the left, its categories at the right, and the spans that led to them below. */
import { Button, Menu, Switch, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconLanguage } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModerationsRequest, SafetyResult } from '../../../../server/api/services/moderations.ts';
import { useClient } from '../../api/api-context.tsx';
import { useRead } from '../../api/queries.ts';
import { JsonView } from '../../components/code/json-view.tsx';
import { SnippetsView } from '../../components/code/snippets-view.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { count } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import type { Thresholds } from './categories.ts';
import { CategoryBars } from './category-bars.tsx';
import { textSamples } from './samples.ts';
import classes from './single-view.module.css';
import { SpansView } from './spans-view.tsx';

const pauseMs = 450;
const maxBytes = 32_768;

interface SingleViewProps {
  text: string;
  onText: (text: string) => void;
  thresholds: Thresholds;
  onThresholds: (thresholds: Thresholds) => void;
}

export function SingleView({ text, onText, thresholds, onThresholds }: SingleViewProps) {
  const [live, setLive] = useState(true);
  const [asked, setAsked] = useState('');
  const [settledText] = useDebouncedValue(text, pauseMs);
  const [settledThresholds] = useDebouncedValue(thresholds, 200);
  const input = live ? settledText : asked;
  const sizeBytes = new TextEncoder().encode(text).length;
  const body: TextRequest = {
    model: 'svc-shield-base',
    input,
    ...(Object.keys(settledThresholds).length > 0 ? { thresholds: settledThresholds } : {}),
  };
  const answer = useSafety(body);
  const defaults = useDefaults();
  const outcome = input.trim() ? (answer.data?.results[0] ?? null) : null;
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        <Panel
          title={t('moderation.text')}
          note={
            <span className="lk-num">
              {t('moderation.size', { size: count(sizeBytes), max: count(maxBytes) })}
            </span>
          }
          actions={
            <>
              <Switch
                label={t('moderation.live')}
                checked={live}
                onChange={(event) => setLive(event.currentTarget.checked)}
              />
              <Samples onText={onText} />
            </>
          }
        >
          <Textarea
            aria-label={t('moderation.text')}
            placeholder={t('moderation.placeholder')}
            autosize
            minRows={7}
            maxRows={18}
            value={text}
            error={sizeBytes > maxBytes ? t('moderation.too_long') : null}
            onChange={(event) => onText(event.currentTarget.value)}
          />
          {!live && (
            <Button
              mt={10}
              onClick={() => setAsked(text)}
              loading={answer.isFetching}
              disabled={!text.trim()}
            >
              {t('moderation.check')}
            </Button>
          )}
        </Panel>
        <ProblemNote error={answer.error} onRetry={() => void answer.refetch()} />
        {outcome && <SpansView text={input} spans={outcome.spans} />}
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

/** The thresholds of the pack that serves. */
function useDefaults(): Thresholds {
  const { roles = [], packs = [] } = useRead('GET /console/packs').data ?? {};
  const bound = roles.find(({ role }) => role === 'svc-shield-base')?.pack;
  return packs.find(({ ref }) => ref === bound)?.thresholds ?? {};
}

/** Of one text. */
type TextRequest = ModerationsRequest & { input: string };

function useSafety(body: TextRequest) {
  const client = useClient();
  return useQuery({
    queryKey: ['safety', body],
    queryFn: async ({ signal }) => {
      const { data } = await client.call('POST /v1/moderations', { body, signal });
      return data as SafetyResult;
    },
    enabled: body.input.trim() !== '' && new TextEncoder().encode(body.input).length <= maxBytes,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
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
      <details className={classes.details}>
        <summary>{t('moderation.code')}</summary>
        <SnippetsView request={{ baseUrl, path: '/moderations', body: { ...body } }} />
      </details>
    </>
  );
}
