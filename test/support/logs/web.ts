import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/133.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; SM-A546E Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/132.0.6834.163 Mobile Safari/537.36',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:135.0) Gecko/20100101 Firefox/135.0',
  'kube-probe/1.29',
  'okhttp/4.12.0',
  'Shop-iOS/5.2.1 (com.shop.app; build:812; iOS 18.3.0) Alamofire/5.9.1',
  'python-requests/2.32.3',
  '-',
];
const PATHS = [
  '/',
  '/index.php',
  '/login.php?next=%2Faccount',
  '/wp-content/themes/shop/style.css?ver=6.4.3',
  '/wp-content/uploads/2025/02/banner-1024x768.jpg',
  '/api/v1/orders?page=2&per_page=50&sort=-created_at&status=open,paid',
  '/api/v1/search?q=select%20the%20best%20coffee%20from%20Ipoh',
  '/search?q=baju+kurung+moden&kategori=wanita&harga=50-120',
  '/search?q=%E5%92%96%E5%95%A1%E6%9C%BA&lang=zh',
  '/search?q=rock+%26+roll+t-shirt+(large)',
  '/search?q=o%27reilly+books',
  '/search?q=union+select+committee+report',
  '/products/42/reviews?sort=date&order=asc',
  '/products/kopi-o-kaw-500g#reviews',
  '/track?utm_source=newsletter&utm_medium=email&utm_campaign=raya_2025&gclid=Cj0KCQiA1NebBhDDARIsAANiDD3_RJeMv8zScF--mC1jf8fO8PDYJCxD9',
  '/oauth/callback?code=4%2F0AY0e-g7XyZ&state=eyJhbGciOiJIUzI1NiJ9.eyJ1IjoxfQ.c2ln&scope=openid%20email%20profile',
  '/login?returnUrl=https%3A%2F%2Fshop.example.com%2Faccount%2Forders%3Fpage%3D2',
  '/assets/app.4f3b2a1c.js',
  '/assets/fonts/inter-v12-latin-regular.woff2',
  '/.well-known/security.txt',
  '/robots.txt',
  '/favicon.ico',
  '/healthz',
  '/api/v1/users/550e8400-e29b-41d4-a716-446655440000/avatar',
  '/api/v1/files?path=reports/2025/march/summary.pdf',
  '/graphql?query=%7Bproduct(id%3A42)%7Bname%20price%7D%7D',
  '/map?lat=3.1390&lng=101.6869&zoom=12',
  '/api/filter?date[gte]=2025-01-01&date[lte]=2025-03-31&tags[]=new&tags[]=sale',
  '/contact?message=Hi%2C+I%27d+like+to+return+my+order+%28size+M%29+and+get+a+refund%3B+thanks%21',
  '/calc?expr=2%2B3',
];

export function webLine(random: Random, clock: Clock): string {
  const address = `${random.pick(['203.0.113', '198.51.100', '10.0.4'])}.${random.int(1, 254)}`;
  const method = random.int(0, 9) === 0 ? 'POST' : 'GET';
  const referer = random.pick([
    '-',
    'https://shop.example.com/',
    'https://www.google.com/',
    'https://shop.example.com/search?q=kopi',
  ]);
  const status = random.pick([200, 200, 200, 200, 304, 302, 404, 201]);
  return `${address} - - [${clock.clf()}] "${method} ${random.pick(PATHS)} HTTP/1.1" ${status} ${random.int(120, 90_000)} "${referer}" "${random.pick(AGENTS)}"`;
}

const BODIES = [
  'email=mei%40example.com&password=Correct-Horse-Battery-9%21&remember=1',
  '{"name":"Siti Nurhaliza","address":"12, Jalan Ampang, 50450 Kuala Lumpur","items":[{"sku":"KOPI-500","qty":2}],"note":"Please call before delivery; gate code is 12#34"}',
  '{"query":"query Product($id: ID!) { product(id: $id) { name price } }","variables":{"id":42}}',
  'comment=Barang+sampai+cepat%2C+terima+kasih%21+%3A%29&rating=5',
  'comment=%E5%BE%88%E5%A5%BD%E5%90%83%EF%BC%8C%E4%B8%8B%E6%AC%A1%E8%BF%98%E4%B9%B0&rating=5',
];

export function rawRequest(random: Random): string {
  const body = random.pick(BODIES);
  const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
  return [
    `POST ${random.pick(['/login', '/api/v1/orders', '/graphql', '/comments'])} HTTP/1.1`,
    'Host: shop.example.com',
    `User-Agent: ${AGENTS[0]}`,
    'Accept: application/json, text/plain, */*',
    'Accept-Language: ms-MY,ms;q=0.9,en;q=0.8',
    'Accept-Encoding: gzip, deflate, br',
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    `Cookie: session=${random.hex(32)}; _ga=GA1.2.${random.int(1e8, 9e8)}.1741079564; theme=dark`,
    'Referer: https://shop.example.com/',
    '',
    body,
  ].join('\r\n');
}
