/** Requests of the page to the main process: one type map, used by preload, main process and interface alike. */

/** Channel → parameters and result. */
export interface BridgeRequests {
  /** A one-time token that the page exchanges for its console session (`POST /console/session`). */
  'console:token': { params: []; result: string };
}

export type Channel = keyof BridgeRequests;

/** Put at `window.lokal` by the preload script. */
export interface Bridge {
  consoleToken(): Promise<string>;
  /** Path of a dropped file or folder; empty for one that lies nowhere. */
  pathOf(file: File): string;
}
