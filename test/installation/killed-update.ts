/** An update that is killed as a power cut would, after the step that it is told: ROOT HOME FILE SHA256 STEP, or ROOT HOME undo STEP. */
import { type Installation, stageUpdate, undoUpdate } from '../../server/installation/update.ts';

const [root = '', home = '', file = '', ...rest] = process.argv.slice(2);
const last = rest.at(-1);
const installation: Installation = {
  root,
  home,
  env: { ...process.env },
  platform: process.platform,
  arch: process.arch,
  onStep: (step) => {
    if (step === last) process.kill(process.pid, 'SIGKILL');
  },
};
if (file === 'undo') await undoUpdate(installation);
else
  await (await stageUpdate({ file, sha256: rest[0] ?? '' }, installation, { allowOlder: false })).install();
