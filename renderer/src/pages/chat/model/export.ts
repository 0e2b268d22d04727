/** A conversation to take away: as Markdown to read, as JSON to send again. */
import type { ChatRequest } from '../../../../../server/api/services/chat.ts';
import type { Message, TreeNode } from './tree.ts';

const headings = { user: '## You', assistant: '## Assistant', tool: '## Tool result' } as const;

export function toMarkdown(title: string, system: string, path: TreeNode[]): string {
  const parts = [`# ${title.replaceAll('\n', ' ')}`];
  if (system.trim()) parts.push(`## System\n\n${system.trim()}`);
  for (const { message } of path) parts.push(`${headings[message.role]}\n\n${toBody(message)}`);
  return `${parts.join('\n\n')}\n`;
}

function toBody({ role, content, attachments = [], toolCalls = [], figures }: Message): string {
  const files = attachments.map(({ name, text }) => `Attached \`${name}\`:\n\n${fence(text, '')}`);
  const calls = toolCalls.map(
    ({ function: call }) => `Calls \`${call.name}\`:\n\n${fence(call.arguments, 'json')}`,
  );
  const text = role === 'tool' ? fence(content, '') : content;
  const by = figures?.pack ? `*${figures.pack}*` : '';
  return [...files, text, ...calls, by].filter(Boolean).join('\n\n');
}

/** A fence longer than any inside. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** The request that the next message would be added to, and what each answer took. */
export function toJson(title: string, request: ChatRequest, path: TreeNode[]): string {
  const answers = path.flatMap(({ message }, index) =>
    message.figures ? [{ message: index, ...message.figures }] : [],
  );
  return `${JSON.stringify({ title, request, answers }, null, 2)}\n`;
}

/** Letters and digits of any script, for a file's name. */
export const toFileName = (title: string): string =>
  title
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
    .toLowerCase() || 'conversation';
