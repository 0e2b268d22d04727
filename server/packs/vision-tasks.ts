/** Tasks that a vision pack can answer, told from its manifest without opening it. */
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

/** None for packs of other engines. A vision pack without a `vision` block is of the starter's kind, which does all. */
export function visionTasks(manifest: Manifest): ImageTask[] {
  if (manifest.engine !== 'images') return [];
  const { vision } = manifest as Manifest & { vision?: { parts?: { family: string }[] } };
  if (!vision) return [...imageTasks];
  const able = new Set((vision.parts ?? []).flatMap(({ family }) => tasksOfFamily[family] ?? []));
  return imageTasks.filter((task) => able.has(task));
}
