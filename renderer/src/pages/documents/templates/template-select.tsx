/** Which template a document is read by: found out, one of the four, or one of the person's own. */
import { Select } from '@mantine/core';
import type { DocumentsRequest } from '../../../../../server/api/documents.ts';
import { t } from '../../../strings/t.ts';
import { useTemplates } from './use-templates.ts';

/** null: the server finds out. */
export type TemplateChoice = NonNullable<DocumentsRequest['template']> | null;

const builtIn = ['invoice', 'generic', 'passport', 'mykad'] as const;

export const ownChoice = (name: string): TemplateChoice => `own:${name}`;

interface TemplateSelectProps {
  value: TemplateChoice;
  onChange: (value: TemplateChoice) => void;
  disabled?: boolean;
}

export function TemplateSelect({ value, onChange, disabled = false }: TemplateSelectProps) {
  const { templates } = useTemplates();
  const own = templates.map(({ name, title }) => ({ value: `own:${name}`, label: title || name }));
  return (
    <Select
      w={180}
      aria-label={t('documents.template')}
      data={[
        { value: '', label: t('documents.detect') },
        ...builtIn.map((name) => ({ value: name as string, label: t(`documents.templates.${name}`) })),
        ...(own.length > 0 ? [{ group: t('documents.own.title'), items: own }] : []),
      ]}
      value={value ?? ''}
      allowDeselect={false}
      disabled={disabled}
      onChange={(choice) => onChange(choice || null)}
    />
  );
}
