import type { BridgeRequests, Channel } from './bridge.ts';
import type { IpcEvent, IpcMainApi } from './electron-api.ts';

export type Handlers = {
  [Name in Channel]: (
    ...params: BridgeRequests[Name]['params']
  ) => BridgeRequests[Name]['result'] | Promise<BridgeRequests[Name]['result']>;
};

/** Answers the page's requests; one that comes from anywhere but our own top frame is refused. */
export function handleRequests(ipcMain: IpcMainApi, origin: string, handlers: Handlers): void {
  for (const channel of Object.keys(handlers) as Channel[]) {
    ipcMain.handle(channel, (event, ...params) => {
      if (!isOwnPage(event, origin)) throw new Error(`${channel}: refused`);
      return (handlers[channel] as (...given: unknown[]) => unknown)(...params);
    });
  }
}

function isOwnPage({ senderFrame }: IpcEvent, origin: string): boolean {
  return senderFrame !== null && senderFrame.parent === null && sameOrigin(senderFrame.url, origin);
}

/** False for anything that is no URL. */
export function sameOrigin(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}
