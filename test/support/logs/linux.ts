import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

const USERS = ['aisyah', 'weiming', 'ravi', 'deploy', 'backup', 'jenkins'];
const COMMANDS = [
  '/usr/bin/apt-get update',
  '/usr/bin/systemctl restart nginx',
  '/usr/bin/journalctl -u nginx --since today',
  '/usr/bin/docker ps',
  '/usr/sbin/service postgresql status',
  '/usr/bin/tail -n 100 /var/log/nginx/error.log',
  '/usr/bin/certbot renew --quiet',
  '/usr/bin/vim /etc/nginx/sites-available/shop.conf',
];
const JOBS = [
  '/usr/local/bin/backup.sh --full',
  'cd / && run-parts --report /etc/cron.hourly',
  'test -x /usr/sbin/anacron || run-parts --report /etc/cron.daily',
  'php /var/www/shop/artisan schedule:run >> /dev/null 2>&1',
  '[ -x /usr/lib/php/sessionclean ] && /usr/lib/php/sessionclean',
];
const SYSTEM = [
  'systemd[1]: Started Daily apt download activities.',
  'systemd[1]: logrotate.service: Deactivated successfully.',
  'systemd-logind[712]: New session 41 of user aisyah.',
  'kernel: [ 8123.112] eth0: Link is Up - 1Gbps/Full - flow control rx/tx',
  'dhclient[802]: DHCPACK of 10.0.4.21 from 10.0.0.1',
  'rsyslogd: [origin software="rsyslogd" swVersion="8.2312.0" x-pid="611"] rsyslogd was HUPed',
  'NetworkManager[688]: <info>  [1741079564.1] dhcp4 (eth0): state changed',
  'postfix/smtp[2211]: 4B1C2: to=<sales@example.com>, relay=mx.example.com[203.0.113.25]:25, status=sent (250 2.0.0 Ok)',
  'dockerd[900]: time="2025-03-04T08:01:02Z" level=info msg="ignoring event" module=libcontainerd',
  'chronyd[655]: Selected source 10.0.0.1 (ntp.corp.local)',
  'ntpd[655]: receive: Unexpected origin timestamp',
  'named[801]: client @0x7f 10.0.4.21#51811 (www.example.com): query: www.example.com IN A +E(0)K',
];

export function linuxLine(random: Random, clock: Clock): string {
  const head = `${clock.bsd()} ${random.pick(['web01', 'db02', 'build03'])}`;
  const user = random.pick(USERS);
  const address = `10.0.${random.int(0, 9)}.${random.int(2, 250)}`;
  const pid = random.int(300, 60_000);
  const kind = random.int(0, 7);
  if (kind === 0)
    return `${head} sshd[${pid}]: Accepted publickey for ${user} from ${address} port ${random.int(30_000, 60_000)} ssh2: RSA SHA256:${random.hex(43)}`;
  if (kind === 1)
    return `${head} sshd[${pid}]: pam_unix(sshd:session): session opened for user ${user}(uid=1001) by (uid=0)`;
  if (kind === 2)
    return `${head} sudo:   ${user} : TTY=pts/0 ; PWD=/home/${user} ; USER=root ; COMMAND=${random.pick(COMMANDS)}`;
  if (kind === 3)
    return `${head} CRON[${pid}]: (${random.pick(['root', 'www-data', 'backup'])}) CMD (${random.pick(JOBS)})`;
  if (kind === 4)
    return `type=SYSCALL msg=audit(${clock.epoch().slice(0, 14)}:${pid}): arch=c000003e syscall=59 success=yes exit=0 pid=${pid} uid=0 comm="ls" exe="/usr/bin/ls" key=(null)`;
  if (kind === 5 && random.int(0, 5) === 0)
    return `${head} sshd[${pid}]: Failed password for ${user} from ${address} port 51810 ssh2`;
  return `${head} ${random.pick(SYSTEM)}`;
}
