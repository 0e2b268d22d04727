/** Every text that the desktop shell shows itself. */
export const strings = {
  name: 'Lokal',
  open: 'Open Lokal',
  copyAddress: 'Copy API address',
  quit: 'Quit Lokal',
  startFailed: 'Lokal could not start',
  stopped: 'Lokal has stopped',
  unexpected: (kind: string) => `An unexpected error occurred (${kind}). Start Lokal again.`,
  serving: (url: string) => `Lokal serves at ${url}`,
};
