/** Which template a document is read by: found out, one of the four, or one of the person's own. */
import { Select } from '@mantine/core';
import type { DocumentsRequest } from '../../../../../server/api/services/documents.ts';
import { t } from '../../../strings/t.ts';
import { useTemplates } from './use-templates.ts';

/** null: the server finds out. */
export type TemplateChoice = NonNullable<DocumentsRequest['template']> | null;

const builtIn = ['invoice', 'generic', 'passport', 'mykad'] as const;

/** A template that a person made; `own:` is the old form of its name. */
export const isCustom = (template: string): boolean => /^(?:custom|own):/.test(template);

export const customChoice = (name: string): TemplateChoice => `custom:${name}`;

interface TemplateSelectProps {
  value: TemplateChoice;
  onChange: (value: TemplateChoice) => void;
  disabled?: boolean;
}

export function TemplateSelect({ value, onChange, disabled = false }: TemplateSelectProps) {
  const { templates } = useTemplates();
  const custom = templates.map(({ name, title }) => ({ value: `custom:${name}`, label: title || name }));
  return (
    <Select
      w={180}
      aria-label={t('documents.template')}
      data={[
        { value: '', label: t('documents.detect') },
        ...builtIn.map((name) => ({ value: name as string, label: t(`documents.templates.${name}`) })),
        ...(custom.length > 0 ? [{ group: t('documents.own.title'), items: custom }] : []),
      ]}
      value={value ?? ''}
      allowDeselect={false}
      disabled={disabled}
      onChange={(choice) => onChange(choice || null)}
    />
  );
}
