/** System prompt and everything that steers which token comes next. */
import { NumberInput, Switch, TagsInput, Textarea } from '@mantine/core';
import { t } from '../../../strings/t.ts';
import { defaultParameters, type Parameters } from '../model/parameters.ts';
import type { SidePartProps } from './part-props.ts';
import { problemText } from './problem-text.ts';
import classes from './sampling-panel.module.css';

type NumberName = {
  [K in keyof Parameters]: Parameters[K] extends number ? K : never;
}[keyof Parameters];

/** Bounds are those of the API's schema. */
const numbers: {
  name: Exclude<NumberName, 'topLogprobs'>;
  min: number;
  max: number;
  step: number;
  whole?: true;
}[] = [
  { name: 'temperature', min: 0, max: 2, step: 0.1 },
  { name: 'maxTokens', min: 1, max: 1_048_576, step: 64, whole: true },
  { name: 'topP', min: 0, max: 1, step: 0.05 },
  { name: 'topK', min: 0, max: 1_000_000, step: 10, whole: true },
  { name: 'minP', min: 0, max: 1, step: 0.05 },
  { name: 'choices', min: 1, max: 8, step: 1, whole: true },
  { name: 'presencePenalty', min: -2, max: 2, step: 0.1 },
  { name: 'frequencyPenalty', min: -2, max: 2, step: 0.1 },
];
const mostStops = 4;

/** Set by hand often enough to stand open. */
const isUsual = ({ name }: { name: string }): boolean => name === 'temperature' || name === 'maxTokens';

export function SamplingPanel({ parameters, problems, set }: SidePartProps) {
  const numberInput = ({ name, min, max, step, whole }: (typeof numbers)[number]) => (
    <NumberInput
      key={name}
      label={t(`chat.numbers.${name}`)}
      min={min}
      max={max}
      step={step}
      allowDecimal={!whole}
      decimalScale={3}
      clampBehavior="blur"
      value={parameters[name]}
      onChange={(value) => set({ [name]: value === '' ? defaultParameters[name] : Number(value) })}
    />
  );
  return (
    <>
      <Textarea
        label={t('chat.system')}
        autosize
        minRows={3}
        maxRows={10}
        value={parameters.system}
        onChange={(event) => set({ system: event.currentTarget.value })}
      />
      <div className={classes.numbers}>{numbers.filter(isUsual).map(numberInput)}</div>
      <Switch
        label={t('chat.stop_loops')}
        checked={parameters.stopLoops}
        onChange={(event) => set({ stopLoops: event.currentTarget.checked })}
      />
      <details className={classes.more}>
        <summary>{t('chat.more_parameters')}</summary>
        <div className={classes.folded}>
          <div className={classes.numbers}>
            {numbers.filter((each) => !isUsual(each)).map(numberInput)}
            <NumberInput
              label={t('chat.seed')}
              placeholder={t('chat.seed_hint')}
              allowDecimal={false}
              value={parameters.seed ?? ''}
              onChange={(value) => set({ seed: value === '' ? null : Number(value) })}
            />
          </div>
          <TagsInput
            label={t('chat.stop_strings')}
            placeholder={parameters.stop.length < mostStops ? t('chat.stop_hint') : ''}
            maxTags={mostStops}
            value={parameters.stop}
            onChange={(stop) => set({ stop })}
          />
          <Textarea
            label={t('chat.logit_bias')}
            description={t('chat.logit_bias_hint')}
            placeholder="50256: -100"
            autosize
            minRows={1}
            maxRows={6}
            value={parameters.logitBias}
            error={problemText(problems.logitBias)}
            onChange={(event) => set({ logitBias: event.currentTarget.value })}
          />
          <Switch
            label={t('chat.logprobs')}
            checked={parameters.logprobs}
            onChange={(event) => set({ logprobs: event.currentTarget.checked })}
          />
          {parameters.logprobs && (
            <NumberInput
              label={t('chat.numbers.topLogprobs')}
              min={0}
              max={20}
              allowDecimal={false}
              value={parameters.topLogprobs}
              onChange={(value) => set({ topLogprobs: value === '' ? 0 : Number(value) })}
            />
          )}
        </div>
      </details>
    </>
  );
}
