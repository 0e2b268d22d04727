/** `lokal packs`: works on the data folder, also while the server runs. */
import { resolve } from 'node:path';
import { type ModelId, modelIds } from '../../api/common.ts';
import {
  type ImportEstimate,
  type PackOverview,
  type PackSignature,
  type PackSummary,
  type PackTask,
  packTasks,
} from '../../api/console/packs.ts';
import { bundleSuffix } from '../../packs/bundle.ts';
import { type ImportPreset, importPresets } from '../../packs/import.ts';
import type { PackService } from '../../services/console/packs.ts';
import { createKeyFile, fingerprint, readKeyFile, type SigningKey } from '../../signing/keys.ts';
import { StartError } from '../../start-error.ts';
import { actionOf, type Command, type CommandInput, required, table, text, UsageError } from '../command.ts';
import { withPacks } from '../server/data.ts';

const help = `Usage: lokal packs list
       lokal packs import PATH [--preset quality|speed|exact|float32] [--int8-kv-cache] [--dry-run] [--allow-older]
       lokal packs bind ROLE PACK [--task caption|objects|scene_graph|rerank]
       lokal packs remove PACK
       lokal packs export PACK FILE [--sign KEYFILE]
       lokal packs keygen KEYFILE [--name NAME]

PATH is a pack's folder, a .lokalpack file, a chat model (a .gguf file or a Hugging Face folder with safetensors), or an
encoder in the Hugging Face ONNX layout. The preset says how a chat model is quantized; quality is the default.
--int8-kv-cache keeps keys and values in 8 bits: less memory, faster answers in long conversations, slower prompts. --dry-run
tells what an import would take on disk and in memory, and writes nothing.
FILE is a .lokalpack to write: the pack in one piece, to carry to another machine. --sign signs it with the key that keygen
wrote, or with a PEM of openssl; the machine that imports it says who signed, by its list of \`lokal trust\`. --allow-older
takes a pack although a later one of its signer was imported before.
ROLE is a model id: ${modelIds.slice(0, 3).join(', ')},
${modelIds.slice(3).join(', ')}. PACK is ID or ID@VERSION, or “none” to leave the role empty.
Once a pack is removed, the starter that Lokal brings serves its role again.
With --task the pack answers for that task of svc-vision-pro alone, and “none” gives it back to the role's pack.

  --json   print one line of JSON
  --help   this text`;

export const packs: Command = {
  help,
  options: {
    preset: { type: 'string' },
    'int8-kv-cache': { type: 'boolean' },
    // Its name until 0.2.
    'small-cache': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    task: { type: 'string' },
    sign: { type: 'string' },
    name: { type: 'string' },
    'allow-older': { type: 'boolean' },
  },
  async run(input) {
    if (input.positionals[0] === 'keygen') return makeKey(input);
    await withPacks(async (opened) => {
      await actionOf(actions, input)(opened.packs, input);
    });
  },
};

/** Needs no data folder: a publisher may have none. */
function makeKey(input: CommandInput): void {
  const file = resolve(required(input, 1, 'KEYFILE'));
  const name = text(input.values.name);
  let key: SigningKey;
  try {
    key = createKeyFile(file, name);
  } catch (error) {
    throw new StartError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
  const print = fingerprint(key.publicKey);
  input.print({ file, name: key.name, public_key: key.publicKey, fingerprint: print }, [
    `${file} holds the private key of ${key.name}; keep it to yourself.`,
    `Its fingerprint is ${print}. Who trusts you runs:`,
    `lokal trust add ${key.publicKey} --name ${JSON.stringify(key.name)}`,
  ]);
}

const actions: Record<string, (service: PackService, input: CommandInput) => Promise<void> | void> = {
  list(service, { print }) {
    const overview = service.overview();
    print(overview, toLines(overview));
  },

  async import(service, input) {
    const abort = new AbortController();
    // Also a second time: what was begun is still being removed then.
    process.on('SIGINT', () => abort.abort());
    const preset = (input.values.preset as string | undefined) ?? 'quality';
    if (!isPreset(preset)) throw new UsageError(`--preset is one of ${importPresets.join(', ')}`);
    const path = resolve(required(input, 1, 'PATH'));
    if (input.values['dry-run']) return printEstimate(input, await service.estimate({ path }, abort.signal));
    const allowOlder = input.values['allow-older'] === true;
    const pack = await importShown(service, { path, preset, allowOlder, signal: abort.signal });
    const sizes = pack.chat_options;
    const { 'int8-kv-cache': asked, 'small-cache': askedBefore } = input.values;
    if (sizes && (asked === true || askedBefore === true))
      await service.setOptions(pack.ref, { ...sizes, int8_kv_cache: true });
    const task = pack.tasks.includes('rerank') ? ' --task rerank' : '';
    const bind = pack.roles.map((role) => `lokal packs bind ${role} ${pack.ref}${task}`);
    input.print(pack, [`${pack.ref} is installed, ${signedBy(pack.signature)}. To use it:`, ...bind]);
  },

  bind(service, input) {
    const role = required(input, 1, 'ROLE');
    if (!isRole(role)) throw new UsageError(`ROLE is one of ${modelIds.join(', ')}`);
    const given = required(input, 2, 'PACK');
    const task = input.values.task as string | undefined;
    if (task !== undefined && !isTask(task)) throw new UsageError(`--task is one of ${packTasks.join(', ')}`);
    service.bind(role, given === 'none' ? null : given, task);
    const binding = service.overview().roles.find((each) => each.role === role);
    if (task === undefined) {
      const bound = binding?.pack ?? null;
      input.print({ role, pack: bound }, [bound ? `${role} is served by ${bound}.` : `${role} is empty.`]);
      return;
    }
    const bound = binding?.tasks?.[task] ?? null;
    const said = bound ? `served by ${bound}` : 'left to the pack of the role';
    input.print({ role, task, pack: bound }, [`${task} of ${role} is ${said}.`]);
  },

  async export(service, input) {
    const ref = required(input, 1, 'PACK');
    const file = resolve(required(input, 2, 'FILE'));
    if (!file.endsWith(bundleSuffix)) throw new UsageError(`FILE ends with ${bundleSuffix}`);
    const keyFile = text(input.values.sign);
    const key = keyFile === undefined ? undefined : readKeyFile(resolve(keyFile));
    await service.export(ref, file, key);
    const signer = key && ` It is signed by ${key.name} (${fingerprint(key.publicKey)}).`;
    input.print({ pack: ref, file, signer: key?.name ?? null }, [`${ref} is in ${file}.${signer ?? ''}`]);
  },

  async remove(service, input) {
    const ref = required(input, 1, 'PACK');
    const returned = await service.remove(ref);
    const lines = returned.map(({ role, task, pack }) =>
      task ? `${task} of ${role} is left to the pack of the role.` : `${role} is served by ${pack} again.`,
    );
    input.print({ removed: ref, returned }, [`${ref} is removed.`, ...lines]);
  },
};

/** With the phase and its share done on a terminal's last line. */
async function importShown(
  service: PackService,
  given: { path: string; preset: ImportPreset; allowOlder: boolean; signal: AbortSignal },
): Promise<PackSummary> {
  const { path, preset, allowOlder, signal } = given;
  const show = (line: string) => process.stderr.isTTY && process.stderr.write(`\r${line}\x1b[K`);
  try {
    return await service.import(
      { path },
      {
        signal,
        preset,
        allowOlder,
        onPhase: (phase, done) =>
          show(done === undefined ? `${phase} …` : `${phase} ${Math.floor(100 * done)} %`),
      },
    );
  } catch (error) {
    throw signal.aborted ? new StartError('The import was stopped; nothing of it is left.') : error;
  } finally {
    show('');
  }
}

function printEstimate({ print }: CommandInput, estimate: ImportEstimate): void {
  const { name, format, architecture, weights, context, options, signature } = estimate;
  const facts = [
    format,
    architecture,
    weights && `${(weights / 1e6).toFixed(1)} million weights`,
    context && `context ${context}`,
    signature && signedBy(signature),
  ];
  const rows = options.map((option) => [
    option.preset ?? '-',
    megabytes(option.pack_bytes / mega),
    megabytes(option.disk_bytes / mega),
    option.memory_mb === null ? '-' : megabytes(option.memory_mb),
  ]);
  print(estimate, [
    `${name ?? 'Unnamed'}: ${facts.filter(Boolean).join(', ')}`,
    ...table([['PRESET', 'PACK', 'DISK WHILE IMPORTED', 'MEMORY WHEN SERVING'], ...rows]),
    `Free on the disk: ${megabytes(estimate.free_disk_bytes / mega)}; memory of this machine: ${megabytes(estimate.machine_memory_mb)}.`,
  ]);
}

/** In words, for a person to judge by. */
function signedBy(signature: PackSignature | null): string {
  if (!signature || signature.state === 'unsigned') return 'not signed: nobody vouches for it';
  if (signature.state === 'wrong') return 'changed after it was signed';
  if (signature.state === 'trusted') return `signed by ${signature.signer}`;
  return `signed by an unknown key that calls itself ${JSON.stringify(signature.signer)} (${signature.fingerprint})`;
}

const mega = 1_048_576;
const megabytes = (count: number): string => `${count < 10 ? count.toFixed(1) : Math.round(count)} MB`;

const isPreset = (name: string): name is ImportPreset => (importPresets as readonly string[]).includes(name);
const isTask = (name: string): name is PackTask => (packTasks as readonly string[]).includes(name);
const isRole = (name: string): name is ModelId => (modelIds as readonly string[]).includes(name);

function toLines({ roles, packs: installed }: PackOverview): string[] {
  const roleRows = roles.flatMap(({ role, pack, tasks }) => [
    [role, pack ?? 'no pack'],
    ...Object.entries(tasks ?? {}).flatMap(([task, chosen]) => (chosen ? [[`  ${task}`, chosen]] : [])),
  ]);
  const packRows = installed.map((pack) => [
    pack.ref,
    pack.status,
    pack.roles.join(', '),
    pack.licence,
    pack.signature ? signedBy(pack.signature) : '-',
  ]);
  return [
    ...table([['ROLE', 'PACK'], ...roleRows]),
    '',
    ...(packRows.length > 0
      ? table([['INSTALLED', 'FROM', 'ROLES', 'LICENCE', 'SIGNATURE'], ...packRows])
      : ['No packs are installed.']),
  ];
}
