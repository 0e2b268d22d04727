/** An image in the OCI layout, in one tar, written without a daemon: `skopeo`, `podman load` and `docker load` read it. */
import { createHash, hash } from 'node:crypto';
import { createWriteStream, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Target } from '../packed-files.ts';
import { type Build, zstd } from './archive.ts';
import { readBase, user } from './oci-base.ts';
import type { Program } from './program.ts';
import { type Entry, tar, text, under } from './tar.ts';

const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };
const types = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+zstd',
};

interface Blob {
  mediaType: string;
  digest: string;
  size: number;
}

interface Layer extends Blob {
  /** Of the tar before it was compressed. */
  diffId: string;
  comment: string;
}

/** @throws Unavailable when the base cannot be had */
export async function writeImage(target: Target, program: Program, build: Build): Promise<string> {
  const base = await readBase(target, build.cache);
  const folder = join(build.out, `.image-${target.arch}`);
  mkdirSync(folder, { recursive: true });
  const parts: [comment: string, entries: Entry[]][] = [
    ['C and C++ runtime', base],
    ['Node and native packages', under('opt/lokal', program.natives)],
    ['models', under('opt/lokal', program.packs)],
    ['program', under('opt/lokal', program.app)],
  ];
  const layers: Layer[] = [];
  for (const [comment, entries] of parts) layers.push(await writeLayer(comment, entries, build, folder));
  const config = describeJson(types.config, imageConfig(target, layers, build));
  const manifest = describeJson(types.manifest, {
    schemaVersion: 2,
    mediaType: types.manifest,
    config: config.blob,
    layers: layers.map(({ mediaType, digest, size }) => ({ mediaType, digest, size })),
  });
  const blobs = [...layers.map(({ digest }) => toEntry(digest, folder)), config.entry, manifest.entry];
  const index = {
    schemaVersion: 2,
    manifests: [{ ...manifest.blob, annotations: { 'org.opencontainers.image.ref.name': build.version } }],
  };
  const file = join(build.out, `lokal-${build.version}-linux-${target.arch}.oci.tar`);
  const entries = [
    ...blobs,
    text('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })),
    text('index.json', JSON.stringify(index)),
  ];
  await pipeline(Readable.from(tar(entries, build.dateMs)), createWriteStream(file, { mode: 0o644 }));
  rmSync(folder, { recursive: true });
  return file;
}

function imageConfig(target: Target, layers: Layer[], { dateMs, version, commit }: Build): object {
  const created = new Date(dateMs).toISOString();
  return {
    created,
    architecture: architectures[target.arch],
    os: 'linux',
    config: {
      User: `${user}:${user}`,
      // Of this container alone; to be reached from outside: serve --host 0.0.0.0 --tls-cert … --tls-key ….
      Entrypoint: ['/opt/lokal/bin/node', '/opt/lokal/dist/server/cli.js'],
      Cmd: ['serve'],
      Env: ['LOKAL_HOME=/data', 'HOME=/data'],
      Volumes: { '/data': {} },
      ExposedPorts: { '8787/tcp': {} },
      WorkingDir: '/data',
      StopSignal: 'SIGTERM',
      Labels: {
        'org.opencontainers.image.title': 'Lokal',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.revision': commit,
        'org.opencontainers.image.licenses': 'Apache-2.0',
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ comment }) => ({ created, comment })),
  };
}

async function writeLayer(comment: string, entries: Entry[], build: Build, folder: string): Promise<Layer> {
  const [plain, packed] = [createHash('sha256'), createHash('sha256')];
  const partial = join(folder, 'layer');
  await pipeline(
    Readable.from(tar(entries, build.dateMs)),
    (chunks) => digesting(chunks, plain),
    zstd(),
    (chunks) => digesting(chunks, packed),
    createWriteStream(partial),
  );
  const digest = `sha256:${packed.digest('hex')}`;
  const file = fileOf(digest, folder);
  renameSync(partial, file);
  const size = statSync(file).size;
  return { mediaType: types.layer, digest, size, diffId: `sha256:${plain.digest('hex')}`, comment };
}

async function* digesting(chunks: AsyncIterable<Buffer>, digest: ReturnType<typeof createHash>) {
  for await (const chunk of chunks) {
    digest.update(chunk);
    yield chunk;
  }
}

function describeJson(mediaType: string, value: object): { blob: Blob; entry: Entry } {
  const content = Buffer.from(JSON.stringify(value));
  const digest = `sha256:${hash('sha256', content, 'hex')}`;
  return {
    blob: { mediaType, digest, size: content.length },
    entry: { path: pathOf(digest), mode: 0o644, content },
  };
}

const pathOf = (digest: string) => `blobs/sha256/${digest.slice('sha256:'.length)}`;
const fileOf = (digest: string, folder: string) => join(folder, digest.slice('sha256:'.length));
const toEntry = (digest: string, folder: string): Entry => ({
  path: pathOf(digest),
  mode: 0o644,
  content: { file: fileOf(digest, folder) },
});
