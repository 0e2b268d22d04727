/** One small request of each service, made here so that nothing has to lie beside the program. */
import { crc32, deflateSync } from 'node:zlib';

export interface Sample {
  service: string;
  path: string;
  body: object;
}

export const samples = (): Sample[] => [
  {
    service: 'svc-lingua-7b',
    path: '/v1/chat/completions',
    body: { model: 'svc-lingua-7b', max_tokens: 8, messages: [{ role: 'user', content: 'Good morning.' }] },
  },
  {
    service: 'svc-vision-pro',
    path: '/v1/images/analyze',
    body: { model: 'svc-vision-pro', image: picture(96, 64).toString('base64') },
  },
  {
    service: 'svc-shield-base',
    path: '/v1/moderations',
    body: { model: 'svc-shield-base', input: 'Call me at home tonight.' },
  },
  {
    service: 'svc-guard-max',
    path: '/v1/moderations',
    body: { model: 'svc-guard-max', input: 'GET /?q=%27%20OR%201=1-- HTTP/1.1\nHost: example.com' },
  },
  {
    service: 'svc-parse-pro',
    path: '/v1/documents/parse',
    body: {
      model: 'svc-parse-pro',
      file: page(['Invoice INV-2041', 'Date: 2026-03-14', 'Total: RM 42.50']).toString('base64'),
    },
  },
  {
    service: 'svc-embed-base',
    path: '/v1/embeddings',
    body: { model: 'svc-embed-base', input: ['a harbour at dawn', 'pelabuhan waktu subuh'] },
  },
];

/** A PNG of a gradient. */
export function picture(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows.set([x * 2, y * 3, 128], y * (1 + width * 3) + 1 + x * 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, check]);
}

/** A PDF of one page with its lines as text. */
export function page(lines: string[]): Buffer {
  const content = `BT /F1 14 Tf 72 760 Td 24 TL ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}
