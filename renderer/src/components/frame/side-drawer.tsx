/** A drawer at the right side, over the page it belongs to, which goes on scrolling. */
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../strings/t.ts';

interface SideDrawerProps {
  title: string;
  size?: 'sm' | 'md';
  onClose: () => void;
  children: ReactNode;
}

export function SideDrawer({ title, size = 'md', onClose, children }: SideDrawerProps) {
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={size}
      lockScroll={false}
      title={title}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      {children}
    </Drawer>
  );
}
