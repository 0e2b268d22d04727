/** The message channel of a host process, as its own side sees it: a forked Node process or Electron's utility process. */
import type { HostKind } from './contract.ts';
import type { FromHost, OpenMessage, ToHost } from './protocol.ts';

export interface Channel<Kind extends HostKind> {
  send(message: FromHost<Kind>): void;
  onMessage(listener: (message: ToHost<Kind>) => void): void;
}

/** `process` with what each side of the channel may say. */
interface HostProcess<Kind extends HostKind> {
  /** Electron's utility process has it; a forked Node process has `send`. */
  parentPort?: {
    postMessage(message: FromHost<Kind>): void;
    on(event: 'message', listener: (event: { data: ToHost<Kind> }) => void): void;
  };
  connected: boolean;
  send?(message: FromHost<Kind>, handle: undefined, options: undefined, sent: () => void): boolean;
  on(event: 'message', listener: (message: ToHost<Kind>) => void): unknown;
}

/** Hands over the first message, which says what engine the host is for, with the channel of that engine. */
export function connect<Kind extends HostKind>(
  opened: (message: OpenMessage<Kind>, channel: Channel<Kind>) => void,
): void {
  const host: HostProcess<Kind> = process;
  const { parentPort } = host;
  let receive = (message: ToHost<Kind>): void => {
    if (message.type !== 'open') process.exit(0);
    opened(message, {
      send: parentPort
        ? (answer) => parentPort.postMessage(answer)
        : (answer) => void (host.connected && host.send?.(answer, undefined, undefined, () => {})),
      onMessage: (listener) => {
        receive = listener;
      },
    });
  };
  if (parentPort) parentPort.on('message', ({ data }) => receive(data));
  else {
    process.on('disconnect', () => process.exit(0));
    host.on('message', (message) => receive(message));
  }
}
