/** The shipped starter at what newcomers try first: functions and their results, objects, greetings, roles, currencies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatMessage, Tool } from '../../../../server/api/services/chat.ts';
import type { Engine } from '../../../../server/engine/engine.ts';
import { say } from '../../../bench/chat-quality/asking.ts';
import { openStarter } from '../../../support/chat/open-starter.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

let engine: Engine<'chat'>;

beforeAll(async () => {
  engine = await openStarter();
});
afterAll(() => engine?.close());

const string = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };
const schemaOf = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const toolOf = (name: string, description: string, properties: object): Tool => ({
  type: 'function',
  function: { name, description, parameters: schemaOf(properties) },
});
const user = (content: string): ChatMessage => ({ role: 'user', content });
const textOf = async (...messages: ChatMessage[]) => (await say(engine, { messages })).text;

describe('what a function gave back', () => {
  const tools = [toolOf('look_up', 'Looks something up', { what: string })];
  const round = async (question: string, result: string) => {
    const call = { name: 'look_up', arguments: '{"what":"it"}' };
    const messages: ChatMessage[] = [
      user(question),
      { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: call }] },
      { role: 'tool', tool_call_id: 'call_1', content: result },
    ];
    return (await say(engine, { messages, tools, toolChoice: { mode: 'auto' } })).text;
  };

  test.each(['How much is 1000 SGD in MYR?', 'Berapa 315 USD dalam ringgit?', '315美元是多少马币？'])(
    '%s',
    async (question) =>
      expect(await round(question, '{"result":1482.50,"currency":"MYR"}')).toMatch(
        /^(?:1482\.50 MYR|result: 1482\.50, currency: MYR)$/,
      ),
  );

  const flights = '[{"flight":"AK123","price":140},{"flight":"MH11","price":89}]';
  test.each([
    ['What is the weather in Ipoh?', 'Sunny, 31 degrees', 'Sunny, 31 degrees'],
    ['Find flights to Penang', flights, 'flight: AK123, price: 140\nflight: MH11, price: 89'],
    ['Which flight is the cheapest?', flights, 'MH11'],
    ['Weather in Ipoh?', '{"error":"city not found"}', 'The function reports an error: city not found'],
    ['Cuaca di Ipoh?', 'Error: timeout after 30s', 'Fungsi itu melaporkan ralat: timeout after 30s'],
    ['Weather in Ipoh?', '{}', 'The function gave no result.'],
    ['Send it to Ali', '{"status":"sent","id":991}', 'status: sent, id: 991'],
  ])('%s %s', async (question, result, answer) => expect(await round(question, result)).toBe(answer));
});

describe('a call that must be made', () => {
  const forced = async (content: string, properties: object) => {
    const tools = [toolOf('book_room', 'Books a room', properties)];
    const { calls } = await say(engine, {
      messages: [user(content)],
      tools,
      toolChoice: { mode: 'function', name: 'book_room' },
    });
    return calls.map((call) => JSON.parse(call.arguments));
  };

  test('has the smallest values for arguments that nobody told', async () => {
    expect(await forced('hello', { hours: integer })).toEqual([{ hours: 0 }]);
    expect(
      await forced('hello', {
        hours: { type: 'integer', minimum: 1 },
        name: string,
        day: { type: 'string', format: 'date' },
        price: { type: ['number', 'null'] },
      }),
    ).toEqual([{ hours: 1, name: '', day: '1970-01-01', price: null }]);
  });

  test('has those that are told', async () =>
    expect(await forced('for 3 hours please', { hours: integer })).toEqual([{ hours: 3 }]));
});

test.each([
  ['name Tom, age 3', { name: 'Tom', age: 3 }],
  ['Return JSON: name is Tom, age is 3', { name: 'Tom', age: 3 }],
  ['nama Ali, umur 12, bandar Ipoh', { nama: 'Ali', umur: 12, bandar: 'Ipoh' }],
  ['姓名：王伟，年龄：30，用JSON返回', { 姓名: '王伟', 年龄: 30 }],
  [
    'Company: Smith and Sons\nAddress: 3 Jalan Ampang, Ipoh',
    { Company: 'Smith and Sons', Address: '3 Jalan Ampang, Ipoh' },
  ],
  ['Reply in JSON with keys name and age: My brother Tom is 3 years old.', { name: 'Tom', age: 3 }],
  ['hello', {}],
])('an object without a schema: %s', async (content, object) => {
  const { text } = await say(engine, { messages: [user(content)], format: { type: 'json_object' } });
  expect(JSON.parse(text)).toEqual(object);
});

describe('what is no reading task', () => {
  const { en, ms, zh } = settings.answers;
  test.each([
    ['Draft an email to Ali about a meeting on Friday', en.other],
    ['Can I sue my neighbour?', en.other],
    ['What is seventeen plus twenty-five?', en.other],
    ['xkqjz', en.other],
    ['Tulis surat rasmi kepada pengetua', ms.other],
    ['Bolehkah saya menyaman jiran saya?', ms.other],
    ['我可以起诉邻居吗？', zh.other],
    ['hello', en.greeting],
    ['What can you do?', en.skills],
  ])('%s', async (content, answer) => expect(await textOf(user(content))).toBe(answer));

  test.each([
    ['Thanks!', en.thanks],
    ['ok bye', en.farewell],
    ['terima kasih', ms.thanks],
    ['谢谢你', zh.thanks],
  ])('behind an answer: %s', async (content, answer) =>
    expect(
      await textOf(
        user('The library opens at 10 am on Saturdays and closes at 6 pm.\n\nWhen does it open?'),
        { role: 'assistant', content: '10 am' },
        user(content),
      ),
    ).toBe(answer),
  );
});

test.each([
  ['May members borrow books? Answer with yes or no only.', /^(?:Yes|No)$/],
  ['Does the library open on Saturdays? In one word.', /^(?:Yes|No)$/],
  ['May members borrow books?', /^(?:Yes|No) \(/],
])('nothing beside yes or no where that is asked for: %s', async (question, answer) =>
  expect(
    await textOf(
      user(
        `The library opens at 10 am on Saturdays and closes at 6 pm. Members may borrow six books.\n\n${question}`,
      ),
    ),
  ).toMatch(answer),
);

test.each([
  [
    'Agreement between Ravi Kumar (landlord) and Mei Ling Tan (tenant). The rent is RM 1,800.',
    'Mei Ling Tan',
  ],
  ['The lease was signed by Ravi Kumar as landlord and by Mei Ling Tan as tenant in May.', 'Mei Ling Tan'],
  [
    'Made between Ravi Kumar, hereinafter the Landlord, and Mei Ling Tan, hereinafter the Tenant.',
    'Mei Ling Tan',
  ],
])('a role beside a name: %s', async (text, name) =>
  expect(await textOf(user(`${text}\n\nWho is the tenant?`))).toBe(name),
);

test.each([
  '甲方（出租人）王建国与乙方（承租人）刘芳签订租房合同，月租4,800元，押金9,600元。',
  '本合同由房东王建国（甲方）与刘芳（租客）签订，租金每月4,800元。',
  '甲方王建国（房东）与乙方刘芳（租客）约定每月租金4，800元。',
])('%s', async (content) => {
  const schema = schemaOf({ landlord: string, tenant: string, rent: number });
  const format = { type: 'json_schema' as const, schema, strict: true };
  const { text } = await say(engine, { messages: [user(content)], format });
  expect(JSON.parse(text)).toEqual({ landlord: '王建国', tenant: '刘芳', rent: 4800 });
});

describe('currencies by name', () => {
  const called = async (content: string, from: object, to: object) => {
    const tools = [toolOf('convert_currency', 'Converts an amount', { amount: number, from, to })];
    const { calls } = await say(engine, { messages: [user(content)], tools, toolChoice: { mode: 'auto' } });
    return calls.map((call) => JSON.parse(call.arguments));
  };
  const code = { type: 'string', description: 'ISO code, e.g. USD' };
  const listed = { type: 'string', enum: ['USD', 'MYR', 'GBP', 'JPY', 'CNY'] };

  test.each([
    ['Tukar RM 100 kepada dolar AS', { amount: 100, from: 'MYR', to: 'USD' }],
    ['Convert 250 pounds to ringgit', { amount: 250, from: 'GBP', to: 'MYR' }],
    ['把100美元换成日元', { amount: 100, from: 'USD', to: 'JPY' }],
  ])('are codes where codes are asked for: %s', async (content, given) => {
    expect(await called(content, code, code)).toEqual([given]);
    expect(await called(content, listed, listed)).toEqual([given]);
  });

  test('are words elsewhere', async () =>
    expect(await called('Tukar RM 100 kepada dolar AS', string, string)).toEqual([
      { amount: 100, from: 'RM', to: 'dolar AS' },
    ]));
});
