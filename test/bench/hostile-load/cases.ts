/** The worst requests known: schemas, patterns, bodies and files that cost far more to read than to write. */
import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

export interface Case {
  name: string;
  path: string;
  body: () => string;
}

const numbers = (count: number): number[] => [...Array(count).keys()];
const chat = (rest: object): string =>
  JSON.stringify({
    model: 'svc-lingua-7b',
    messages: [{ role: 'user', content: 'hi' }],
    max_tokens: 16,
    ...rest,
  });

export function hostileCases(samples: URL): Case[] {
  return [...schemaCases(), ...bodyCases(), ...textCases(), ...fileCases(samples)];
}

function schemaCases(): Case[] {
  return Object.entries(schemas()).flatMap(([name, schema]) => {
    const json_schema = { name: 'x', schema };
    const tool = { type: 'function', function: { name: 'f', parameters: schema } };
    return [
      {
        name: `schema: ${name}`,
        path: '/v1/chat/completions',
        body: () => chat({ response_format: { type: 'json_schema', json_schema } }),
      },
      {
        name: `tool: ${name}`,
        path: '/v1/chat/completions',
        body: () => chat({ tools: [tool], tool_choice: 'required' }),
      },
    ];
  });
}

const objectOf = (a: object): object => ({
  type: 'object',
  properties: { a },
  required: ['a'],
  additionalProperties: false,
});

function schemas(): Record<string, object> {
  const all: Record<string, object> = {};
  for (const n of [10, 40, 100, 500]) {
    const values = numbers(n);
    all[`${n} unique items of ${n}`] = objectOf({
      type: 'array',
      items: { enum: values },
      uniqueItems: true,
      minItems: n - 1,
    });
    all[`${n} required properties`] = {
      type: 'object',
      properties: Object.fromEntries(values.map((index) => [`p${index}`, { type: 'string' }])),
      required: values.map((index) => `p${index}`),
    };
    all[`${n} optional properties`] = objectOf({
      type: 'object',
      properties: Object.fromEntries(values.map((index) => [`p${index}`, { enum: values }])),
    });
    all[`product of ${n} choices`] = objectOf({
      allOf: numbers(Math.min(n, 60)).map((index) => ({
        anyOf: [{ multipleOf: index + 2 }, { type: 'string', minLength: index }],
      })),
    });
    all[`${n} contained`] = objectOf({
      type: 'array',
      contains: { const: 1 },
      minContains: n,
      maxItems: n + 1,
    });
    all[`at least ${n}000 characters`] = objectOf({ type: 'string', minLength: n * 1000 });
    all[`pattern repeated ${n} times`] = objectOf({ type: 'string', pattern: `^(a|b|ab){1,${n}}c{${n}}$` });
    all[`pattern of ${n} alternatives`] = objectOf({
      type: 'string',
      pattern: `^(${values.map((index) => `(x+)*${index}`).join('|')})$`,
    });
    all[`patterns of ${n} properties`] = objectOf({
      type: 'object',
      patternProperties: Object.fromEntries(
        numbers(Math.min(n, 50)).map((index) => [`^(a|b)*${index}`, { type: 'integer' }]),
      ),
      minProperties: Math.min(n, 50),
    });
    all[`not, ${n} deep`] = objectOf(
      numbers(Math.min(n, 90)).reduce<object>(
        (inner) => ({ not: { allOf: [inner, { type: 'string' }] } }),
        {},
      ),
    );
    all[`items of items, ${n} deep`] = numbers(Math.min(n, 100)).reduce<object>(
      (items) => ({ type: 'array', minItems: 2, items }),
      { type: 'null' },
    );
    const depth = Math.min(n, 40);
    const next = (index: number) => ({ $ref: `#/$defs/d${index}` });
    all[`tree of ${n} references`] = {
      $defs: Object.fromEntries([
        ['d0', { type: 'string', maxLength: 3 }],
        ...numbers(depth).map((index) => [
          `d${index + 1}`,
          {
            allOf: [{ anyOf: [next(index), { type: 'number' }] }, { oneOf: [next(index), { type: 'null' }] }],
          },
        ]),
      ]),
      $ref: `#/$defs/d${depth}`,
    };
  }
  for (const pattern of [
    '^(a+)+$',
    '^(a|aa)+b$',
    '^([a-z]+)*\\\\d$',
    '(.*a){20}',
    '^(?:a{0,50}){0,50}$',
    '[\\\\s\\\\S]{1000,}',
  ])
    all[`pattern ${pattern}`] = objectOf({ type: 'string', pattern });
  for (const multipleOf of [0.0001, 0.000001, 1e-9, 7919, 1e15 + 1])
    all[`multiples of ${multipleOf}`] = objectOf({ type: 'number', multipleOf, minimum: 0.5 });
  return all;
}

function bodyCases(): Case[] {
  const properties = (count: number) => Object.fromEntries(numbers(count).map((index) => [`k${index}`, 1]));
  const bodies: Record<string, () => object> = {
    'a million properties': () => ({ ...properties(1_000_000) }),
    '4,000 properties, 200 times': () => ({ input: numbers(200).map(() => properties(240)) }),
    'a million values': () => ({ input: Array(1_000_000).fill(1) }),
    'a text of seven megabytes': () => ({
      input: 'a '.repeat(3_500_000),
      messages: [{ role: 'user', content: 'a '.repeat(3_400_000) }],
    }),
    'escapes of seven megabytes': () => ({ input: '\u0000'.repeat(1_100_000) }),
    'sixty thousand nestings': () => ({
      input: numbers(60_000).reduce<unknown>((inner) => [inner], 0) as object,
    }),
    'metadata of 4,000': () => ({ metadata: properties(4_000), messages: [{ role: 'user', content: 'a' }] }),
    'a bias of 4,000': () => ({
      logit_bias: Object.fromEntries(numbers(4_000).map((id) => [id, -100])),
      messages: [{ role: 'user', content: 'a' }],
      max_tokens: 8,
    }),
    '4,096 messages': () => ({ messages: numbers(4_096).map(() => ({ role: 'user', content: 'a' })) }),
    '128 tools': () => ({
      messages: [{ role: 'user', content: 'a' }],
      tools: numbers(128).map((index) => ({
        type: 'function',
        function: {
          name: `f${index}`,
          parameters: objectOf({ type: 'string', pattern: `^(a|b)*${index}$` }),
        },
      })),
      max_tokens: 8,
    }),
    'eight choices of the whole window': () => ({
      messages: [{ role: 'user', content: 'a' }],
      n: 8,
      max_tokens: 1_900,
    }),
  };
  const models: [string, string][] = [
    ['/v1/chat/completions', 'svc-lingua-7b'],
    ['/v1/embeddings', 'svc-embed-base'],
    ['/v1/moderations', 'svc-shield-base'],
  ];
  return Object.entries(bodies).flatMap(([name, body]) =>
    models.map(([path, model]) => ({
      name: `body: ${name} to ${path}`,
      path,
      body: () => (name === 'sixty thousand nestings' ? nested(model) : JSON.stringify({ model, ...body() })),
    })),
  );
}

const nested = (model: string): string =>
  `{"model":"${model}","input":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;

function textCases(): Case[] {
  const texts: Record<string, string> = {
    'one letter': 'a'.repeat(32_000),
    'opening brackets': '('.repeat(32_000),
    'an address without end': `http://${'a.'.repeat(15_000)}`,
    'dots and at signs': '@.'.repeat(16_000),
    digits: '1234567890'.repeat(3_200),
    'encoded percent signs': '%25'.repeat(10_600),
    'a thousand requests': 'GET /?q=%27+UNION+SELECT+1-- HTTP/1.1\n'.repeat(800),
    'key=value': 'key=value '.repeat(3_200),
    'half JSON': '{"a":'.repeat(6_000),
    'half XML': '<a b="'.repeat(5_000),
    han: '好'.repeat(10_900),
    'line breaks': '\n'.repeat(32_000),
  };
  return Object.entries(texts).flatMap(([name, text]) => [
    ...['svc-shield-base', 'svc-guard-max'].map((model) => ({
      name: `${model}: ${name}`,
      path: '/v1/moderations',
      body: () => JSON.stringify({ model, input: Array(8).fill(text) }),
    })),
    {
      name: `svc-embed-base: ${name}`,
      path: '/v1/embeddings',
      body: () => JSON.stringify({ model: 'svc-embed-base', input: Array(96).fill(text.slice(0, 1_500)) }),
    },
  ]);
}

function fileCases(samples: URL): Case[] {
  const pdf = readFileSync(new URL('invoice.pdf', samples));
  const parse = (name: string, bytes: () => Buffer): Case => ({
    name: `document: ${name}`,
    path: '/v1/documents/parse',
    body: () => JSON.stringify({ model: 'svc-parse-pro', file: bytes().toString('base64') }),
  });
  const look = (name: string, bytes: () => Buffer): Case => ({
    name: `image: ${name}`,
    path: '/v1/images/analyze',
    body: () => JSON.stringify({ image: bytes().toString('base64') }),
  });
  return [
    ...numbers(16).map((seed) => parse(`damaged ${seed}`, () => damaged(pdf, seed))),
    parse('400,000 text operators', () => drawnPdf('BT /F1 9 Tf 10 10 Td (a) Tj ET\n'.repeat(400_000))),
    parse('a million lines', () => drawnPdf('0 0 m 500 500 l S\n'.repeat(1_000_000))),
    parse('nothing of 40 MB', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(40e6, 0x20)])),
    ...[4_096, 30_000, 65_535].map((side) => look(`${side} pixels a side`, () => blankPng(side))),
    ...numbers(8).map((seed) => look(`damaged ${seed}`, () => damaged(blankPng(512), seed))),
  ];
}

/** Some bytes changed, the same ones for one seed. */
function damaged(file: Buffer, seed: number): Buffer {
  const copy = Buffer.from(file);
  let state = seed + 1;
  for (let count = 0; count < 20; count += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    copy[state % copy.length] = state >>> 24;
  }
  return copy;
}

function drawnPdf(content: string): Buffer {
  const stream = deflateSync(content);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    null,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  for (const [index, object] of objects.entries()) {
    parts.push(Buffer.from(`${index + 1} 0 obj\n`));
    if (object !== null) parts.push(Buffer.from(object));
    else {
      parts.push(Buffer.from(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`), stream);
      parts.push(Buffer.from('\nendstream'));
    }
    parts.push(Buffer.from('\nendobj\n'));
  }
  parts.push(Buffer.from('trailer << /Root 1 0 R /Size 6 >>\n%%EOF'));
  return Buffer.concat(parts);
}

/** A gray picture whose rows compress to nearly nothing. */
export function blankPng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 8;
  const rows = Math.min(side, 4_096);
  const pixels = deflateSync(Buffer.alloc((side + 1) * rows));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
