/** Chat templates as found in model files, against the development data's renders of their families. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../../../server/api/services/chat.ts';
import type { ChatPack } from '../../../../server/engine/chat/pack.ts';
import { createPromptTemplate } from '../../../../server/engine/chat/text/prompt.ts';

const folder = new URL('../../../../../shared/data/chat-templates-ollama/', import.meta.url);
const present = existsSync(folder);

interface Found {
  name: string;
  jinja: string;
}

const lines = <T>(file: string): T[] =>
  present
    ? readFileSync(new URL(file, folder), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as T)
    : [];
const templates = lines<Found>('jinja_to_name.jsonl');
const families = new Map(
  lines<{ name: string; renders: Record<string, string> }>('gotmpl.jsonl').map((each) => [
    each.name,
    each.renders,
  ]),
);
const conversations: Record<string, ChatMessage[]> = present
  ? JSON.parse(readFileSync(new URL('conversations.json', folder), 'utf8'))
  : {};

/** Templates that differ from their family's render, by place in the file. */
const differing: Record<number, string> = {
  0: 'writes the system text bare',
  7: 'has a system text of its own',
  8: 'has a system text of its own',
  9: 'knows no system turn',
  10: 'spaces differ',
  11: 'has a system text of its own',
  12: 'no empty system block',
  14: 'spaces differ',
  17: 'has a system text of its own',
  18: 'has a system text of its own',
  19: 'has a system text of its own',
  20: 'writes the system text bare',
  24: 'writes dates',
  26: 'has a system text of its own',
  28: 'no empty system block',
  29: 'knows no system turn',
  30: 'knows no system turn',
  32: 'has a system text of its own',
  35: 'writes the end token only where there is one',
  36: 'ends turns once',
};

function render(jinja: string, messages: ChatMessage[]): string {
  const pack = { template: jinja, tokenizerConfig: { bos_token: '<s>', eos_token: '</s>' } };
  const template = createPromptTemplate(pack as unknown as ChatPack);
  return template.render({ messages, tools: [], instructions: null, controlPieces: [] });
}

/** Without tokens that begin and end a text, and with any white space as one space. */
const bare = (text: string) =>
  text
    .replaceAll(/<s>|<\/s>|<\|begin_of_text\|>|<bos>|<\|endoftext\|>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

describe.skipIf(!present)(
  'chat templates of the development data (shared/data/chat-templates-ollama)',
  () => {
    it('are all there', () => {
      expect(templates.length).toBe(37);
      expect([...families.values()].flatMap((renders) => Object.keys(renders)).length).toBe(60);
    });

    it.each(templates.map(({ jinja, name }, at) => [at, name, jinja] as const))(
      '%i (%s) writes every message, in order, and equals its family where it should',
      (at, name, jinja) => {
        for (const [conversation, messages] of Object.entries(conversations)) {
          const text = render(jinja, messages);
          let from = 0;
          for (const { content } of messages) {
            const found = text.indexOf(String(content), from);
            expect(found, `${conversation}: ${String(content)}`).toBeGreaterThanOrEqual(0);
            from = found + 1;
          }
          if (differing[at] === undefined) expect(bare(text)).toBe(bare(families.get(name)![conversation]!));
        }
      },
    );
  },
);
