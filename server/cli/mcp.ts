/** `lokal mcp`: the Model Context Protocol on standard input and output, for programs that start their servers themselves. */
import { createInterface } from 'node:readline';
import type { McpAnswer, McpMessage } from '../api/protocols/mcp.ts';
import { StartError } from '../start-error.ts';
import type { Command } from './command.ts';
import { type LocalApi, withApi } from './server/local-api.ts';
import { ServerAwayError } from './server/pinned-fetch.ts';

const help = `Usage: lokal mcp

Speaks the Model Context Protocol on standard input and output: parse_document, search_text, moderate, find_personal_data,
redact, analyze_threat, analyze_image and embed. Files are read by path inside the folders of the setting mcp_folders alone,
for instance: lokal config set mcp_folders '["/home/me/Documents"]'. Over HTTP the same is at /mcp, with a key.`;

export const mcp: Command = {
  help,
  options: {},
  run: () =>
    withApi(async (api) => {
      const open = new Set<Promise<void>>();
      for await (const line of createInterface({ input: process.stdin })) {
        if (line.trim() === '') continue;
        const answered = answerLine(api, line).finally(() => open.delete(answered));
        open.add(answered);
      }
      await Promise.all(open);
    }),
};

async function answerLine(api: LocalApi, line: string): Promise<void> {
  let id: McpMessage['id'];
  try {
    const message = JSON.parse(line) as McpMessage;
    id = message.id;
    const ask = () => api.ask<McpAnswer>('/mcp', message);
    const answer = await ask().catch(async (error: unknown) => {
      if (error instanceof ServerAwayError && (await api.rejoin())) return ask();
      throw error;
    });
    if (answer.id !== undefined) say(answer);
  } catch (error) {
    const isRefused = error instanceof StartError;
    const message = isRefused ? error.message : 'The message is not JSON, or the server is gone.';
    if (id !== undefined)
      say({ jsonrpc: '2.0', id, error: { code: isRefused ? -32_000 : -32_603, message } });
    else console.error(`lokal: ${message}`);
  }
}

const say = (answer: McpAnswer): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);
