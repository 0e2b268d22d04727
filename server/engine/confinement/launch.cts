/**
 * Entry of a host: gives up what the host does not need, then becomes it. Landlock takes hold of one thread and of those
 * it starts, and Node has threads before any of its code runs; so on Linux this process restricts its first thread and
 * executes Node anew from it: same process id, same channel, and every thread born confined.
 *
 * CommonJS, since no turn of the event loop may pass: it would take messages off the channel that are the host's.
 */
const { setPriority } = require('node:os') as typeof import('node:os');
const { pathToFileURL } = require('node:url') as typeof import('node:url');

const extension = __filename.endsWith('.cts') ? 'ts' : 'js';
const { restrict } = require(`./restrict.${extension}`) as typeof import('./restrict.ts');
const { becomeHost } = require(`./become-host.${extension}`) as typeof import('./become-host.ts');

type Launch = import('./launch-types.ts').Launch;

/** Below the server, whose one thread answers everybody, health checks too. Windows keeps the normal class at this value. */
const priority = 5;
try {
  setPriority(priority);
} catch {
  // A system that forbids it answers as before.
}

const launch = JSON.parse(process.argv[2] ?? '') as Launch;
const inElectron = process.versions.electron !== undefined;
const layers = restrict(launch, process.platform === 'linux' && !inElectron);
if (layers.holding.includes('landlock') && !inElectron) becomeHost(launch.main, layers);
process.argv[2] = JSON.stringify(layers);
void import(pathToFileURL(launch.main).href);
