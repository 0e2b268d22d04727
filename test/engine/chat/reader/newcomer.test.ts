/** The shipped starter where a text tells little: nothing is made up, nothing forbidden is called, names come from the instruction. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatMessage, Tool } from '../../../../server/api/services/chat.ts';
import type { Engine } from '../../../../server/engine/engine.ts';
import { say } from '../../../bench/chat-quality/asking.ts';
import { fillStrict } from '../../../support/chat/fill-strict.ts';
import { openStarter } from '../../../support/chat/open-starter.ts';

let engine: Engine<'chat'>;

beforeAll(async () => {
  engine = await openStarter();
});
afterAll(() => engine?.close());

const messagesOf = (content: string, system?: string): ChatMessage[] => [
  ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
  { role: 'user', content },
];

const string = { type: 'string' };
const number = { type: 'number' };

describe('objects', () => {
  const filled = (content: string, properties: Record<string, object>) =>
    fillStrict(engine, content, properties);

  test('names stand without what leads to them, numbers without what they are of', async () =>
    expect(
      await filled('Gate C14. Saya Lim Mei Hua, tiada bagasi.', {
        gate: string,
        nama: string,
        bagasi: { type: 'integer' },
      }),
    ).toEqual({ gate: 'C14', nama: 'Lim Mei Hua', bagasi: 0 }));

  test('what is said to be none is null', async () =>
    expect(
      await filled('Support: none. The driver was unhurt.', {
        support: { type: ['string', 'null'] },
        injured: { type: 'boolean' },
      }),
    ).toEqual({ support: null, injured: false }));
});

describe('functions', () => {
  const tool = (name: string, description: string, properties: object): Tool => ({
    type: 'function',
    function: {
      name,
      description,
      parameters: { type: 'object', properties, required: Object.keys(properties) },
    },
  });
  const tools = [
    tool('send_email', 'Send an email', { to: string, subject: string }),
    tool('transfer', 'Transfer money to an account', { amount: number, account: string }),
  ];
  const said = (content: string) =>
    say(engine, { messages: messagesOf(content), tools, toolChoice: { mode: 'auto' } });

  test.each([
    ['Email ali@example.com with the subject Budget 2026', 'ali@example.com', 'Budget 2026'],
    ['Send an email to ali@example.com about Budget 2026', 'ali@example.com', 'Budget 2026'],
    ['Send an email titled Annual Report Draft 3 to sam@x.org', 'sam@x.org', 'Annual Report Draft 3'],
    ['发一封邮件给li.na@corp.cn，主题是“年会安排”', 'li.na@corp.cn', '年会安排'],
  ])('%s', async (content, to, subject) => {
    const { calls } = await said(content);
    expect(calls.map((call) => JSON.parse(call.arguments))).toEqual([{ to, subject }]);
  });

  test.each([
    'Do not transfer anything, I only want to know how transfers work.',
    'Jangan pindahkan 100 ke akaun 8899.',
    '别给账户 8899 转账 100 元。',
  ])('not called: %s', async (content) => {
    const { calls, text } = await said(content);
    expect(calls).toEqual([]);
    expect(text).not.toBe('');
  });

  test('a negation elsewhere forbids nothing', async () =>
    expect((await said("Don't forget to transfer 50 to account 1234.")).calls).toHaveLength(1));

  test('an argument that nobody said is asked for', async () => {
    expect(await said('Transfer 200 ringgit.')).toMatchObject({
      calls: [],
      text: 'The request does not say: account',
    });
    expect((await said('Please pay into account 7788.')).calls).toEqual([]);
    expect((await said('Transfer some money please.')).text).toBe(
      'The request does not say: amount, account',
    );
  });
});

describe('fields', () => {
  const filled = (content: string, properties: object) => fillStrict(engine, content, properties);

  test('that nobody told are empty', async () => {
    expect(
      await filled('Hello, this text has no data.', { name: string, city: string, total: number }),
    ).toEqual({ name: '', city: '', total: 0 });
    expect(await filled('My name is Farah Aziz.', { name: string, age: { type: 'integer' } })).toEqual({
      name: 'Farah Aziz',
      age: 0,
    });
  });

  const items = {
    type: 'array',
    items: {
      type: 'object',
      properties: { name: string, price: number },
      required: ['name', 'price'],
      additionalProperties: false,
    },
  };

  test('a sentence that counts up things', async () => {
    expect(
      await filled(
        'Kedai Ali sold 2 items on 3 May 2026: rice for RM 25.90 and oil for RM 8.50. Paid in cash.',
        { vendor: string, items, paid: { type: 'boolean' } },
      ),
    ).toEqual({
      vendor: 'Kedai Ali',
      items: [
        { name: 'rice', price: 25.9 },
        { name: 'oil', price: 8.5 },
      ],
      paid: true,
    });
    expect(await filled('购买了苹果12元、牛奶8.5元和面包6元。', { items })).toEqual({
      items: [
        { name: '苹果', price: 12 },
        { name: '牛奶', price: 8.5 },
        { name: '面包', price: 6 },
      ],
    });
  });

  test('whether it is paid', async () => {
    const paid = { type: 'boolean' };
    expect(await filled('Bil belum dibayar.', { paid })).toEqual({ paid: false });
    expect(await filled('尚未付款，共12元。', { paid })).toEqual({ paid: false });
  });
});

describe('names of an instruction', () => {
  test.each([
    [
      'Classify the sentiment as positive or negative: The food was cold and the waiter was rude.',
      'negative',
    ],
    ['Is this review positive or negative? The hotel was not clean and not comfortable.', 'negative'],
    ['Klasifikasikan sentimen sebagai positif atau negatif: Makanan sejuk dan pelayan biadab.', 'negatif'],
    ['这条评论是正面还是负面？\n\n物流很快，质量很好，非常满意！', '正面'],
    ['Classify the topic as sports, politics or technology: The team won the league match.', 'sports'],
    ['Classify as urgent or not urgent: Whenever you have time next month, update the logo.', 'not urgent'],
  ])('%s', async (content, option) =>
    expect((await say(engine, { messages: messagesOf(content) })).text).toBe(option),
  );

  test('from the system', async () =>
    expect(
      await say(engine, {
        messages: messagesOf(
          'The delivery arrived on time and everything works.',
          'Classify the sentiment of the message as positive or negative.',
        ),
      }),
    ).toMatchObject({ text: 'positive' }));

  test('nothing tells which', async () =>
    expect(
      await say(engine, { messages: messagesOf('Classify as positive or negative: The sky is above.') }),
    ).toMatchObject({ text: 'The text does not tell which one fits.' }));
});

describe('schemas as SDKs write them', () => {
  const fill = async (content: string, schema: object) =>
    JSON.parse(
      (
        await say(engine, {
          messages: messagesOf(content),
          format: { type: 'json_schema', schema: schema as Record<string, unknown>, strict: true },
        })
      ).text,
    );
  const strict = (properties: object) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });

  test('references and optional fields are read, and nothing is made up', async () => {
    const optional = { anyOf: [{ type: 'integer' }, { type: 'null' }] };
    const schema = {
      ...strict({ person: { $ref: '#/$defs/P' }, age: optional }),
      $defs: { P: strict({ name: string }) },
    };
    expect(await fill('Name: Ali', schema)).toEqual({ person: { name: 'Ali' }, age: null });
  });

  test.each([
    strict({ fruits: { type: 'array', items: string, minItems: 3, maxItems: 3 } }),
    strict({ fruits: { type: 'array', items: string } }),
    { type: 'array', items: string },
  ])('a list behind a colon is whole: %j', async (schema) => {
    const value = await fill('Fruits: apple, banana, cherry', schema);
    expect(Array.isArray(value) ? value : value.fruits).toEqual(['apple', 'banana', 'cherry']);
  });
});

describe('examples of other people’s documentation', () => {
  const strict = (properties: object) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const fill = async (content: string, properties: object) => {
    const format = { type: 'json_schema' as const, schema: strict(properties), strict: true };
    return JSON.parse((await say(engine, { messages: messagesOf(content), format })).text);
  };
  const call = async (content: string, name: string, properties: object, required: string[]) => {
    const parameters = { type: 'object', properties, required };
    const tools: Tool[] = [{ type: 'function', function: { name, description: '', parameters } }];
    const { calls } = await say(engine, {
      messages: messagesOf(content),
      tools,
      toolChoice: { mode: 'required' },
    });
    return calls.map((each) => JSON.parse(each.arguments));
  };

  test('things that sentences name are objects each', async () => {
    const { pets } = await fill(
      'I have two pets. A cat named Luna who is 5 years old and loves playing with yarn. I also have a 2 year old dog named Loki.',
      { pets: { type: 'array', items: strict({ name: string, age: { type: 'integer' } }) } },
    );
    expect(pets).toEqual([
      { name: 'Luna', age: 5 },
      { name: 'Loki', age: 2 },
    ]);
  });

  test('nothing is made up where a question has no text', async () => {
    const { languages, steps } = await fill('Tell me about Canada.', {
      name: string,
      capital: string,
      languages: { type: 'array', items: string },
      steps: { type: 'array', items: strict({ explanation: string }) },
    });
    expect([languages, steps]).toEqual([[], []]);
  });

  test('a name before a comma is whole', async () =>
    expect((await fill('Extract: John Doe, 35, lives in Berlin.', { name: string, city: string })).name).toBe(
      'John Doe',
    ));

  test('a word of an enumeration is no place', async () => {
    const unit = { type: 'string', enum: ['celsius', 'fahrenheit'] };
    expect(
      await call(
        "what's the weather in San Francisco in celsius?",
        'get_weather',
        { location: string, unit },
        ['location'],
      ),
    ).toEqual([{ location: 'San Francisco', unit: 'celsius' }]);
  });

  test.each([
    ['turn off the lights in the kitchen', false],
    ['switch the lights in the kitchen on', true],
  ])('%s', async (content, on) => {
    const [made] = await call(content, 'set_lights', { room: string, on: { type: 'boolean' } }, [
      'room',
      'on',
    ]);
    expect(made).toEqual({ room: 'kitchen', on });
  });
});

describe('first questions', () => {
  const answer = async (content: string) => (await say(engine, { messages: messagesOf(content) })).text;

  test.each([
    ['Extract the email address: contact ali at ali@example.com for info', 'ali@example.com'],
    ['Find all email addresses in: a@x.com wrote to b@y.org and c@z.net.', 'a@x.com\nb@y.org\nc@z.net'],
    ['Extract all dates: It began on 3 March 2024 and lasts until 31.12.2026.', '3 March 2024\n31.12.2026'],
    ['The clinic opens at 8 am. Call 082-445566 to book.\n\nGive me the phone number only.', '082-445566'],
    ['Ekstrak alamat emel: hubungi ali di ali@contoh.my untuk maklumat', 'ali@contoh.my'],
    ['What is in this picture?\n\n<picture>\nPicture: A red disc.\n</picture>', 'A red disc.'],
    ['<picture>\nPicture: A red disc.\n</picture>\n\n这张图片里有什么？', 'A red disc.'],
    ['What is in this picture?\n\n<picture>\nText: 3 < 5\n</picture>', '3 < 5'],
    [
      'Find all email addresses in the text below.\n\na@x.com wrote to b@y.org and then to c@z.net.',
      'a@x.com\nb@y.org\nc@z.net',
    ],
    ['Write down the date.\n\nThe meeting is on 3 May 2026 in room 4. Tom brings the slides.', '3 May 2026'],
  ])('%s', async (content, expected) => expect(await answer(content)).toBe(expected));

  test.each(['Hi there, who are you?', '你好，你是谁？', 'Hello! What is your name?'])(
    '%s is answered as without the greeting',
    async (content) => expect(await answer(content)).toMatch(/starter model of Lokal|Lokal 的入门模型/u),
  );

  test.each(['Translate this to Malay.', 'Write a polite reply to it.', '把它翻译成英文。'])(
    'what is to be written is refused: %s',
    async (order) =>
      expect(await answer(`The office moves on 3 May. The phone number stays the same.\n\n${order}`)).toMatch(
        /do not write|不会写作/u,
      ),
  );

  test('all of a kind is not what somebody has of it', async () =>
    expect(
      await answer(
        'Find the email address of Tom.\n\nTom writes from tom@a.com. Ann runs the shop: ann@b.com.',
      ),
    ).not.toContain('ann@b.com'));

  test.each([
    ['Write a summary of this text.', 'The shop moves on 3 May. The phone number stays the same.'],
    ['写一个摘要：', '商店五月三日搬迁到新址。电话号码不变，停车场在楼后。'],
  ])('a summary may be written: %s', async (order, text) =>
    expect(text).toContain((await answer(`${order}\n\n${text}`)).slice(0, 8)),
  );

  test('a summary of three sentences leaves one out', async () => {
    const text = 'The shop moves on 3 May. The phone number stays the same. Parking is behind the building.';
    const said = await answer(`Summarize this:\n\n${text}`);
    expect(said.length).toBeLessThan(text.length);
    expect(said).toContain('3 May');
  });

  test('keys named behind “JSON with” are filled', async () => {
    const { text } = await say(engine, {
      messages: messagesOf('Give me JSON with the name, age and city from: Ali is 5 and lives in Muar.'),
      format: { type: 'json_object' },
    });
    expect(JSON.parse(text)).toEqual({ name: 'Ali', age: 5, city: 'Muar' });
  });
});
