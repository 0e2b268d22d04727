/**
 * `npm run release`: one folder with everything that this machine can make of the commit, built twice and compared, and
 * the first archive tried without a network. What cannot be made is named with its reason, and the run still ends well.
 *
 *   npm run release -- [--once] [--key FILE] [--last FOLDER] [--out FOLDER] [--json]
 */
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hashFile } from '../../server/packs/verify.ts';
import { signFile } from '../../server/signing/file.ts';
import { readKeyFile } from '../../server/signing/keys.ts';
import { version } from '../../server/version.ts';
import { capture } from '../start/child.ts';
import { root } from '../start/paths.ts';
import { firstDifference } from './compare.ts';
import { countUnknownLicences } from './licences.ts';
import type { Made } from './make.ts';
import { type Artefact, type Release, writePage } from './page.ts';
import { writeProvenance } from './provenance.ts';
import { compareSboms } from './sbom-difference.ts';
import { type Served, tryArchive } from './serves.ts';
import { checkOut, readSource, type Source } from './source.ts';
import { compare } from './tar.ts';

const say = (line: string) => console.error(line);
const work = join(root, 'dist', 'release-work');

/** Whatever of a machine could get into the bytes differs between the two. */
const places = [
  { name: 'a', env: { TZ: 'UTC', LC_ALL: 'C', LANG: 'C' }, umask: '022' },
  {
    name: 'second-build',
    env: { TZ: 'Asia/Kuching', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' },
    umask: '077',
  },
];

type Place = (typeof places)[number];

async function build(place: Place, source: Source): Promise<{ out: string; made: Made }> {
  const folder = join(work, place.name);
  const out = join(work, `${place.name}-out`);
  rmSync(out, { recursive: true, force: true });
  await checkOut(source, folder);
  const script = [process.execPath, join(folder, 'build', 'release', 'make.ts')];
  const args = [out, join(work, 'cache'), source.commit, String(source.dateMs)];
  // The mask is a process's own: only a shell can set it for another program.
  const shell = process.platform === 'win32' ? [] : ['sh', '-c', `umask ${place.umask}; exec "$@"`, 'sh'];
  const env = { ...process.env, ...place.env, SOURCE_DATE_EPOCH: String(source.dateMs / 1000) };
  const exit = await capture([...shell, ...script, ...args], { cwd: folder, env });
  if (exit.code !== 0) throw new Error(`The build failed.\n${exit.output}`);
  return { out, made: JSON.parse(exit.output.trim().split('\n').at(-1) ?? '') as Made };
}

interface Options {
  once: boolean;
  key: string | undefined;
  /** The last release, to tell the difference. */
  last: string | undefined;
  out: string;
}

async function release(options: Options): Promise<Release> {
  const key = options.key === undefined ? undefined : readKeyFile(options.key);
  const source = await readSource();
  if (source.changed > 0) say(`${source.changed} changed files are not committed, and not in the release.`);
  const [first, second] = places as [Place, Place];
  say(`Building ${version} of ${source.commit.slice(0, 12)} …`);
  const { out, made } = await build(first, source);
  const difference = options.once ? undefined : await compareWith(second, source, out);
  const served = await tryFirst(out, made);
  rmSync(options.out, { recursive: true, force: true });
  renameSync(out, options.out);
  const artefacts = await measureAll(options.out);
  await writeProvenance(options.out, artefacts, { source, key });
  const all = [...artefacts, await measure(options.out, 'provenance.intoto.json')];
  const unknownLicences = await countUnknownLicences();
  const result: Release = {
    version,
    source,
    artefacts: all,
    missing: made.missing,
    difference,
    served,
    unknownLicences,
    ...(options.last !== undefined && { parts: compareSboms(options.out, options.last) }),
  };
  writePage(options.out, result, key?.publicKey);
  all.push(await measure(options.out, 'RELEASE.md'));
  all.sort((left, right) => compare(left.file, right.file));
  writeFileSync(
    join(options.out, 'SHA256SUMS'),
    all.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''),
  );
  all.push(await measure(options.out, 'SHA256SUMS'));
  if (key) for (const { file } of all) await signFile(join(options.out, file), key);
  return result;
}

async function compareWith(place: Place, source: Source, out: string): Promise<string | null> {
  say('Building it again elsewhere …');
  return firstDifference(out, (await build(place, source)).out);
}

async function tryFirst(out: string, { files }: Made): Promise<Served | undefined> {
  const own = `${{ darwin: 'macos', win32: 'windows' }[process.platform as string] ?? process.platform}-${process.arch}`;
  const archive = files.find((file) => file.endsWith(`${own}.tar.zst`));
  if (!archive) return undefined;
  say(`Starting ${archive} without a network …`);
  return tryArchive(join(out, archive));
}

const measureAll = (folder: string): Promise<Artefact[]> =>
  Promise.all(
    readdirSync(folder)
      .sort(compare)
      .map((file) => measure(folder, file)),
  );

const measure = async (folder: string, file: string): Promise<Artefact> => ({
  file,
  sha256: await hashFile(join(folder, file)),
  bytes: statSync(join(folder, file)).size,
});

function tell({ artefacts, missing, difference, served }: Release, out: string): void {
  say('');
  for (const { file, bytes } of artefacts) say(`${(bytes / 1e6).toFixed(1).padStart(8)} MB  ${file}`);
  for (const [name, reason] of Object.entries(missing)) say(`not made: ${name}: ${reason}`);
  if (difference !== undefined)
    say(difference === null ? 'Built twice: identical.' : `Built twice: ${difference}.`);
  if (served)
    say(
      `${served.services.length} of 6 services${served.namespace ? ' without a network' : ''}, ${served.start_ms} ms to start, ${served.resident_mb} MB.`,
    );
  say(out);
}

try {
  const { values } = parseArgs({
    options: {
      once: { type: 'boolean', default: false },
      twice: { type: 'boolean', default: true },
      key: { type: 'string' },
      last: { type: 'string' },
      out: { type: 'string', default: join(root, 'dist', 'release') },
      json: { type: 'boolean', default: false },
    },
  });
  const out = resolve(values.out);
  const last = values.last === undefined ? undefined : resolve(values.last);
  const result = await release({ once: values.once, out, key: values.key, last });
  tell(result, out);
  const summary = {
    bench: 'release',
    artefacts: result.artefacts.map(({ file, sha256 }) => ({ file, sha256 })),
    identical: result.difference === undefined ? null : result.difference === null,
    unknown_licences: result.unknownLicences,
    packed_services: result.served?.services.length ?? null,
  };
  if (values.json) console.log(JSON.stringify(summary));
  if (result.difference) process.exitCode = 1;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
