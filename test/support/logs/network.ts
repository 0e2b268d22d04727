import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

const APPLICATION = [
  'INFO  c.e.shop.OrderService - Order 10422 created for customer 881 in 42 ms',
  'WARN  c.e.shop.PaymentClient - Payment gateway slow: 2312 ms (threshold 2000 ms), retrying',
  'INFO  o.s.b.w.embedded.tomcat.TomcatWebServer - Tomcat started on port(s): 8080 (http) with context path',
  'DEBUG db.pool - select id, name from products where id = ? -- 3 ms',
  'ERROR c.e.shop.MailSender - Could not send mail to customer 881: Connection timed out',
  'INFO Pengguna aisyah telah log masuk dari pejabat Kuala Lumpur',
  'INFO 用户 weiming 登录成功，来自上海办公室',
];

export function networkLine(random: Random, clock: Clock): string {
  const from = `10.0.4.${random.int(2, 250)}`;
  const to = random.pick(['10.0.0.5', '13.107.42.14', '142.250.4.100']);
  const kind = random.int(0, 8);
  if (kind === 0)
    return JSON.stringify({
      _path: 'conn',
      ts: Number(clock.epoch()),
      uid: `C${random.hex(8)}`,
      'id.orig_h': from,
      'id.resp_h': to,
      'id.resp_p': 443,
      proto: 'tcp',
      service: 'ssl',
      orig_bytes: 1200,
      resp_bytes: random.int(1000, 90_000),
    });
  if (kind === 1)
    return JSON.stringify({
      _path: 'dns',
      ts: Number(clock.epoch()),
      uid: `C${random.hex(8)}`,
      'id.orig_h': from,
      'id.resp_h': '10.0.0.2',
      query: random.pick(['www.example.com', 'login.microsoftonline.com', 'd1a2b3.cloudfront.net']),
      qtype_name: 'A',
    });
  if (kind === 2)
    return JSON.stringify({
      timestamp: clock.iso(),
      flow_id: 12,
      event_type: 'http',
      src_ip: from,
      dest_ip: to,
      http: {
        hostname: 'www.example.com',
        url: '/index.html?lang=ms',
        http_method: 'GET',
        http_user_agent: 'Mozilla/5.0',
        status: 200,
      },
    });
  if (kind === 3)
    return `CEF:0|Corp|Firewall|7.2|100|Traffic allowed|2|src=${from} dst=${to} spt=51811 dpt=443 proto=TCP act=allow app=ssl`;
  if (kind === 4)
    return `LEEF:1.0|Corp|Proxy|2.1|200|src=${from}\tdst=${to}\tusrName=aisyah\turl=https://www.example.com/\tcat=Business`;
  if (kind === 5)
    return `date=2025-03-04 time=08:00:01 devname="FGT-01" devid="FG100" logid="0000000013" type="traffic" subtype="forward" level="notice" srcip=${from} dstip=${to} dstport=443 action="accept" policyid=12 sentbyte=1200 rcvdbyte=8800`;
  if (kind === 6)
    return `<134>1 ${clock.iso()} fw01 filterlog 811 - [meta sequenceId="1"] rule 12 pass in ${from} ${to}`;
  return `${clock.iso()} ${random.pick(APPLICATION)}`;
}
