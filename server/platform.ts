/** Systems that a native part of Lokal does not exist for, said by name before a model fails to load. */

export interface HostSystem {
  platform: NodeJS.Platform;
  arch: string;
  /** Linux with another C library than glibc, e.g. Alpine. */
  musl: boolean;
}

/** onnxruntime-node 1.30 has a library for these; on any other system no model runs. */
const served: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['x64', 'arm64'],
  darwin: ['arm64'],
  win32: ['x64', 'arm64'],
};
const names: Partial<Record<NodeJS.Platform, string>> = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' };

/** Why no model can run on this system, as a sentence; null where all can. */
export function noModelsReason(system: HostSystem = thisSystem()): string | null {
  const { platform, arch, musl } = system;
  if (platform === 'darwin' && arch === 'x64') return because('Macs with an Intel processor');
  if (musl) return because('Linux with musl instead of glibc (Alpine)');
  if (served[platform]?.includes(arch)) return null;
  return because(`${names[platform] ?? platform} on ${arch}`);
}

const because = (system: string): string =>
  `ONNX Runtime has no library for ${system}: no model can run here.`;

function thisSystem(): HostSystem {
  return {
    platform: process.platform,
    arch: process.arch,
    musl: process.platform === 'linux' && !hasGlibc(),
  };
}

function hasGlibc(): boolean {
  const { report } = process;
  // Else the report asks for the names of all network interfaces.
  Object.assign(report, { excludeNetwork: true });
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}
