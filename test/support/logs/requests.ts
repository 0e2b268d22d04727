/**
 * Ordinary HTTP requests of many applications: prose with quotes and SQL's everyday words, names, markdown, style sheets, GraphQL, tokens,
 * dates, passwords, rich text.
 */
import type { Random } from './random.ts';

type Value = (random: Random) => string;

const names = [
  "O'Brien",
  "Siobhán O'Connor",
  "Jean-Luc D'Arcy",
  "N'Golo",
  'Nur Aisyah binti Abdullah',
  '陈美玲',
  "Ta'ib",
  'Müller & Söhne',
  "Dato' Seri Ahmad",
  "Conan O'Neill",
  "D'Angelo",
  'Lim Ah Kow @ Ali',
  'Tengku Anis',
  '王小明',
  "L'Oréal Paris",
  'Smith (Jr.), John',
];
const word = (random: Random) =>
  random.pick([
    'kopi',
    'teh tarik',
    'invoice',
    'laptop',
    'baju',
    'holiday',
    'battery',
    'report',
    'printer',
    'kasut',
    '咖啡',
    '手机',
  ]);

const values: readonly Value[] = [
  (r) => r.pick(names),
  (r) => `${word(r)} ${word(r)}`,
  (r) => `select the best ${word(r)} from the list below`,
  (r) =>
    `Please drop the table off at ${r.int(1, 99)} Jalan Ampang; call me (after ${r.int(1, 12)}pm) & ring twice.`,
  (r) => `I'd like to order ${r.int(2, 9)} of "${word(r)}" -- thanks!`,
  (r) => `Harga RM${r.int(10, 99)}.90/unit, 20% off? Boleh kurang lagi tak :)`,
  (r) => `他说：“${word(r)}很好”，价格是¥${r.int(5, 500)}。`,
  (r) => `Union of workers or management? ${r.int(1, 3)} = yes, 0 = no`,
  (r) => `size=${r.int(30, 46)} and colour=blue`,
  (r) => `${r.hex(8)}-${r.hex(4)}-${r.hex(4)}-${r.hex(4)}-${r.hex(12)}`,
  (r) => Buffer.from(`session:${r.hex(40)}`).toString('base64'),
  (r) =>
    `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${Buffer.from(`{"sub":"${r.int(1, 9e6)}","name":"A"}`).toString('base64url')}.${Buffer.from(r.hex(32)).toString('base64url')}`,
  (r) => `user${r.int(1, 999)}+news@mail.example.com`,
  (r) => `${word(r)} OR ${word(r)}`,
  (r) => `"exact phrase" -${word(r)} site:example.com`,
  (r) => `C++ vs C# ${r.int(1, 20)}.${r.int(0, 9)}`,
  (r) => `created_at:desc,price:${r.int(1, 9)}0..${r.int(1, 9)}00`,
  (r) =>
    `# Notes\n\n* item ${r.int(1, 9)}\n* **bold** and _italic_\n\n> quoted\n\n[link](https://example.com/a?b=1)`,
  () => 'body { margin: 0; font: 14px/1.4 "Inter", sans-serif; } a:hover { color: #06c }',
  (r) =>
    `query Q($id: ID!, $n: Int = ${r.int(1, 9)}) { node(id: $id) { ... on Order { total items(first: $n) { edges { node { sku } } } } } }`,
  (r) => `Report (final) v${r.int(1, 9)} [signed].pdf`,
  (r) => `${r.int(1, 31)}/${r.int(1, 12)}/2025 ${r.int(0, 23)}:${r.int(10, 59)}:00`,
  (r) => `https://shop.example.com/p/${r.int(1, 999)}?ref=mail&utm_source=raya`,
  (r) => `-${r.int(1, 90)}.${r.hex(4).replace(/\D/gu, '1')},${r.int(90, 179)}.5`,
  () => 'Is 3 > 2 && 2 > 1? My teacher says 1 < 2 < 3.',
  () => 'The quick brown fox; the lazy dog. "Yes!" he said, \'maybe\'...',
  (r) => `P@ss${r.int(10, 99)}w0rd!#${r.hex(4)}`,
  (r) => `tel:+60-1${r.int(1, 9)}-${r.int(1000000, 9999999)} ext. #${r.int(1, 99)}`,
  (r) => `items[${r.int(0, 5)}][qty]`,
  () => 'I was having trouble with my account and/or card: error 0x80070005 when I order by phone.',
  (r) => `echo of the past: a novel by ${r.pick(names)}`,
  () => "let's find a cat who can sort out my head start, then ping me back",
  (r) => `{"type":"track","event":"page_view","properties":{"price":${r.int(1, 99)}.5,"tags":["a","b"]}}`,
  (r) => `a:${r.int(1, 9)};b:${r.int(1, 9)}|c`,
  () => '<p>Hello <b>team</b>,<br>see you at 3&nbsp;pm.</p>',
  (r) => `~${word(r)}~ *new* (50% off!!!) $$$ 100% ***`,
  (r) => `D:${r.int(1, 9)}, R&D, Q&A, 24/7 support, w/o charge`,
  (r) => `path/to/${word(r)}.${r.pick(['jpg', 'png', 'docx', 'mp4'])}`,
  (r) => `cheap ${word(r)} near me`,
  (r) => `where can I find a ${word(r)} and have it delivered from KL or Penang?`,
  (r) =>
    `We've moved! New address: Lot ${r.int(1, 99)}-A, Tingkat ${r.int(1, 9)}, Jln. P. Ramlee (opp. Hotel "Equatorial").`,
  (r) => `Can't log in: it says 'wrong password' even though it's right; tried ${r.int(2, 9)}x -- help!`,
  (r) => `Saya nak tukar saiz (S -> M), order #${r.int(1000, 9999)}. Terima kasih & maaf!`,
  (r) => `你们周末营业吗？（${r.int(8, 11)}:00–${r.int(5, 9)}:00）`,
  () => 'insert the key into the lock, then update your address; delete the old one where needed',
  (r) => `year>=2020 AND status:open AND (team:${r.pick(['core', 'web'])} OR priority:high)`,
  (r) => r.hex(64),
  (r) => `${Buffer.from(r.hex(60)).toString('base64')}`,
  (r) => `v=DKIM1; k=rsa; p=${Buffer.from(r.hex(50)).toString('base64')}`,
  (r) => `first.last_${r.int(1, 99)}@sub.example.co.uk`,
  (r) => `title:"annual report" +${word(r)} -draft`,
  (r) => `node.js ${r.int(18, 24)} or python 3.${r.int(8, 13)}?`,
  (r) => `price[min]=${r.int(1, 9)}0;price[max]=${r.int(1, 9)}00`,
  (r) =>
    `## To do\n1. buy ${word(r)}\n2. e-mail <boss@example.com>\n\n\`\`\`\nhello world\n\`\`\`\n---\n| a | b |\n|---|---|`,
  () => '.card > .title { font-size: calc(1rem + 2px); background: url("/img/a.png") no-repeat }',
  (r) => `mutation { addItem(input: {sku: "K-${r.int(1, 99)}", qty: ${r.int(1, 9)}}) { cart { total } } }`,
  (r) => `Meeting minutes ${r.int(1, 28)}.03.2025 – R&D (draft #${r.int(1, 9)}).docx`,
  (r) => `2025-0${r.int(1, 9)}-1${r.int(0, 9)}T0${r.int(0, 9)}:00:00+08:00`,
  (r) => `https://www.example.org/blog/2025/how-to-cook-rice/?page=${r.int(1, 9)}#comments`,
  (r) => `${r.int(1, 9)}.${r.int(10, 99)},10${r.int(1, 9)}.${r.int(10, 99)};15z`,
  () => 'if x < 5 and y > 3 then the answer is 8 (or 9?)',
  () => '"To be, or not to be" - that\'s the question... isn\'t it?',
  (r) => `Tr0ub4dor&${r.int(1, 9)}!$${r.hex(3)}`,
  (r) => `+6${r.int(1, 9)} (3) 2${r.int(100, 999)} ${r.int(1000, 9999)} / fax -1`,
  (r) => `filters[brand][]=${word(r)}`,
  () => 'My union rep asked me to select a table for the group by the window, order 2 teas, limit 1 cake.',
  () => 'Please execute the contract and grant access to the shared drive; set the date as agreed.',
  () => 'Who is the host? I need to mount a picture, cut the cake, touch base & kill some time.',
  (r) => `[{"op":"replace","path":"/items/${r.int(0, 9)}/qty","value":${r.int(1, 9)}}]`,
  (r) => `k1=${r.int(1, 9)}|k2=${r.int(1, 9)}|k3=~`,
  () => '<div class="note">Tom &amp; Jerry &ndash; 50&#37; off</div>',
  (r) => `WOW!!! ${word(r)} @ RM${r.int(1, 99)} only?!! (while stocks last) *T&C apply*`,
  () => 'A/B test: CTR up 12%, p<0.05; see sheet #3, cells B2:D9 & row 14.',
  (r) => `reports/2025/q${r.int(1, 4)}/summary_${r.int(1, 99)}.xlsx`,
  () => 'Q: What does "SELECT" mean in a ballot? A: choose.',
];

const keys = [
  'q',
  'search',
  'name',
  'comment',
  'message',
  'title',
  'id',
  'filter',
  'sort',
  'redirect',
  'email',
  'data',
  'text',
  'page',
  'note',
  'token',
];
const paths = [
  '/',
  '/search',
  '/api/v2/items',
  '/products/{n}/reviews',
  '/blog/2025/03/hari-raya-open-house',
  '/wp-admin/admin-ajax.php',
  '/index.php',
  '/user/{n}/edit',
  '/static/js/main.{h}.chunk.js',
  '/a/b/c-{n}.html',
  '/~ali/notes.txt',
  '/en/help/faq',
  '/file%20name%20(1).pdf',

  '/find',
  '/v1/orders/{n}',
  '/forum/t/{n}-what-s-new',
  '/account/settings',
  '/assets/img/logo@2x.png',
  '/rest/V1/carts/mine',
  '/news/2025-03-04/pm%27s-speech',
  '/cgi-bin/form',
  '/ms/bantuan/soalan-lazim',
  '/shop/%E5%92%96%E5%95%A1',
  '/.well-known/openid-configuration',
  '/p/{h}',
  '/docs/v2.1/getting-started',
];
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/133.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1',
  'okhttp/4.12.0',
  'curl/8.5.0',
  'PostmanRuntime/7.43.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',

  'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:135.0) Gecko/20100101 Firefox/135.0',
  'Dart/3.6 (dart:io)',
  'axios/1.7.9',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (Linux; Android 14; SM-A546E Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/132.0.6834.163 Mobile Safari/537.36',
  'GuzzleHttp/7',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
];

type Body = (random: Random, pairs: [string, string][]) => { type: string; body: string };
const form: Body = (_, pairs) => ({
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(pairs).toString(),
});
const json: Body = (_, pairs) => ({
  type: 'application/json',
  body: JSON.stringify(Object.fromEntries(pairs)),
});
const xml: Body = (_, pairs) => ({
  type: 'application/xml',
  body: `<?xml version="1.0"?><form>${pairs.map(([name, value]) => `<${name}>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`).join('')}</form>`,
});
const multipart: Body = (random, pairs) => {
  const boundary = `----WebKitFormBoundary${random.hex(12)}`;
  const parts = pairs.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="photo ${random.int(1, 99)}.jpg"\r\nContent-Type: image/jpeg\r\n\r\nJFIF`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: `${[...parts, file].join('\r\n')}\r\n--${boundary}--\r\n`,
  };
};

/** One raw request: a query, a body or both, with the headers that clients send. */
export function benignRequest(random: Random): string {
  const pairs = Array.from({ length: random.int(1, 3) }, (): [string, string] => [
    random.pick(keys),
    random.pick(values)(random),
  ]);
  const path = random
    .pick(paths)
    .replace('{n}', String(random.int(1, 99_999)))
    .replace('{h}', random.hex(10));
  const head = [
    `Host: ${random.pick(['shop.example.com', 'www.example.org', 'localhost', 'api.example.net:8443'])}`,
    `User-Agent: ${random.pick(agents)}`,
  ];
  if (random.int(0, 3) > 0)
    head.push(
      `Accept: ${random.pick(['*/*', 'application/json, text/plain, */*', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'])}`,
    );
  if (random.int(0, 2) === 0)
    head.push('Accept-Language: ms-MY,ms;q=0.9,en;q=0.8', 'Accept-Encoding: gzip, deflate, br');
  if (random.int(0, 2) === 0)
    head.push(`Cookie: sid=${random.hex(32)}; theme=dark; _ga=GA1.2.${random.int(1e8, 9e8)}.1741079564`);
  if (random.int(0, 3) === 0) head.push(`Referer: https://www.example.org/list?page=${random.int(1, 9)}`);
  if (random.int(0, 4) === 0)
    head.push(`Authorization: Bearer ${Buffer.from(random.hex(40)).toString('base64url')}`);
  if (random.int(0, 1) === 0)
    return [`GET ${path}?${new URLSearchParams(pairs)} HTTP/1.1`, ...head, '', ''].join('\r\n');
  const { type, body } = random.pick([form, form, json, json, xml, multipart])(random, pairs);
  return [
    `${random.pick(['POST', 'POST', 'PUT'])} ${path} HTTP/1.1`,
    ...head,
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
