import type { MenuItemConstructorOptions } from 'electron';
import { strings } from './strings.ts';

export interface Actions {
  open(): void;
  copyAddress(): void;
  quit(): void;
}

/** The menu bar: standard roles, so that copy, paste, zoom and quit have the system's shortcuts and names. */
export function applicationMenu(
  platform: NodeJS.Platform,
  isPackaged: boolean,
): MenuItemConstructorOptions[] {
  const first: MenuItemConstructorOptions =
    platform === 'darwin' ? { role: 'appMenu' } : { role: 'fileMenu' };
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    ...(isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
  ];
  return [first, { role: 'editMenu' }, { role: 'viewMenu', submenu: view }, { role: 'windowMenu' }];
}

export function trayMenu(actions: Actions): MenuItemConstructorOptions[] {
  return [
    { label: strings.open, click: () => actions.open() },
    { label: strings.copyAddress, click: () => actions.copyAddress() },
    { type: 'separator' },
    { label: strings.quit, click: () => actions.quit() },
  ];
}
