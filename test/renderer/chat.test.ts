/** The pure parts of the chat playground: answers, branches, requests, JSON as typed, export and records. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { ChatAnswer } from '../../renderer/src/pages/chat/model/answer.ts';
import { toFileName, toJson, toMarkdown } from '../../renderer/src/pages/chat/model/export.ts';
import { readJsonText } from '../../renderer/src/pages/chat/model/json-text.ts';
import { defaultParameters, toParameters } from '../../renderer/src/pages/chat/model/parameters.ts';
import { conversationTitle, fromContent, toContent } from '../../renderer/src/pages/chat/model/record.ts';
import {
  findProblems,
  readLogitBias,
  readSchema,
  readTools,
  toChatRequest,
} from '../../renderer/src/pages/chat/model/request.ts';
import { schemaSamples, toolSamples } from '../../renderer/src/pages/chat/model/samples.ts';
import { checkSchema } from '../../renderer/src/pages/chat/model/schema-check.ts';
import {
  addMessage,
  choose,
  emptyTree,
  leafId,
  type Message,
  pathTo,
  setMessage,
  shownPath,
  siblingsOf,
  type Tree,
  toWireMessage,
} from '../../renderer/src/pages/chat/model/tree.ts';
import { type ChatCompletionChunk, ChatRequest } from '../../server/api/services/chat.ts';

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });

describe('Answer', () => {
  type Choice = ChatCompletionChunk['choices'][number];
  const chunk = (choices: Partial<Choice>[], rest: object = {}): ChatCompletionChunk => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'svc-lingua-7b',
    choices: choices.map((choice) => ({ index: 0, delta: {}, finish_reason: null, ...choice })),
    ...rest,
  });
  const text = (content: string, index = 0) => chunk([{ index, delta: { content } }]);

  it('adds text up, with its times, counts and speed', () => {
    const answer = new ChatAnswer(0, 'pack@1');
    answer.add(text(''), 50);
    answer.add(text('Hel'), 100);
    answer.add(text('lo'), 1100);
    answer.add(chunk([{ finish_reason: 'stop' }]), 1150);
    const usage = { prompt_tokens: 7, completion_tokens: 11, total_tokens: 18 };
    answer.add(chunk([], { usage }), 1200);
    const figures = { promptTokens: 7, completionTokens: 11, firstMs: 100, totalMs: 1100, speed: 10 };
    expect(answer.toMessages(null)).toEqual([
      {
        role: 'assistant',
        content: 'Hello',
        figures: { ...figures, finishReason: 'stop', pack: 'pack@1' },
      },
    ]);
  });

  it('keeps several choices apart, and says which were stopped', () => {
    const answer = new ChatAnswer(0, null);
    for (const index of [0, 1, 0]) answer.add(text(`${index}`, index), 10);
    answer.add(chunk([{ index: 1, finish_reason: 'length' }]), 20);
    const messages = answer.toMessages('stopped');
    expect(messages.map(({ content, figures }) => [content, figures?.finishReason, figures?.speed])).toEqual([
      ['00', 'stopped', null],
      ['1', 'length', null],
    ]);
  });

  it('joins tool calls and token probabilities', () => {
    const answer = new ChatAnswer(0, null);
    const call = (index: number, part: object) => chunk([{ delta: { tool_calls: [{ index, ...part }] } }]);
    answer.add(call(0, { id: 'a', type: 'function', function: { name: 'f', arguments: '' } }), 1);
    answer.add(call(0, { function: { arguments: '{"x"' } }), 2);
    answer.add(call(0, { function: { arguments: ':1}' } }), 3);
    answer.add(call(1, { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } }), 4);
    const score = { token: 'x', logprob: -1, bytes: [120], top_logprobs: [] };
    answer.add(chunk([{ delta: { content: 'x' }, logprobs: { content: [score] } }]), 5);
    const [message] = answer.toMessages(null);
    expect(message?.toolCalls?.map(({ id, function: made }) => [id, made.name, made.arguments])).toEqual([
      ['a', 'f', '{"x":1}'],
      ['b', 'g', '{}'],
    ]);
    expect(message?.tokens).toEqual([score]);
  });
});

describe('Tree', () => {
  function grow(tree: Tree, ...messages: Message[]): Tree {
    return messages.reduce((grown, message) => addMessage(grown, leafId(grown), message).tree, tree);
  }
  const words = (tree: Tree) => shownPath(tree).map(({ message }) => message.content);

  it('shows the newest of several messages in one place, and any other on demand', () => {
    let tree = grow(emptyTree, user('a'), assistant('b'), user('c'), assistant('d'));
    const [, answer] = shownPath(tree);
    tree = addMessage(tree, answer!.parentId, assistant('b2')).tree;
    expect(words(tree)).toEqual(['a', 'b2']);
    expect(siblingsOf(tree, answer!)).toEqual(['m2', 'm5']);
    tree = choose(tree, 'm2');
    // What followed it is shown again as well.
    expect(words(tree)).toEqual(['a', 'b', 'c', 'd']);
    expect(pathTo(tree, 'm5').map(({ id }) => id)).toEqual(['m1', 'm5']);
  });

  it('branches at the first message too, and changes one in place', () => {
    let tree = grow(emptyTree, user('a'), assistant('b'));
    tree = addMessage(tree, '', user('A')).tree;
    expect(words(tree)).toEqual(['A']);
    tree = setMessage(choose(tree, 'm1'), 'm2', assistant('bb'));
    expect(words(tree)).toEqual(['a', 'bb']);
    expect(setMessage(tree, 'none', user(''))).toBe(tree);
  });

  it('writes calls and results as the API wants them', () => {
    const toolCalls = [{ id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } }];
    expect(toWireMessage({ role: 'assistant', content: '', toolCalls })).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: toolCalls,
    });
    const result = { role: 'tool', content: '1', toolCallId: 'c' } as const;
    expect(toWireMessage(result)).toEqual({ role: 'tool', content: '1', tool_call_id: 'c' });
  });
});

describe('readJsonText', () => {
  it('names the line and column of the first mistake', () => {
    const problem = (text: string) => {
      const reading = readJsonText(text);
      return 'problem' in reading ? reading.problem : null;
    };
    expect(problem('{\n  "a": 1,\n  "b" 2\n}')).toMatchObject({ line: 3, column: 7 });
    expect(problem('{"a": 1,}')?.message).toMatch(/key in double quotes/);
    expect(problem('{"a": 1, "a": 2}')?.message).toMatch(/twice/);
    expect(problem('[1] 2')?.message).toMatch(/follow/);
    expect(problem('')?.message).toMatch(/too early/);
    expect(problem('[01]')).not.toBe(null);
    expect(problem('['.repeat(100_000))?.message).toMatch(/too deeply/);
  });

  it('knows where every value stands', () => {
    const reading = readJsonText('{\n "a/b": [\n  true ] }');
    expect('document' in reading && [...reading.document.places]).toEqual([
      ['', { line: 1, column: 1 }],
      ['/a~1b', { line: 2, column: 2 }],
      ['/a~1b/0', { line: 3, column: 3 }],
    ]);
  });

  it('reads what JSON.parse reads, and nothing else', () => {
    const folder = new URL('../../../shared/data/json-parsing-nst/', import.meta.url);
    const names = listJson(fileURLToPath(folder));
    for (const path of names) {
      const text = readFileSync(path, 'utf8');
      const reading = readJsonText(text);
      const expected = attempt(() => JSON.parse(text));
      if (expected === undefined) expect('problem' in reading, path).toBe(true);
      // Keys that appear twice and depth beyond reason are refused on purpose.
      else if ('document' in reading) expect(reading.document.value, path).toEqual(expected);
      else expect(reading.problem.message, path).toMatch(/twice|too deeply/);
    }
  });
});

function listJson(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map((entry) => `${entry.parentPath}/${entry.name}`);
  } catch {
    return []; // the data is not at hand
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

describe('schemas and tools', () => {
  it('take the samples', () => {
    for (const text of Object.values(schemaSamples)) expect(readSchema(text)).toHaveProperty('value');
    for (const text of Object.values(toolSamples)) expect(readTools(text)).toHaveProperty('value');
    expect(readTools('  ')).toEqual({ value: [] });
  });

  it('name what is wrong, with its line', () => {
    const text = '{\n "type": "object",\n "properties": {\n  "a": {"type": "text"}\n }\n}';
    expect(readSchema(text)).toMatchObject({
      problem: { line: 4, message: expect.stringMatching(/“type” must/) },
    });
    expect(checkSchema({ items: [true] })?.message).toMatch(/A schema is an object/);
    expect(checkSchema({ pattern: '(' })?.message).toMatch(/regular expression/);
    expect(checkSchema({ $ref: '#/$defs/none' })?.message).toMatch(/nowhere/);
    expect(checkSchema({ $defs: { 'a/b': true }, $ref: '#/$defs/a~1b' })).toBe(null);
    expect(checkSchema({ anyOf: [] })?.path).toEqual(['anyOf']);
    expect(readSchema('true')).toMatchObject({ problem: { message: expect.stringMatching(/object/) } });
    const tool = { type: 'function', function: { name: 'f' } };
    expect(readTools(JSON.stringify([tool, tool], null, 1))).toMatchObject({ problem: { line: 11 } });
    expect(readTools('{}')).toHaveProperty('problem');
    expect(readTools('[null]')).toHaveProperty('problem');
  });

  it('read token biases', () => {
    expect(readLogitBias('1: -100, 2:0.5\n\n"3": 7')).toEqual({ value: { 1: -100, 2: 0.5, 3: 7 } });
    expect(readLogitBias('1: 5\nx')).toMatchObject({ problem: { line: 2 } });
    expect(readLogitBias('1: 101')).toHaveProperty('problem');
  });
});

describe('toRequest', () => {
  const conversation = [{ role: 'user' as const, content: 'Hi' }];
  const checker = Compile(ChatRequest);

  it('names only what differs from the API’s defaults', () => {
    const request = toChatRequest({ ...defaultParameters, maxTokens: 256 }, conversation);
    expect(request).toEqual({ model: 'svc-lingua-7b', messages: conversation });
  });

  it('sends everything that is set, as the schema wants it', () => {
    const parameters = {
      ...defaultParameters,
      system: ' Be brief. ',
      temperature: 0,
      topP: 0.9,
      topK: 40,
      minP: 0.05,
      presencePenalty: 1,
      frequencyPenalty: -1,
      seed: 7,
      stop: ['END'],
      choices: 2,
      logitBias: '5: -1',
      logprobs: true,
      format: 'json_schema' as const,
      schema: schemaSamples.verdict,
      tools: toolSamples.both,
      toolChoice: 'get_weather',
      parallelToolCalls: false,
    };
    const request = toChatRequest(parameters, conversation);
    expect(checker.Check(request)).toBe(true);
    expect(request).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief.' }, ...conversation],
      max_tokens: 1024,
      min_p: 0.05,
      n: 2,
      logit_bias: { 5: -1 },
      top_logprobs: 5,
      response_format: { json_schema: { strict: true } },
      tool_choice: { function: { name: 'get_weather' } },
      parallel_tool_calls: false,
    });
    expect(findProblems(parameters)).toEqual({});
  });

  it('says which texts keep it from being sent', () => {
    const broken = {
      ...defaultParameters,
      format: 'json_schema' as const,
      schema: '{',
      tools: '[',
      logitBias: 'x',
    };
    expect(Object.keys(findProblems(broken)).toSorted()).toEqual(['logitBias', 'schema', 'tools']);
    expect(findProblems({ ...broken, format: 'text', tools: '', logitBias: '' })).toEqual({});
  });
});

describe('kept and exported', () => {
  const kept = {
    tree: addMessage(emptyTree, '', user('First line\nsecond')).tree,
    parameters: defaultParameters,
    pack: 'p@1',
  };

  it('comes back as it was, and not from another version', () => {
    expect(fromContent(toContent(kept))).toEqual(kept);
    expect(fromContent(JSON.stringify({ version: 99 }))).toBe(null);
    expect(conversationTitle(kept.tree)).toBe('First line');
    expect(conversationTitle(addMessage(emptyTree, '', user('x'.repeat(200))).tree)).toHaveLength(80);
  });

  it('passes over parameters that do not fit', () => {
    const odd = { temperature: 'hot', seed: 3, stop: [1], unknown: 1, system: 'S' };
    expect(toParameters(odd)).toEqual({ ...defaultParameters, seed: 3, system: 'S' });
    expect(toParameters(null)).toBe(defaultParameters);
  });

  it('is Markdown whose fences hold whatever is in them', () => {
    const calls = [{ id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{"a":"```"}' } }];
    let tree = addMessage(kept.tree, 'm1', { ...assistant('Answer'), toolCalls: calls }).tree;
    tree = addMessage(tree, 'm2', { role: 'tool', content: '42', toolCallId: 'c' }).tree;
    const text = toMarkdown('T', 'S', shownPath(tree));
    expect(text).toContain('# T\n\n## System\n\nS\n\n## You\n\nFirst line\nsecond\n\n## Assistant\n\nAnswer');
    expect(text).toContain('````json\n{"a":"```"}\n````');
    expect(text).toContain('## Tool result\n\n```\n42\n```');
    const request = toChatRequest(defaultParameters, [{ role: 'user', content: 'x' }]);
    expect(JSON.parse(toJson('T', request, shownPath(tree)))).toMatchObject({
      title: 'T',
      request,
      answers: [],
    });
    expect(toFileName('Apa khabar? 你好!')).toBe('apa-khabar-你好');
    expect(toFileName('///')).toBe('conversation');
  });
});
