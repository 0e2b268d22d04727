/** Opening at login, without a window: by the system's own list, or by an autostart entry where it has none (Linux). */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppApi } from './electron-api.ts';
import { strings } from './strings.ts';

/** Given to the app when the system starts it. */
export const hiddenFlag = '--hidden';

export interface LoginItem {
  enabled(): boolean;
  set(on: boolean): void;
}

export interface LoginItemOptions {
  app: Pick<AppApi, 'getLoginItemSettings' | 'setLoginItemSettings'>;
  platform: NodeJS.Platform;
  /** The program as the system is to start it. */
  program: string;
  /** `~/.config/autostart` */
  autostartFolder: string;
}

export function createLoginItem({ app, platform, program, autostartFolder }: LoginItemOptions): LoginItem {
  if (platform !== 'linux')
    return {
      enabled: () => app.getLoginItemSettings({ args: [hiddenFlag] }).openAtLogin,
      set: (on) => app.setLoginItemSettings({ openAtLogin: on, args: [hiddenFlag] }),
    };
  const file = join(autostartFolder, 'local.lokal.desktop');
  return {
    enabled: () => existsSync(file),
    set(on) {
      if (!on) return rmSync(file, { force: true });
      mkdirSync(autostartFolder, { recursive: true });
      writeFileSync(file, autostartEntry(program));
    },
  };
}

/** Desktop Entry Specification: in quotes, these four signs are escaped, and a percent sign is doubled. */
const autostartEntry = (program: string): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${strings.name}`,
    // The value of a key is unescaped once before the quotes are read.
    `Exec="${program
      .replace(/[\\"`$]/g, '\\$&')
      .replaceAll('\\', '\\\\')
      .replaceAll('%', '%%')}" ${hiddenFlag}`,
    'Terminal=false',
    '',
  ].join('\n');
