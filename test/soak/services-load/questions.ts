/** Requests of every service whose answers are the same each time, but for ids and times. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';

export interface Question {
  name: string;
  service: string;
  path: string;
  body: Record<string, unknown>;
}

const samples = new URL('../../../renderer/public/samples/', import.meta.url);
const base64 = (sample: string): string => readFileSync(new URL(sample, samples)).toString('base64');

const log = [
  '203.0.113.9 - - [01/May/2026:10:00:00 +0000] "GET /?id=1+UNION+SELECT+password+FROM+users HTTP/1.1" 200 512',
  '198.51.100.7 - - [01/May/2026:10:00:01 +0000] "GET /index.html HTTP/1.1" 200 1024',
].join('\n');

export async function questions(): Promise<Question[]> {
  const picture = await sharp(Buffer.from(scene)).png().toBuffer();
  const chat = (rest: object): Question['body'] => ({ model: 'svc-lingua-7b', temperature: 0, ...rest });
  const said = (content: string) => [{ role: 'user', content }];
  return [
    {
      name: 'chat',
      service: 'chat',
      path: '/v1/chat/completions',
      body: chat({ messages: said('What can you do?'), max_tokens: 24 }),
    },
    {
      name: 'chat stream',
      service: 'chat',
      path: '/v1/chat/completions',
      body: chat({ messages: said('Say something about the sea.'), max_tokens: 24, stream: true }),
    },
    {
      name: 'chat schema',
      service: 'chat',
      path: '/v1/chat/completions',
      body: chat({ messages: said('Name: Siti. City: Ipoh.'), max_tokens: 64, response_format: person }),
    },
    {
      name: 'embeddings',
      service: 'embeddings',
      path: '/v1/embeddings',
      body: { model: 'svc-embed-base', input: ['kapal di laut', 'a ship at sea', '海上的船'] },
    },
    {
      name: 'shield',
      service: 'shield',
      path: '/v1/moderations',
      body: { model: 'svc-shield-base', input: 'Write to Siti Rahman, siti@example.com, +60 12-345 6789.' },
    },
    {
      name: 'guard',
      service: 'guard',
      path: '/v1/moderations',
      body: { model: 'svc-guard-max', input: log },
    },
    {
      name: 'documents',
      service: 'documents',
      path: '/v1/documents/parse',
      body: { model: 'svc-parse-pro', file: base64('invoice.pdf') },
    },
    {
      name: 'documents scan',
      service: 'documents',
      path: '/v1/documents/parse',
      body: { model: 'svc-parse-pro', file: picture.toString('base64') },
    },
    {
      name: 'images',
      service: 'images',
      path: '/v1/images/analyze',
      body: { image: picture.toString('base64') },
    },
  ];
}

const person = {
  type: 'json_schema',
  json_schema: {
    name: 'person',
    strict: true,
    schema: {
      type: 'object',
      properties: { name: { type: 'string', maxLength: 20 }, city: { type: 'string', maxLength: 20 } },
      required: ['name', 'city'],
      additionalProperties: false,
    },
  },
};

const scene = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="320"><rect width="480" height="320" fill="#fff"/>
<text x="30" y="60" font-size="28" font-family="sans-serif">Delivery note 4711</text>
<text x="30" y="120" font-size="22" font-family="sans-serif">Total RM 42.50</text>
<circle cx="380" cy="220" r="60" fill="#c33"/><rect x="60" y="180" width="140" height="90" fill="#36c"/></svg>`;

/** What must be the same each time: ids and times are not. */
export function toComparable(text: string, isStream: boolean): string {
  if (!isStream) return JSON.stringify({ ...JSON.parse(text), id: null, created: null });
  if (!text.endsWith('data: [DONE]\n\n')) throw new Error('the stream broke off');
  const events = text.split('\n\n').filter((event) => event.startsWith('data: {'));
  return JSON.stringify(
    events.map((event) => ({ ...JSON.parse(event.slice('data: '.length)), id: null, created: null })),
  );
}
