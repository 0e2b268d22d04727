// CommonJS, since a sandboxed preload script can be nothing else; `require` knows 'electron' alone here.
const { contextBridge, ipcRenderer, webUtils } = require('electron') as typeof import('electron');

type Requests = import('./bridge.ts').BridgeRequests;

function request<Name extends keyof Requests>(
  channel: Name,
  ...params: Requests[Name]['params']
): Promise<Requests[Name]['result']> {
  return ipcRenderer.invoke(channel, ...params);
}

const bridge: import('./bridge.ts').Bridge = {
  consoleToken: () => request('console:token'),
  pathOf: (file) => webUtils.getPathForFile(file),
  onOpen(listener) {
    ipcRenderer.removeAllListeners('desktop:open');
    ipcRenderer.on('desktop:open', (_event, opened) => listener(opened));
    void request('desktop:ready');
  },
  showProgress: (share) => void request('desktop:progress', share),
  tellEnded: (text) => void request('desktop:ended', text),
};
contextBridge.exposeInMainWorld('lokal', bridge);
