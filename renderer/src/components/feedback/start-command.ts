/** The command that starts the server where this page looks for it. */
const usualPort = '8787';

export const startCommand = (): string =>
  location.port === usualPort ? 'npm start' : `npm start -- --port ${location.port}`;
