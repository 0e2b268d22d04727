import type { ElectronApi, TrayApi } from './electron-api.ts';
import { type Actions, trayMenu } from './menu.ts';
import { strings } from './strings.ts';

/** The caller keeps the tray: one that is collected disappears. */
export function createTray<Menu>(
  electron: ElectronApi<Menu>,
  options: { icon: string; url: string; actions: Actions },
): TrayApi<Menu> {
  const tray = new electron.Tray(options.icon);
  tray.setToolTip(strings.serving(options.url));
  tray.setContextMenu(electron.Menu.buildFromTemplate(trayMenu(options.actions)));
  tray.on('click', () => options.actions.open());
  return tray;
}
