/** Copies a text; says so for a moment, to eyes and to screen readers. */
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { t } from '../../strings/t.ts';

interface CopyButtonProps {
  value: string;
  /** Names the copied thing in the button's label. */
  label: string;
  small?: boolean;
  /** Shows the label beside the icon. */
  text?: boolean;
}

export function CopyButton({ value, label, small, text }: CopyButtonProps) {
  const { copy, copied } = useClipboard({ timeout: 1600 });
  const Icon = copied ? IconCheck : IconCopy;
  const name = copied ? t('code.copied') : label;
  if (text) {
    return (
      <Button variant="default" leftSection={<Icon size={14} aria-hidden />} onClick={() => copy(value)}>
        {name}
      </Button>
    );
  }
  return (
    <Tooltip label={name}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={small ? 'sm' : 'md'}
        aria-label={name}
        onClick={() => copy(value)}
      >
        <Icon size={small ? 14 : 16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
