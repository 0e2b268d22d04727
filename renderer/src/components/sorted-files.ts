/** Files of a choice or a folder: those that a page reads, and a word on those it leaves out. */
import { t, tn } from '../strings/t.ts';
import { notifyDone, notifyProblem } from './feedback/notify.ts';

/** Files that a notice names. */
const mostNamed = 5;

export interface SortedFiles {
  taken: File[];
  /** Names of others. */
  others: string[];
  /** Files that systems and programs keep for themselves, such as .DS_Store, and all in folders of such names. */
  hidden: number;
}

export const pathOf = (file: File): string => file.webkitRelativePath || file.name;

const isHidden = (file: File): boolean =>
  pathOf(file)
    .split('/')
    .some((part) => part.startsWith('.'));

export function sortFiles(files: readonly File[], isRead: (file: File) => boolean): SortedFiles {
  const seen = files.filter((file) => !isHidden(file));
  const others = seen.filter((file) => !isRead(file)).map(({ name }) => name);
  return { taken: seen.filter(isRead), others, hidden: files.length - seen.length };
}

export function tellLeftOut({ others, hidden }: SortedFiles): void {
  const names = [...others.slice(0, mostNamed), ...(others.length > mostNamed ? ['…'] : [])].join(', ');
  if (others.length > 0) notifyProblem(new Error(t('problem.left_out', { names })));
  if (hidden > 0) notifyDone(tn('problem.hidden_left_out', hidden));
}
