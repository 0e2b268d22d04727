/** Beside the choice of template: make one on this document, change the chosen one, see all. */
import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconTemplate } from '@tabler/icons-react';
import { t } from '../../../strings/t.ts';

interface TemplatesMenuProps {
  onNew: () => void;
  /** Undefined while none of the person's own is chosen. */
  onEdit: (() => void) | undefined;
  onManage: () => void;
}

export function TemplatesMenu({ onNew, onEdit, onManage }: TemplatesMenuProps) {
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <Tooltip label={t('documents.own.title')}>
          <ActionIcon variant="default" size={30} aria-label={t('documents.own.title')}>
            <IconTemplate size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onNew}>{t('documents.own.new')}</Menu.Item>
        {onEdit && <Menu.Item onClick={onEdit}>{t('documents.own.edit')}</Menu.Item>}
        <Menu.Item onClick={onManage}>{t('documents.own.manage')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
