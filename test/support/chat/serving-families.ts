/** Families of custom kernels that serve on this machine. */
import { type KernelFamily, kernelFamilies } from '../../../server/engine/engine.ts';
import { kernelVerdict } from '../../../server/engine/onnx/kernels/support.ts';

export async function servingFamilies(): Promise<KernelFamily[]> {
  const verdicts = await Promise.all(kernelFamilies.map((family) => kernelVerdict(family)));
  return kernelFamilies.filter((_, index) => verdicts[index]!.family !== null);
}
