/** The menu of the right mouse button, which Electron lacks: the roles that fit what lies under the pointer. */
import type { MenuItemConstructorOptions } from 'electron';

/** The part of Chromium's description that decides. */
export interface ContextParams {
  isEditable: boolean;
  selectionText: string;
  editFlags: { canCut: boolean; canCopy: boolean; canPaste: boolean; canSelectAll: boolean };
}

/** Empty where there is nothing to do. */
export function contextMenu({
  isEditable,
  selectionText,
  editFlags,
}: ContextParams): MenuItemConstructorOptions[] {
  if (isEditable)
    return [
      { role: 'cut', enabled: editFlags.canCut },
      { role: 'copy', enabled: editFlags.canCopy },
      { role: 'paste', enabled: editFlags.canPaste },
      { type: 'separator' },
      { role: 'selectAll', enabled: editFlags.canSelectAll },
    ];
  return selectionText.trim() === '' ? [] : [{ role: 'copy', enabled: editFlags.canCopy }];
}
