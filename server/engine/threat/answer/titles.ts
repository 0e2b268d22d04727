/**
 * Titles of findings for a summary in Malay or Chinese. Our web detectors and anomalies have names of their own there, by rule
 * id, our own Sigma rules by title; an imported rule, whose title is its author's, is announced by the ATT&CK tactic it serves.
 */
import type { Analysis, Finding, Language } from '../analysis.ts';
import { RULE_TITLES } from './rule-titles.ts';

type Names = Readonly<Record<string, readonly [ms: string, zh: string]>>;

/** By the beginning of the rule id; the longest that fits. */
const FAMILIES: Names = {
  'web-sqli': ['Suntikan SQL', 'SQL 注入'],
  'web-nosql': ['Suntikan NoSQL', 'NoSQL 注入'],
  'web-orm': ['Suntikan penapis ORM', 'ORM 过滤器注入'],
  'web-rce': ['Suntikan arahan sistem', '命令注入'],
  'web-php': ['Suntikan PHP', 'PHP 注入'],
  'web-java': ['Suntikan Java atau Log4Shell', 'Java 注入或 Log4Shell'],
  'web-ssti': ['Suntikan templat atau kod', '模板或代码注入'],
  'web-xss': ['Skrip merentas tapak (XSS)', '跨站脚本（XSS）'],
  'web-xxe': ['Entiti luaran XML', 'XML 外部实体'],
  'web-ldap': ['Suntikan LDAP', 'LDAP 注入'],
  'web-xpath': ['Suntikan XPath', 'XPath 注入'],
  'web-ssrf': ['Pemalsuan permintaan di pihak pelayan', '服务器端请求伪造'],
  'web-rfi': ['Kemasukan fail jauh', '远程文件包含'],
  'web-lfi': ['Capaian fail terlarang', '敏感文件访问或路径穿越'],
  'web-scan': ['Pengimbas kelemahan', '漏洞扫描器'],
  'web-shell': ['Petala web', '网页后门'],
  'web-protocol': ['Permintaan HTTP yang ganjil', '异常的 HTTP 请求'],
  'web-tamper': ['Parameter yang diubah', '被篡改的参数'],
  'web-session': ['Penetapan sesi', '会话固定'],
  'web-leak': ['Ralat yang menunjukkan serangan berjaya', '暴露攻击得手的错误信息'],
  'anomaly-beacon': ['Hubungan berkala dengan hos luar', '与外部主机的定时通信'],
  'anomaly-dns-tunnel': ['Banyak nama rawak panjang di bawah satu domain', '同一域名下大量随机长名称'],
  'anomaly-encoded-payload': ['Muatan berkod yang panjang dalam baris arahan', '命令行中的长编码载荷'],
  'anomaly-first-seen-source': ['Log masuk dari alamat baharu', '账户从新地址登录'],
  'anomaly-forced-browsing': [
    'Satu klien meminta banyak laluan yang tiada',
    '同一客户端请求大量不存在的路径',
  ],
  'anomaly-guessed-login': ['Log masuk berjaya selepas banyak kegagalan', '多次失败后登录成功'],
  'anomaly-password-guessing': ['Log masuk gagal bertubi-tubi dari satu alamat', '同一地址的密集登录失败'],
  'anomaly-password-spraying': ['Satu alamat gagal log masuk ke banyak akaun', '同一地址对多个账户登录失败'],
  'anomaly-port-scan': ['Satu hos mencuba banyak port', '一台主机尝试大量端口'],
  'anomaly-rare-template': ['Baris yang berbeza dan menyebut masalah', '与众不同且提到故障的行'],
};

const TACTICS: Names = {
  reconnaissance: ['Peninjauan', '侦察'],
  'resource-development': ['Penyediaan sumber', '资源开发'],
  'initial-access': ['Capaian awal', '初始访问'],
  execution: ['Pelaksanaan', '执行'],
  persistence: ['Pengekalan', '持久化'],
  'privilege-escalation': ['Peningkatan keistimewaan', '权限提升'],
  'defense-evasion': ['Pengelakan pertahanan', '防御规避'],
  'credential-access': ['Pencurian kelayakan', '凭据访问'],
  discovery: ['Penemuan maklumat', '信息发现'],
  'lateral-movement': ['Pergerakan sisi', '横向移动'],
  collection: ['Pengumpulan', '收集'],
  'command-and-control': ['Arahan dan kawalan', '命令与控制'],
  exfiltration: ['Pengeluaran data', '数据外泄'],
  impact: ['Kesan', '影响'],
};

const pick = (names: readonly [string, string], language: 'ms' | 'zh') => names[language === 'ms' ? 0 : 1];

/** Title of a finding in a summary, and the kind it is counted under where several are alike. */
export function titleOf(
  finding: Pick<Finding, 'ruleId' | 'title' | 'ttps'>,
  language: Language,
  techniques: Analysis['techniques'],
): { title: string; kind: string } {
  if (language === 'en') return { title: finding.title, kind: finding.title.split(': ')[0] as string };
  const family = Object.keys(FAMILIES).find((prefix) => finding.ruleId.startsWith(prefix));
  if (family !== undefined) {
    const title = pick(FAMILIES[family] as [string, string], language);
    return { title, kind: title };
  }
  const own = RULE_TITLES.get(finding.title);
  if (own !== undefined) return { title: pick(own, language), kind: pick(own, language) };
  const tactic = techniques.find(({ id }) => finding.ttps.includes(id))?.tactics[0];
  const names = tactic === undefined ? undefined : TACTICS[tactic];
  const title = names === undefined ? finding.title : `${pick(names, language)} (${finding.title})`;
  return { title, kind: title };
}
