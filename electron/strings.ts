/** Every text that the desktop shell shows itself. */
export const strings = {
  name: 'Lokal',
  open: 'Open Lokal',
  copyAddress: 'Copy API address',
  quit: 'Quit Lokal',
  about: 'About Lokal',
  licence: 'Apache-2.0; THIRD-PARTY-NOTICES.txt names what it is made of',
  openDataFolder: 'Open data folder',
  openAtLogin: 'Open at login, without a window',
  closeToTray: 'Keep running when the window is closed',
  goesOn: 'Lokal goes on',
  goesOnHint:
    'The API still answers. The tray icon opens the window again; the menu “File” or “Lokal” changes this.',
  startFailed: 'Lokal could not start',
  stopped: 'Lokal has stopped',
  startHelp: (reason: string, folder: string) =>
    `${reason}\n\nThe data folder is ${folder}. \`lokal doctor\` says what is missing.`,
  unexpected: (kind: string) => `An unexpected error occurred (${kind}). Start Lokal again.`,
  pageFailed: (code: string) =>
    `The interface could not be loaded (${code.replace(/[^A-Z0-9_]/g, '')}). The API goes on; quit Lokal and start it again. ` +
    'With --tls-cert, check that the certificate is valid today and names this host.',
  leave: 'Close all the same',
  stay: 'Stay',
  unkept: 'Something here is not finished or not kept',
  unkeptHint: 'Running work ends with the window, and conversations that are not kept go with it.',
  serving: (url: string) => `Lokal serves at ${url}`,
};
