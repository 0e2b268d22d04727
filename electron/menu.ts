import type { MenuItemConstructorOptions } from 'electron';
import { strings } from './strings.ts';

export interface Actions {
  open(): void;
  copyAddress(): void;
  quit(): void;
}

export interface MenuOptions {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  closeToTray: boolean;
  /** Absent where nothing is installed that could be opened. */
  openAtLogin?: boolean | undefined;
}

/** Actions of the menu bar beyond the system's own roles. */
export interface MenuActions {
  about(): void;
  openDataFolder(): void;
  setCloseToTray(on: boolean): void;
  setOpenAtLogin(on: boolean): void;
}

/** The menu bar: standard roles, so that copy, paste, zoom and quit have the system's shortcuts and names. */
export function applicationMenu(
  { platform, isPackaged, closeToTray, openAtLogin }: MenuOptions,
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    ...(isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
  ];
  const keepRunning: MenuItemConstructorOptions = {
    label: strings.closeToTray,
    type: 'checkbox',
    checked: closeToTray,
    click: ({ checked }) => actions.setCloseToTray(checked),
  };
  const atLogin: MenuItemConstructorOptions[] =
    openAtLogin === undefined
      ? []
      : [
          {
            label: strings.openAtLogin,
            type: 'checkbox',
            checked: openAtLogin,
            click: ({ checked }) => actions.setOpenAtLogin(checked),
          },
        ];
  const about: MenuItemConstructorOptions = { label: strings.about, click: () => actions.about() };
  const dataFolder: MenuItemConstructorOptions = {
    label: strings.openDataFolder,
    click: () => actions.openDataFolder(),
  };
  const first: MenuItemConstructorOptions =
    platform === 'darwin'
      ? {
          role: 'appMenu',
          submenu: [
            about,
            { type: 'separator' },
            keepRunning,
            ...atLogin,
            { type: 'separator' },
            { role: 'services' },
            { role: 'hide' },
            { role: 'hideOthers' },
            { role: 'unhide' },
            { type: 'separator' },
            { role: 'quit' },
          ],
        }
      : {
          role: 'fileMenu',
          submenu: [keepRunning, ...atLogin, { type: 'separator' }, { role: 'close' }, { role: 'quit' }],
        };
  const help = platform === 'darwin' ? [dataFolder] : [dataFolder, { type: 'separator' as const }, about];
  return [
    first,
    { role: 'editMenu' },
    { role: 'viewMenu', submenu: view },
    { role: 'windowMenu' },
    { role: 'help', submenu: help },
  ];
}

export function trayMenu(actions: Actions): MenuItemConstructorOptions[] {
  return [
    { label: strings.open, click: () => actions.open() },
    { label: strings.copyAddress, click: () => actions.copyAddress() },
    { type: 'separator' },
    { label: strings.quit, click: () => actions.quit() },
  ];
}
