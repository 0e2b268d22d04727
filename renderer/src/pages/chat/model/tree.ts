/**
 * A conversation as a tree: an edited message or a second answer is a further child of the same parent, and every parent
 * remembers which child is shown. The path from the root along those is what a person sees and the model is sent.
 */
import type { ChatCompletionChunk, ChatMessage, ToolCall } from '../../../../../server/api/services/chat.ts';
import { type Attachment, withAttachments } from './attachment.ts';

export type TokenScore = NonNullable<
  NonNullable<ChatCompletionChunk['choices'][number]['logprobs']>['content']
>[number];

/** Facts about an answer besides its words. */
export interface Figures {
  promptTokens: number | null;
  completionTokens: number | null;
  /** Milliseconds from the request to the first token, and to the last. */
  firstMs: number | null;
  totalMs: number;
  /** Tokens a second after the first. */
  speed: number | null;
  finishReason: string | null;
  /** `id@version` of the pack that answered. */
  pack: string | null;
}

export interface Message {
  role: 'user' | 'assistant' | 'tool';
  content: string;
  /** Files that a person sent along. */
  attachments?: Attachment[];
  toolCalls?: ToolCall[];
  /** Of a tool's result: the call it answers. */
  toolCallId?: string;
  /** Token by token with their probabilities, where they were asked for. */
  tokens?: TokenScore[];
  figures?: Figures;
}

export interface TreeNode {
  id: string;
  /** Empty for the first message. */
  parentId: string;
  message: Message;
}

export interface Tree {
  /** By id, in the order they came. */
  nodes: Record<string, TreeNode>;
  /** Parent's id → the child that is shown. */
  chosen: Record<string, string>;
}

export const rootId = '';
export const emptyTree: Tree = { nodes: {}, chosen: {} };

/** The new message is the one shown. */
export function addMessage(tree: Tree, parentId: string, message: Message): { tree: Tree; id: string } {
  const id = `m${Object.keys(tree.nodes).length + 1}`;
  const nodes = { ...tree.nodes, [id]: { id, parentId, message } };
  return { tree: { nodes, chosen: { ...tree.chosen, [parentId]: id } }, id };
}

export function setMessage(tree: Tree, id: string, message: Message): Tree {
  const node = tree.nodes[id];
  return node ? { ...tree, nodes: { ...tree.nodes, [id]: { ...node, message } } } : tree;
}

/** Shows this message in place of its siblings. */
export function choose(tree: Tree, id: string): Tree {
  const node = tree.nodes[id];
  return node ? { ...tree, chosen: { ...tree.chosen, [node.parentId]: id } } : tree;
}

/** Messages with the same parent, oldest first; itself among them. */
export function siblingsOf(tree: Tree, { parentId }: TreeNode): string[] {
  return Object.values(tree.nodes).flatMap((node) => (node.parentId === parentId ? node.id : []));
}

/** The shown path, first message first. */
export function shownPath(tree: Tree): TreeNode[] {
  const path: TreeNode[] = [];
  for (let node = childOf(tree, rootId); node; node = childOf(tree, node.id)) path.push(node);
  return path;
}

const childOf = (tree: Tree, id: string): TreeNode | undefined => tree.nodes[tree.chosen[id] ?? ''];

/** From the first message to this one, shown or not. */
export function pathTo(tree: Tree, id: string): TreeNode[] {
  const path: TreeNode[] = [];
  for (let node = tree.nodes[id]; node; node = tree.nodes[node.parentId]) path.unshift(node);
  return path;
}

export const leafId = (tree: Tree): string => shownPath(tree).at(-1)?.id ?? rootId;

export function toWireMessage({ role, content, attachments, toolCalls, toolCallId }: Message): ChatMessage {
  if (attachments) return { role, content: withAttachments(content, attachments) };
  if (role === 'tool') return { role, content, tool_call_id: toolCallId ?? '' };
  if (!toolCalls || toolCalls.length === 0) return { role, content };
  return { role, content: content || null, tool_calls: toolCalls };
}
