import { availableProviders } from '../library/library.ts';
import { type CanaryName, canaries, tryProvider } from './canary.ts';

/** Execution providers worth a try, best first, by platform. The CPU is always there, last. */
export function providerOrder(platform: NodeJS.Platform, arch: string): string[] {
  if (platform === 'win32')
    return arch === 'x64' ? ['cuda', 'directml', 'webgpu', 'cpu'] : ['directml', 'webgpu', 'cpu'];
  if (platform === 'darwin') return ['coreml', 'webgpu', 'cpu'];
  if (platform === 'linux') return arch === 'x64' ? ['cuda', 'webgpu', 'cpu'] : ['webgpu', 'cpu'];
  return ['cpu'];
}

/** Names the library gives the providers it was built with. */
const builtNames: Record<string, string> = {
  cuda: 'CUDAExecutionProvider',
  directml: 'DmlExecutionProvider',
  coreml: 'CoreMLExecutionProvider',
  webgpu: 'WebGpuExecutionProvider',
  cpu: 'CPUExecutionProvider',
};

/** Of the platform's providers those this build of the library has; whether their drivers are there is another matter. */
export function builtProviders(): string[] {
  const built = availableProviders();
  return providerOrder(process.platform, process.arch).filter((name) => built.includes(builtNames[name]!));
}

export interface ProviderReport {
  provider: string;
  /** Kinds of graph it agrees with the CPU on. */
  trusted: CanaryName[];
  /** Reasons against the others, by kind. */
  refused: Partial<Record<CanaryName, string>>;
}

/**
 * Loads tiny models on one provider and compares. Meant for a throw-away process (probe.ts): a bad driver may take the
 * process with it, or keep its libraries loaded.
 */
export async function probeProvider(provider: string): Promise<ProviderReport> {
  const report: ProviderReport = { provider, trusted: [], refused: {} };
  for (const name of Object.keys(canaries) as CanaryName[]) {
    const reason = provider === 'cpu' ? undefined : await tryProvider(provider, name);
    if (reason === undefined) report.trusted.push(name);
    else report.refused[name] = reason.trim();
  }
  return report;
}
