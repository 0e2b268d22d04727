/** Readings of the seeds: `[a|b]` and `{slot}` filled, put into the frames that alerts, tickets, chats and logs have. */
import { globSync, readFileSync } from 'node:fs';

export interface Row {
  text: string;
  isAttack: boolean;
  /** Seeds of one kind and frames of one style are held back whole. */
  seed: string;
  frame: string;
}

/** Same numbers at each build. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c_1b_3c_6d) + 0x6d_2b_79_f5;
    state = Math.imul(state ^ (state >>> 12), 0x29_7a_2d_39);
    state ^= state >>> 15;
    return (state >>> 0) / 2 ** 32;
  };
}

const words = (text: string) => text.split('|');
const SLOTS: Record<string, string[]> = {
  h: words(
    'WS-0{n}|SRV-FILE{n}|DC0{n}|web-{n}|finance-laptop-{n}|db-prod-{n}|the file server|mail gateway|PC-{n}|k8s-node-{n}|HR-LT-{n}',
  ),
  u: words(
    'j.tan|siti.aminah|svc_backup|wang.wei|admin|m.rahman|Lisa Chong|e.fischer|the accountant|hafiz|张敏|root|an intern',
  ),
  ip: words('203.0.113.{n}|198.51.100.{n}|10.4.{n}.7|185.22.{n}.14|192.168.{n}.9|45.77.{n}.31'),
  p: words('powershell.exe|cmd.exe|wscript.exe|mshta.exe|rundll32.exe|a script|bash|python3|regsvr32.exe'),
  office: words('WINWORD.EXE|Excel|Outlook|Word|AcroRd32.exe|OneNote'),
  path: words('C:\\Users\\Public|C:\\ProgramData|C:\\Windows\\Temp|/tmp|/dev/shm|%APPDATA%|C:\\PerfLogs'),
  tool: words('mimikatz|procdump|nanodump|a renamed procdump|comsvcs.dll|an unsigned tool'),
  file: words('update|svc{n}|a{n}|helper|report|x|data{n}|setup|job{n}|client'),
  dom: words(
    'cdn-{n}.example.net|update.contoso.com|pay-{n}.top|intranet.acme.my|files.example.org|api.kedai.my|sync{n}.xyz',
  ),
  mail: words('pay{n}@gmail.com|finance.{n}@proton.me|info@example.net|boss{n}@outlook.com'),
  place: words('Nigeria|Romania|Singapore|Brazil|Johor|新加坡|Germany|an anonymous VPN|Penang'),
  share: words('the finance share|\\\\fs01\\data|the HR drive|nas-{n}|the team folder'),
  ext: words('locked|akira|crypt{n}|enc|lockbit'),
  blob: [
    'SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQAIABOAGUAdAAuAFcAZQBiAA==',
    'aGVsbG8gd29ybGQgaGVsbG8gd29ybGQgaGVsbG8gd29ybGQK',
  ],
};

/** The frames say nothing of what they hold: attacks and ordinary texts come in all of them. */
const PROSE: Record<string, string[]> = {
  bare: ['{x}', '{x}.', '{x}!'],
  alert: [
    'ALERT: {x}',
    '[High] {x}',
    'Severity: medium. {x}.',
    'Detection: {x} (rule {n})',
    'Notable event {n}: {x}',
  ],
  ticket: [
    'Ticket #{n}: {x}.',
    'INC{n} {x}. Assigned to {u}.',
    'CHG{n} note: {x}',
    'Case {n} - {x} - owner {u}',
    'Re: {n}\n{x}.\nRegards, {u}',
  ],
  chat: ['{u} {n}:14: {x}', 'fyi {x}', '@soc {x}, can you look?', '{u}: {x}\n{u}: ok', 'hi team, {x} thanks'],
  notes: [
    'Analyst note: {x}. Host {h}, user {u}.',
    'Shift handover: {x}.',
    '{n}:20 {x}. {n}:45 called {u}.',
    'Summary: {x}. Next update at {n}:00.',
  ],
  mail: [
    'From: {u}@example.com\nTo: helpdesk@example.com\nSubject: question\n\nHi, {x}. Thanks, {u}',
    'Subject: [SOC] {n}\n\n{x}.\n\n-- {u}',
  ],
  log: [
    'Nov {n} 04:11:0{n} {h} app[{n}]: {x}',
    '2026-03-{n}T10:00:00Z host={h} user={u} msg="{x}"',
    '{"time":"2026-01-{n}","host":"{h}","message":"{x}"}',
    'CEF:0|Vendor|Product|1|{n}|{x}|5|dhost={h} suser={u}',
  ],
  idp: ['Sign-in log {n}: {x}; user {u}', 'Cloud alert ({n}): {x}', 'SIEM correlation {n} [{h}]: {x}'],
  zh: ['告警:{x}。', '工单 {n}:{x},处理人 {u}', '{u}:{x}', '值班记录 {n}:00 {x}。'],
  ms: ['Amaran: {x}.', 'Tiket {n}: {x}.', 'Nota penganalisis: {x}. Hos {h}.', 'salam, {x}, terima kasih'],
};
const COMMANDS: Record<string, string[]> = {
  bare: ['{x}', '{x}', '$ {x}', 'C:\\> {x}', 'sudo {x}'],
  shell: ['cmd.exe /c "{x}"', "sh -c '{x}'", 'powershell -Command "{x}"'],
  log: [
    'Nov {n} 04:11:0{n} {h} audit: cmd={x}',
    'host={h} user={u} process_cmdline="{x}"',
    '{"host":"{h}","user":"{u}","process":{"command_line":"{x}"}}',
    'CEF:0|EDR|Sensor|1|{n}|Process|3|dhost={h} cs1={x}',
    'EventCode=4688 ComputerName={h} Account Name: {u} Process Command Line: {x}',
  ],
  told: [
    '{u} ran {x} on {h}',
    'EDR process event {n}: {x} (parent explorer.exe)',
    'seen in the history of {h}: {x}',
    '@soc is this ok? `{x}`',
  ],
};

const random = randomOf(20_261_123);
const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;

function fill(text: string): string {
  let filled = text;
  for (let depth = 0; depth < 3; depth += 1)
    filled = filled
      .replace(/\[([^[\]{}]*\|[^[\]{}]*)\]/gu, (_, options: string) => pick(options.split('|')))
      .replace(/\{(\w+)\}/gu, (whole, name: string) =>
        name === 'n' ? String(2 + Math.floor(random() * 97)) : SLOTS[name] ? pick(SLOTS[name]) : whole,
      )
      .replace(/\[([^[\]]*\|[^[\]]*)\]/gu, (_, options: string) => pick(options.split('|')));
  return filled;
}

const PACK = new URL('../../packs/guard-starter/', import.meta.url);

/** The pack's own samples: a line each rule speaks over, and one like it that it does not. */
export function rowsOfSamples(): Row[] {
  return globSync('samples/*.jsonl', { cwd: PACK }).flatMap((name) =>
    readFileSync(new URL(name, PACK), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { rule: string; text?: string; not?: string })
      .flatMap(({ rule, text, not }) => [
        ...(text ? [{ text, isAttack: true, seed: `samples/true/${rule}`, frame: 'bare' }] : []),
        ...(not ? [{ text: not, isAttack: false, seed: `samples/false/${rule}`, frame: 'bare' }] : []),
      ]),
  );
}

/** Titles of the rules in three languages, as alerts name them. */
export function rowsOfTitles(readings: number): Row[] {
  const titles = readFileSync(new URL('titles.tsv', PACK), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('rule\t'));
  return titles.flatMap((line, i) => {
    const [, ...names] = line.split('\t');
    return names.flatMap((name, language) =>
      Array.from({ length: language === 0 ? readings : 1 }, () => {
        const frame = pick(
          Object.keys(PROSE).filter(
            (style) => !/^(?:zh|ms)$/u.test(style) || style === ['en', 'ms', 'zh'][language],
          ),
        );
        return {
          text: fill(pick(PROSE[frame] as string[])).replace('{x}', () => name),
          isAttack: true,
          seed: `titles/true/${i}`,
          frame,
        };
      }),
    );
  });
}

export function rowsOfSeeds(readings: number): Row[] {
  const rows: Row[] = [];
  for (const name of ['prose', 'zh-ms', 'commands'])
    for (const isAttack of [true, false]) {
      const file = new URL(`seeds/${isAttack ? 'attack' : 'ordinary'}-${name}.txt`, import.meta.url);
      let kind = '';
      for (const [line, seed] of readFileSync(file, 'utf8').trim().split('\n').entries()) {
        if (seed.startsWith('== ')) {
          kind = seed.slice(3);
          continue;
        }
        const frames = name === 'commands' ? COMMANDS : PROSE;
        const styles = Object.keys(frames).filter((style) => !/^(?:zh|ms)$/u.test(style) || style === kind);
        for (let i = 0; i < readings; i += 1) {
          const frame = i === 0 ? 'bare' : pick(styles);
          const core = fill(seed);
          const text = fill(pick(frames[frame] as string[])).replace('{x}', () => core);
          rows.push({ text, isAttack, seed: `${name}/${isAttack}/${kind.split(' ')[0]}/${line}`, frame });
        }
      }
    }
  return rows;
}
