/** Tasks that a pack can answer in place of its role's, told from its manifest without opening it. */
import type { ModelId } from '../api/common.ts';
import type { PackTask } from '../api/console/packs.ts';
import { type ImageTask, imageTasks } from '../api/services/images.ts';
import type { Manifest } from './manifest.ts';

/** By family of server/engine/images/models/open.ts. */
export const tasksOfFamily: Record<string, ImageTask[]> = {
  detr: ['objects'],
  yolo: ['objects'],
  clip: ['scene_graph'],
  siglip: ['scene_graph'],
  florence2: ['caption', 'objects'],
  'image-to-text': ['caption'],
};

/** Of the roles that have some. */
export const tasksOfRole: { [Role in ModelId]?: readonly PackTask[] } = {
  'svc-vision-pro': imageTasks,
  'svc-embed-base': ['rerank'],
};

/** A cross-encoder scores pairs and makes no vectors: it fills its task alone. */
export const isRerankManifest = (manifest: Manifest): boolean =>
  manifest.engine === 'embeddings' && (manifest as { rerank?: object }).rerank !== undefined;

/** None for packs of engines without tasks. A vision pack without a `vision` block is of the starter's kind, which does all. */
export function tasksOfPack(manifest: Manifest): PackTask[] {
  if (isRerankManifest(manifest)) return ['rerank'];
  if (manifest.engine !== 'images') return [];
  const { vision } = manifest as Manifest & { vision?: { parts?: { family: string }[] } };
  if (!vision) return [...imageTasks];
  const able = new Set((vision.parts ?? []).flatMap(({ family }) => tasksOfFamily[family] ?? []));
  return imageTasks.filter((task) => able.has(task));
}
