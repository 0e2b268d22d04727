/** The module `electron` for boot.ts. */
import { createStandIn } from './stand-in.ts';

export const standIn = createStandIn();
export const {
  app,
  session,
  BrowserWindow,
  Tray,
  Menu,
  ipcMain,
  dialog,
  clipboard,
  shell,
  screen,
  Notification,
} = standIn.electron;
export const safeStorage = { isAsyncEncryptionAvailable: async () => false };
export const utilityProcess = {
  fork: () => {
    throw new Error('no utility process here');
  },
};
