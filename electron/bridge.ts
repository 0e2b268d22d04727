/** Requests of the page to the main process: one type map, used by preload, main process and interface alike. */

/** Channel → parameters and result. */
export interface BridgeRequests {
  /** A one-time token that the page exchanges for its console session (`POST /console/session`). */
  'console:token': { params: []; result: string };
  /** The page takes `desktop:open` from now on. */
  'desktop:ready': { params: []; result: undefined };
  /** Of all running work, 0 to 1; null: nothing runs. */
  'desktop:progress': { params: [share: number | null]; result: undefined };
  /** Work has ended; told to the person where they look elsewhere. */
  'desktop:ended': { params: [text: string]; result: undefined };
}

export type Channel = keyof BridgeRequests;

/** Sent to the page as `desktop:open`: what the system asked the app to open. */
export type OpenRequest =
  | { kind: 'page'; page: string }
  | { kind: 'file'; name: string; bytes: Uint8Array }
  | { kind: 'pack'; path: string };

/** Put at `window.lokal` by the preload script. */
export interface Bridge {
  consoleToken(): Promise<string>;
  /** Path of a dropped file or folder; empty for one that lies nowhere. */
  pathOf(file: File): string;
  /** Takes what is opened from now on, and what waits. */
  onOpen(listener: (request: OpenRequest) => void): void;
  showProgress(share: number | null): void;
  tellEnded(text: string): void;
}
