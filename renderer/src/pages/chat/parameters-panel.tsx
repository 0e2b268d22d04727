import { NumberInput, Textarea } from '@mantine/core';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import classes from './parameters-panel.module.css';

export interface Parameters {
  system: string;
  temperature: number;
  topP: number;
  maxTokens: number;
  /** null: a new one each time. */
  seed: number | null;
}

export const defaultParameters: Parameters = {
  system: '',
  temperature: 0.7,
  topP: 1,
  maxTokens: 256,
  seed: null,
};

interface ParametersPanelProps {
  parameters: Parameters;
  onParameters: (parameters: Parameters) => void;
}

export function ParametersPanel({ parameters, onParameters }: ParametersPanelProps) {
  const set = (change: Partial<Parameters>) => onParameters({ ...parameters, ...change });
  const toNumber = (value: string | number, fallback: number) => (value === '' ? fallback : Number(value));
  return (
    <Panel title={t('chat.parameters')}>
      <div className={classes.fields}>
        <Textarea
          label={t('chat.system')}
          autosize
          minRows={3}
          maxRows={10}
          value={parameters.system}
          onChange={(event) => set({ system: event.currentTarget.value })}
        />
        <NumberInput
          label={t('chat.temperature')}
          min={0}
          max={2}
          step={0.1}
          decimalScale={2}
          value={parameters.temperature}
          onChange={(value) => set({ temperature: toNumber(value, defaultParameters.temperature) })}
        />
        <NumberInput
          label={t('chat.top_p')}
          min={0}
          max={1}
          step={0.05}
          decimalScale={2}
          value={parameters.topP}
          onChange={(value) => set({ topP: toNumber(value, defaultParameters.topP) })}
        />
        <NumberInput
          label={t('chat.max_tokens')}
          min={1}
          max={1_048_576}
          step={64}
          allowDecimal={false}
          value={parameters.maxTokens}
          onChange={(value) => set({ maxTokens: toNumber(value, defaultParameters.maxTokens) })}
        />
        <NumberInput
          label={t('chat.seed')}
          placeholder={t('chat.seed_hint')}
          allowDecimal={false}
          value={parameters.seed ?? ''}
          onChange={(value) => set({ seed: value === '' ? null : Number(value) })}
        />
      </div>
    </Panel>
  );
}
