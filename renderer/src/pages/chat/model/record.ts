/** A conversation as it is kept in the history, and its title. */
import { type Parameters, toParameters } from './parameters.ts';
import { shownPath, type Tree } from './tree.ts';

export interface KeptChat {
  tree: Tree;
  parameters: Parameters;
  pack: string | null;
}

const version = 1;
const longestTitle = 80;

export const toContent = (chat: KeptChat): string => JSON.stringify({ version, ...chat });

/** Null for what another version kept in a way this one does not know. */
export function fromContent(content: string): KeptChat | null {
  const kept = JSON.parse(content) as { version: number } & KeptChat;
  if (kept.version !== version) return null;
  return { tree: kept.tree, parameters: toParameters(kept.parameters), pack: kept.pack };
}

/** The first line of what was first asked, or the name of the file that came without words. */
export function conversationTitle(tree: Tree): string {
  const [first] = shownPath(tree);
  const line = first?.message.content.trim().split('\n')[0] || first?.message.attachments?.[0]?.name || '';
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}
