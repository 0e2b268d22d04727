/** What the page may ask the main process: one type map, used by preload, main process and interface alike. */

/** Channel → parameters and result. */
export interface BridgeRequests {
  /** A one-time token that the page exchanges for its console session (`POST /console/session`). */
  'console:token': { params: []; result: string };
}

export type Channel = keyof BridgeRequests;

/** What the preload script puts at `window.lokal`. */
export interface Bridge {
  consoleToken(): Promise<string>;
  /** Where a dropped file or folder lies; empty for one that lies nowhere. */
  pathOf(file: File): string;
}
