/** Written texts with their questions, fields and calls (written/): one plain format, read into records. */

export interface Field {
  key: string;
  type: string;
  options: string[];
  description: string;
  required: boolean;
}

export interface Filled {
  field: Field;
  /** As written; null: not told. */
  value: string | null;
  /** Words of the text that say it, where they differ from the value. */
  words: string | null;
}

export interface Block {
  language: 'en' | 'ms' | 'zh';
  text: string;
  questions: { question: string; answer: string; words: string | null }[];
  summary: string[];
  fields: Filled[];
  tools: { name: string; description: string; fields: Field[] }[];
  requests: { said: string; calls: { name: string; values: Filled[] }[] }[];
}

function fieldOf(head: string): Field {
  const match = /^(\S+)\s+(enum\([^)]*\)!?|\S+)\s*(.*)$/su.exec(head.trim());
  const [key, kind, rest] = match ? [match[1]!, match[2]!, match[3]!] : [head.trim(), 'string', ''];
  const options =
    /^enum\((.*)\)!?$/u
      .exec(kind)?.[1]
      ?.split('|')
      .map((each) => each.trim()) ?? [];
  return {
    key,
    type: options.length > 0 ? 'enum' : kind.replace('!', '').replace(/^(?:array)\b.*$/u, 'array'),
    options,
    description: rest.replace(/^["“”]+|["“”]+$/gu, '').trim(),
    required: kind.endsWith('!'),
  };
}

const partsOf = (text: string): [value: string, words: string | null] => {
  const [value, ...words] = text.split(/\s*<<\s*/u);
  return [value!.trim(), words.length > 0 ? words.join(' << ').trim() : null];
};

export function blocksOf(source: string): Block[] {
  return source
    .split(/^== */mu)
    .slice(1)
    .map((raw) => {
      const [language = 'en', ...lines] = raw.split('\n');
      const block: Block = {
        language: language.trim().slice(0, 2) as Block['language'],
        text: '',
        questions: [],
        summary: [],
        fields: [],
        tools: [],
        requests: [],
      };
      let inside = false;
      const text: string[] = [];
      for (const line of lines) {
        if (line.trim() === 'TEXT') inside = true;
        else if (line.trim() === 'END') inside = false;
        else if (inside) text.push(line);
        else read(block, line.trimStart());
      }
      block.text = text.join('\n').trim();
      return block;
    });
}

function read(block: Block, line: string): void {
  const [mark, rest] = [line.slice(0, 2).trim(), line.slice(2).trim()];
  if (mark === 'Q') block.questions.push({ question: rest, answer: '', words: null });
  else if (mark === 'A') {
    const last = block.questions.at(-1);
    if (last) [last.answer, last.words] = partsOf(rest);
  } else if (mark === 'S') block.summary.push(rest);
  else if (mark === 'F') {
    const at = rest.indexOf(' = ');
    if (at < 0) return;
    const [value, words] = partsOf(rest.slice(at + 3));
    block.fields.push({ field: fieldOf(rest.slice(0, at)), value: value === 'null' ? null : value, words });
  } else if (mark === 'T') {
    const [, name = rest, description = ''] = /^(\S+?)\s*[:：]\s*(.*)$/u.exec(rest) ?? [];
    block.tools.push({ name, description, fields: [] });
  } else if (mark === 'P') block.tools.at(-1)?.fields.push(fieldOf(rest));
  else if (mark === 'U') block.requests.push({ said: rest, calls: [] });
  else if (mark === 'C') {
    if (rest !== '-' && rest !== '')
      block.requests.at(-1)?.calls.push({ name: rest.split(/\s/u)[0]!, values: [] });
  } else if (mark === '=') {
    const call = block.requests.at(-1)?.calls.at(-1);
    const [, key = '', words = ''] = /^(\S+)\s*=?\s*(.*)$/su.exec(rest) ?? [];
    const field = block.tools
      .find(({ name }) => name === call?.name)
      ?.fields.find((each) => each.key === key);
    if (call && field) {
      const [value, said] = partsOf(words);
      call.values.push({ field, value, words: said });
    }
  }
}
