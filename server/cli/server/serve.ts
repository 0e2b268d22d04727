/** `lokal serve`: runs until it is told to stop. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { isLoopback, readConfig, type ServeOptions } from '../../config.ts';
import { startServer } from '../../main.ts';
import { noModelsReason } from '../../platform.ts';
import { version } from '../../version.ts';
import type { Command } from '../command.ts';

const help = `Usage: lokal serve [options]

Starts the server: the API at /v1, the console in the browser.

  --port PORT        port to listen on, 0 for any free one (default 8787)
  --host HOST        address to listen on (default: this machine only)
  --host-name NAME   a further name by which clients address the server; repeatable
  --tls-cert FILE    certificate (PEM), with --tls-key
  --tls-key FILE     its private key (PEM)
  --insecure-lan     allow another address than this machine's without TLS
  --engines FILE     remote engines of this site (JSON; server/engines/deployment.md)
  --new-install-key  start where install-key is lost, without what was sealed under it (chats, files, batches)
  --json             print the addresses as one line of JSON
  --help             this text

Environment: LOKAL_HOME (data folder), LOKAL_PORT, LOKAL_LOG (log level, default warn), LOKAL_ENGINES (as --engines),
LOKAL_BOOTSTRAP_KEY (the secret of a key to accept from the first start on), LOKAL_CUSTOM_KERNELS=off (chat's
quantized matrix products by the runtime's kernels only).`;

const lastMs = 1_000;

export const serve: Command = {
  help,
  options: {
    port: { type: 'string' },
    host: { type: 'string' },
    'host-name': { type: 'string', multiple: true },
    'tls-cert': { type: 'string' },
    'tls-key': { type: 'string' },
    'insecure-lan': { type: 'boolean' },
    engines: { type: 'string' },
    'new-install-key': { type: 'boolean' },
  },
  async run({ values, print }) {
    // Bytecode that V8 drops takes with it how its function was used: process.nextTick would stay slow for good.
    setFlagsFromString('--no-flush-bytecode');
    const noModels = noModelsReason();
    if (noModels !== null) console.error(`lokal: ${noModels}`);
    const config = readConfig(values as ServeOptions);
    if (!isLoopback(config.host) && !config.tls)
      console.error(
        'lokal: Anyone on this network can reach Lokal and read what is sent: it goes without TLS.',
      );
    const server = await startServer(config, { args: process.argv.slice(2) });
    const consoleUrl = `${server.url}/#token=${server.issueConsoleToken()}`;
    const baseUrl = `${server.url}/v1`;
    print(
      { url: server.url, port: Number(new URL(server.url).port), base_url: baseUrl, console_url: consoleUrl },
      [
        `Lokal ${version} is running.`,
        `  API      ${baseUrl}`,
        ...(existsSync(join(config.folders.interface, 'index.html'))
          ? [
              `  Console  ${consoleUrl}`,
              '           (the link works once; `lokal console-url` prints another)',
            ]
          : ['  Console  not built: `npm run build` makes it, `lokal console-url` then prints its link']),
      ],
    );
    await stopSignal();
    await server.close();
    // All is put away; a handle that was left open must not keep the process.
    setTimeout(() => process.exit(), lastMs).unref();
  },
};

/** A second signal ends the process at once. Under an older Node build/lokal.mjs is the parent, and its end is one too. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('disconnect', resolve);
    // SIGBREAK is Ctrl+Break of Windows, the one that reaches a process of another group; elsewhere it never comes.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
}
