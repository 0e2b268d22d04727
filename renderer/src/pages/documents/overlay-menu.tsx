/** Which kinds of boxes are drawn over the page. */
import { Button, Checkbox, Popover } from '@mantine/core';
import { IconBoxModel2 } from '@tabler/icons-react';
import { t } from '../../strings/t.ts';
import type { LinkedMark, MarkKind } from './marks.ts';
import classes from './overlay-menu.module.css';

export type OverlayKind = Exclude<MarkKind, 'cell'>;

/** Cells come and go with their table. */
const overlayKind = (kind: MarkKind): OverlayKind => (kind === 'cell' ? 'table' : kind);

const order: OverlayKind[] = ['field', 'item', 'table', 'check', 'signature', 'stamp', 'code'];

export const isShown = (mark: LinkedMark, hidden: OverlayKind[]): boolean =>
  !hidden.includes(overlayKind(mark.kind));

interface OverlayMenuProps {
  marks: LinkedMark[];
  hidden: OverlayKind[];
  onHidden: (hidden: OverlayKind[]) => void;
}

export function OverlayMenu({ marks, hidden, onHidden }: OverlayMenuProps) {
  const present = new Set(marks.map((mark) => overlayKind(mark.kind)));
  const kinds = order.filter((kind) => present.has(kind));
  if (kinds.length === 0) return null;
  return (
    <Popover position="bottom-end" shadow="md">
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconBoxModel2 size={14} aria-hidden />}
        >
          {t('documents.overlays')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group
          aria-label={t('documents.overlays')}
          value={kinds.filter((kind) => !hidden.includes(kind))}
          onChange={(shown) => onHidden(order.filter((kind) => !shown.includes(kind)))}
        >
          <div className={classes.list}>
            {kinds.map((kind) => (
              <Checkbox key={kind} value={kind} label={t(`documents.overlay_kinds.${kind}`)} />
            ))}
          </div>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
}
