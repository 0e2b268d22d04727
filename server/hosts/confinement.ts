/** Tells how far this machine can confine an engine host, by starting one that opens nothing. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { launchArgument, launcher } from './port.ts';

const entry = fileURLToPath(
  new URL(`../engine/confinement/report.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);
const nothing = { reads: [], writes: [], devices: false };
const run = promisify(execFile);

/** `on`, or `partial` or `off` with the reason behind a semicolon: what the answers of its engines would say. */
export async function probeConfinement(env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const args = [launcher, launchArgument(env, entry, nothing)];
    const { stdout } = await run(process.execPath, args, { env, timeout: 30_000, killSignal: 'SIGKILL' });
    return stdout.trim();
  } catch {
    return 'off; a confined process does not run here';
  }
}
