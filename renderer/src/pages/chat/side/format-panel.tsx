/** The shape of the answer: text, any JSON, or JSON by a schema. */
import { SegmentedControl, Switch } from '@mantine/core';
import { t } from '../../../strings/t.ts';
import type { Parameters } from '../model/parameters.ts';
import { schemaSamples } from '../model/samples.ts';
import { JsonField } from './json-field.tsx';
import type { SidePartProps } from './part-props.ts';

const formats = ['text', 'json_object', 'json_schema'] as const;

export function FormatPanel({ parameters, problems, set }: SidePartProps) {
  function choose(format: Parameters['format']) {
    const needsOne = format === 'json_schema' && !parameters.schema.trim();
    set({ format, ...(needsOne ? { schema: schemaSamples.contact } : {}) });
  }

  return (
    <>
      <SegmentedControl
        aria-label={t('chat.format')}
        data={formats.map((value) => ({ value, label: t(`chat.formats.${value}`) }))}
        value={parameters.format}
        onChange={(value) => choose(value as Parameters['format'])}
      />
      {parameters.format === 'json_schema' && (
        <>
          <JsonField
            label={t('chat.schema')}
            value={parameters.schema}
            problem={problems.schema}
            samples={Object.entries(schemaSamples).map(([name, text]) => ({
              label: t(`chat.schema_samples.${name as keyof typeof schemaSamples}`),
              text,
            }))}
            onChange={(schema) => set({ schema })}
          />
          <Switch
            label={t('chat.strict')}
            description={t('chat.strict_note')}
            checked={parameters.strict}
            onChange={(event) => set({ strict: event.currentTarget.checked })}
          />
        </>
      )}
    </>
  );
}
