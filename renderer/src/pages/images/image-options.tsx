import { MultiSelect, NumberInput, Select } from '@mantine/core';
import { currentLanguage, type Language, languages } from '../../strings/language.ts';
import { t } from '../../strings/t.ts';

const tasks = ['caption', 'objects', 'scene_graph'] as const;

export interface ImageParameters {
  /** Empty: all. */
  tasks: (typeof tasks)[number][];
  language: Language;
  maxFrames: number;
}

const mostFrames = 16;

/** Everything, told in the language of the interface. */
export const firstParameters = (): ImageParameters => ({
  tasks: [],
  language: currentLanguage(),
  maxFrames: mostFrames,
});

interface ImageOptionsProps {
  parameters: ImageParameters;
  /** Pictures have no frames to choose from. */
  video: boolean;
  onParameters: (parameters: ImageParameters) => void;
}

export function ImageOptions({ parameters, video, onParameters }: ImageOptionsProps) {
  return (
    <>
      <MultiSelect
        w={240}
        aria-label={t('images.tasks')}
        placeholder={parameters.tasks.length === 0 ? t('images.all_tasks') : ''}
        data={tasks.map((value) => ({ value, label: t(`images.task_names.${value}`) }))}
        value={parameters.tasks}
        onChange={(value) => onParameters({ ...parameters, tasks: value as ImageParameters['tasks'] })}
      />
      <Select
        w={150}
        aria-label={t('images.language')}
        data={languages.map((value) => ({ value, label: t(`moderation.languages.${value}`) }))}
        value={parameters.language}
        allowDeselect={false}
        onChange={(value) => onParameters({ ...parameters, language: value as Language })}
      />
      {video && (
        <NumberInput
          w={130}
          aria-label={t('images.frames')}
          prefix={t('images.frames_prefix')}
          min={1}
          max={128}
          allowDecimal={false}
          value={parameters.maxFrames}
          onChange={(value) => onParameters({ ...parameters, maxFrames: Number(value) || mostFrames })}
        />
      )}
    </>
  );
}
