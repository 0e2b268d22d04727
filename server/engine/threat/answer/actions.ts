/** Containment actions, each about something that was found: an account, a host, a process, an address. */
import type { Finding, Indicator, Language, Subjects } from '../analysis.ts';
import { rank } from './score.ts';

type Texts = Readonly<Record<Language, string>>;

interface Action {
  /** Technique ids (prefixes) that call for it. */
  ttps: readonly string[];
  minimum: 'low' | 'medium' | 'high';
  /** `{host}`, `{user}`, `{process}`, `{address}`, `{file}` must be known, or the action is left out. */
  text: Texts;
}

const ACTIONS: readonly Action[] = [
  {
    ttps: [
      'T1486',
      'T1490',
      'T1485',
      'T1561',
      'T1003',
      'T1055',
      'T1570',
      'T1021',
      'T1071',
      'T1105',
      'T1572',
      'T1218',
      'T1611',
      'T1059',
      'T1547',
      'T1543',
      'T1505',
      'T1219',
      'T1562',
    ],
    minimum: 'high',
    text: {
      en: 'Isolate {host} from the network, but leave it running so that memory can be captured.',
      ms: 'Asingkan {host} daripada rangkaian, tetapi biarkan ia berjalan supaya memorinya boleh dirakam.',
      zh: '将 {host} 从网络隔离，但保持运行以便采集内存。',
    },
  },
  {
    ttps: [
      'T1078',
      'T1003',
      'T1098',
      'T1136',
      'T1558',
      'T1528',
      'T1550',
      'T1556',
      'T1021',
      'T1539',
      'T1548',
      'T1621',
    ],
    minimum: 'medium',
    text: {
      en: 'Disable the account {user}, end its sessions and reset its credentials.',
      ms: 'Nyahaktifkan akaun {user}, tamatkan sesinya dan tetapkan semula kelayakannya.',
      zh: '停用账户 {user}，终止其会话并重置凭据。',
    },
  },
  {
    ttps: [
      'T1059',
      'T1218',
      'T1055',
      'T1105',
      'T1047',
      'T1569',
      'T1204',
      'T1486',
      'T1490',
      'T1003',
      'T1496',
      'T1219',
      'T1127',
      'T1197',
      'T1036',
      'T1027',
    ],
    minimum: 'medium',
    text: {
      en: 'Stop {process} on {host} and keep a copy of its image and command line as evidence.',
      ms: 'Hentikan {process} pada {host} dan simpan salinan imej serta baris arahannya sebagai bukti.',
      zh: '在 {host} 上停止 {process}，并保留其映像与命令行作为证据。',
    },
  },
  {
    ttps: [
      'T1190',
      'T1595',
      'T1110',
      'T1071',
      'T1105',
      'T1133',
      'T1046',
      'T1499',
      'T1498',
      'T1571',
      'T1090',
      'T1572',
      'T1048',
      'T1567',
      'T1041',
      'T1059',
      'T1568',
      'T1021',
    ],
    minimum: 'medium',
    text: {
      en: 'Block {address} at the firewall or reverse proxy, after checking that nothing legitimate uses it.',
      ms: 'Sekat {address} pada tembok api atau proksi songsang, selepas memastikan tiada kegunaan sah.',
      zh: '确认没有合法用途后，在防火墙或反向代理上封锁 {address}。',
    },
  },
  {
    ttps: ['T1190', 'T1505.003', 'T1059.007'],
    minimum: 'medium',
    text: {
      en: 'Check whether the flagged web requests succeeded (status, response size, new files, child processes of the web server) and patch or shield the application.',
      ms: 'Semak sama ada permintaan web yang ditanda berjaya (status, saiz respons, fail baharu, proses anak pelayan web) dan tampal atau lindungi aplikasi.',
      zh: '核实被标记的 Web 请求是否成功（状态码、响应大小、新文件、Web 服务器子进程），并修补或防护该应用。',
    },
  },
  {
    ttps: ['T1505.003'],
    minimum: 'medium',
    text: {
      en: 'Search the web root for files changed since the first flagged line and remove the web shell after copying it.',
      ms: 'Cari fail dalam akar web yang berubah sejak baris pertama yang ditanda dan buang cangkerang web selepas menyalinnya.',
      zh: '检查自首个被标记行以来网站目录中被修改的文件，备份后清除 Webshell。',
    },
  },
  {
    ttps: ['T1547', 'T1546', 'T1543', 'T1053', 'T1037', 'T1574', 'T1137', 'T1112', 'T1197'],
    minimum: 'medium',
    text: {
      en: 'Review and remove the persistence entry {file} on {host}.',
      ms: 'Semak dan buang entri kegigihan {file} pada {host}.',
      zh: '检查并删除 {host} 上的持久化项 {file}。',
    },
  },
  {
    ttps: ['T1053', 'T1543', 'T1546', 'T1547', 'T1136', 'T1098'],
    minimum: 'medium',
    text: {
      en: 'List autostart entries, scheduled jobs, services and accounts created on {host} since the first flagged line.',
      ms: 'Senaraikan entri mula automatik, tugas berjadual, perkhidmatan dan akaun yang dicipta pada {host} sejak baris pertama yang ditanda.',
      zh: '列出自首个被标记行以来 {host} 上新建的自启动项、计划任务、服务与账户。',
    },
  },
  {
    ttps: ['T1562', 'T1070'],
    minimum: 'medium',
    text: {
      en: 'Turn security tools and logging on {host} back on and restore the missing period from central logs.',
      ms: 'Hidupkan semula alat keselamatan dan pengelogan pada {host} serta pulihkan tempoh yang hilang daripada log pusat.',
      zh: '在 {host} 上恢复安全工具与日志记录，并从集中日志补回缺失时段。',
    },
  },
  {
    ttps: ['T1552', 'T1555', 'T1003', 'T1528', 'T1649', 'T1558'],
    minimum: 'medium',
    text: {
      en: 'Rotate every credential, key and token that {host} held.',
      ms: 'Putar semua kelayakan, kunci dan token yang disimpan oleh {host}.',
      zh: '轮换 {host} 上存放过的所有凭据、密钥与令牌。',
    },
  },
  {
    ttps: ['T1486', 'T1490', 'T1485', 'T1561'],
    minimum: 'medium',
    text: {
      en: 'Protect backups now: take them offline and verify that they restore.',
      ms: 'Lindungi sandaran sekarang: putuskan daripada rangkaian dan sahkan ia boleh dipulihkan.',
      zh: '立即保护备份：将其离线，并验证可恢复。',
    },
  },
  {
    ttps: ['T1048', 'T1041', 'T1567', 'T1020', 'T1537', 'T1530', 'T1560', 'T1074', 'T1114'],
    minimum: 'medium',
    text: {
      en: 'Find out which data left with {user} or from {host}, and how much.',
      ms: 'Kenal pasti data yang keluar melalui {user} atau daripada {host}, dan jumlahnya.',
      zh: '查明经 {user} 或从 {host} 外泄了哪些数据及其数量。',
    },
  },
  {
    ttps: ['T1610', 'T1611', 'T1609', 'T1613', 'T1612', 'T1552.007'],
    minimum: 'medium',
    text: {
      en: 'Cordon the node and delete the flagged container or role binding after saving its specification.',
      ms: 'Kuarantin nod dan padam bekas atau ikatan peranan yang ditanda selepas menyimpan spesifikasinya.',
      zh: '隔离该节点，保存规格后删除被标记的容器或角色绑定。',
    },
  },
  {
    ttps: [
      'T1562.008',
      'T1562.007',
      'T1578',
      'T1580',
      'T1526',
      'T1530',
      'T1537',
      'T1098.001',
      'T1098.003',
      'T1136.003',
      'T1078.004',
      'T1651',
      'T1619',
      'T1552.005',
    ],
    minimum: 'medium',
    text: {
      en: 'Revoke the access keys and sessions of {user} in the cloud account and review its calls since the first flagged line.',
      ms: 'Batalkan kunci akses dan sesi {user} dalam akaun awan serta semak panggilannya sejak baris pertama yang ditanda.',
      zh: '吊销云账户中 {user} 的访问密钥与会话，并审查其自首个被标记行以来的调用。',
    },
  },
  {
    ttps: ['T1566', 'T1204', 'T1598', 'T1534'],
    minimum: 'medium',
    text: {
      en: 'Remove the message or file from other mailboxes and shares, and ask {user} what was opened.',
      ms: 'Buang mesej atau fail daripada peti mel dan perkongsian lain, dan tanya {user} apa yang dibuka.',
      zh: '从其他邮箱与共享中删除该邮件或文件，并询问 {user} 打开了什么。',
    },
  },
  {
    ttps: ['T1496'],
    minimum: 'medium',
    text: {
      en: 'End the mining process on {host} and block its pool address.',
      ms: 'Tamatkan proses perlombongan pada {host} dan sekat alamat kolamnya.',
      zh: '终止 {host} 上的挖矿进程并封锁矿池地址。',
    },
  },
  {
    ttps: ['T1087', 'T1069', 'T1482', 'T1018', 'T1016', 'T1033', 'T1046', 'T1057', 'T1082', 'T1049', 'T1135'],
    minimum: 'medium',
    text: {
      en: 'Ask whether {user} had reason to explore the network from {host}; look for what followed.',
      ms: 'Semak sama ada {user} ada sebab meninjau rangkaian dari {host}; cari tindakan seterusnya.',
      zh: '核实 {user} 是否有理由从 {host} 侦察网络，并查找后续动作。',
    },
  },
];

const INDICATOR_ACTION: Texts = {
  en: 'Block {values} and search other logs for them.',
  ms: 'Sekat {values} dan cari dalam log lain.',
  zh: '封锁 {values}，并在其他日志中检索。',
};
const EVIDENCE: Texts = {
  en: 'Preserve the original logs of the flagged lines ({lines}) before they rotate.',
  ms: 'Simpan log asal bagi baris yang ditanda ({lines}) sebelum ia diputar.',
  zh: '在日志轮转前保存被标记行（{lines}）的原始日志。',
};
const NOTHING: Texts = {
  en: 'No containment needed for what was pasted; keep watching these sources.',
  ms: 'Tiada tindakan pembendungan diperlukan bagi teks ini; teruskan pemantauan.',
  zh: '所提供内容无需处置；请继续监控这些来源。',
};

const MAX_ACTIONS = 10;
const SLOTS: readonly [string, keyof Subjects][] = [
  ['host', 'hosts'],
  ['user', 'users'],
  ['process', 'processes'],
  ['address', 'addresses'],
  ['file', 'files'],
];

/** In the order of the findings they answer; nothing is said twice. */
export function recommendActions(
  findings: readonly Finding[],
  indicators: readonly Indicator[],
  language: Language,
): string[] {
  const actions = new Set<string>();
  for (const finding of findings) {
    for (const action of ACTIONS) {
      if (
        rank(finding.level) < rank(action.minimum) ||
        !finding.ttps.some((id) => action.ttps.some((prefix) => id.startsWith(prefix)))
      )
        continue;
      const text = fill(action.text[language], finding.subjects);
      if (text !== null) actions.add(text);
    }
  }
  const values = indicators
    .filter(
      (indicator) =>
        indicator.confidence >= 0.8 &&
        indicator.scope === 'public' &&
        ['ip', 'domain', 'url', 'sha256', 'sha1', 'md5'].includes(indicator.type),
    )
    .slice(0, 5);
  const list = [...actions].slice(0, MAX_ACTIONS);
  if (values.length > 0)
    list.push(
      INDICATOR_ACTION[language].replace('{values}', () =>
        values.map((indicator) => indicator.value).join(', '),
      ),
    );
  const serious = findings.filter((finding) => rank(finding.level) >= rank('medium'));
  if (serious.length > 0) list.push(EVIDENCE[language].replace('{lines}', () => lineList(serious)));
  return list.length === 0 ? [NOTHING[language]] : list;
}

function fill(template: string, subjects: Subjects): string | null {
  let text = template;
  for (const [slot, kind] of SLOTS) {
    if (!text.includes(`{${slot}}`)) continue;
    const values = subjects[kind];
    if (values.length === 0) return null;
    text = text.replaceAll(`{${slot}}`, () => values.slice(0, 3).join(', '));
  }
  return text;
}

function lineList(findings: readonly Finding[]): string {
  const lines = [...new Set(findings.flatMap((finding) => finding.lines.map((span) => span.line)))].toSorted(
    (a, b) => a - b,
  );
  return lines.slice(0, 8).join(', ') + (lines.length > 8 ? ', …' : '');
}
