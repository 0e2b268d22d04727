/** Every text that the desktop shell shows itself. */
export const strings = {
  name: 'Lokal',
  open: 'Open Lokal',
  copyAddress: 'Copy API address',
  quit: 'Quit Lokal',
  startFailed: 'Lokal could not start',
  stopped: 'Lokal has stopped',
  unexpected: (kind: string) => `An unexpected error occurred (${kind}). Start Lokal again.`,
  pageFailed: (code: string) =>
    `The interface could not be loaded (${code.replace(/[^A-Z0-9_]/g, '')}). The API goes on; quit Lokal and start it again. ` +
    'With --tls-cert, check that the certificate is valid today and names this host.',
  serving: (url: string) => `Lokal serves at ${url}`,
};
