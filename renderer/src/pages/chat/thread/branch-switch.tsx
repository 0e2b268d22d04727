import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { t } from '../../../strings/t.ts';
import classes from './branch-switch.module.css';

interface BranchSwitchProps {
  id: string;
  /** Messages in the same place, itself among them. */
  siblings: string[];
  disabled: boolean;
  onChoose: (id: string) => void;
}

/** ‹ 1/3 ›: goes through the messages in this place; nothing where there is but one. */
export function BranchSwitch({ id, siblings, disabled, onChoose }: BranchSwitchProps) {
  if (siblings.length < 2) return null;
  const at = siblings.indexOf(id);
  const step = (by: number, label: string, Icon: typeof IconChevronLeft) => {
    const target = siblings[at + by];
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        disabled={disabled || target === undefined}
        onClick={() => target !== undefined && onChoose(target)}
      >
        <Icon size={14} aria-hidden />
      </ActionIcon>
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons and a count are no fieldset
    <div className={classes.switch} role="group" aria-label={t('chat.versions')}>
      {step(-1, t('chat.previous_version'), IconChevronLeft)}
      <span className="lk-num">{`${at + 1}/${siblings.length}`}</span>
      {step(1, t('chat.next_version'), IconChevronRight)}
    </div>
  );
}
