import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

const SYSTEM32 = 'C:\\Windows\\System32';
const PROCESSES: readonly (readonly [image: string, command: string, parent: string])[] = [
  [
    `${SYSTEM32}\\svchost.exe`,
    'C:\\Windows\\system32\\svchost.exe -k netsvcs -p -s Schedule',
    `${SYSTEM32}\\services.exe`,
  ],
  [`${SYSTEM32}\\taskhostw.exe`, 'taskhostw.exe KEYROAMING', `${SYSTEM32}\\svchost.exe`],
  [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    '"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe" --type=renderer --lang=en-GB',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ],
  [
    'C:\\Program Files\\Microsoft Office\\root\\Office16\\WINWORD.EXE',
    '"C:\\Program Files\\Microsoft Office\\root\\Office16\\WINWORD.EXE" /n "C:\\Users\\aisyah\\Documents\\Laporan Mac.docx"',
    'C:\\Windows\\explorer.exe',
  ],
  [
    `${SYSTEM32}\\WindowsPowerShell\\v1.0\\powershell.exe`,
    'powershell.exe -ExecutionPolicy RemoteSigned -File C:\\Scripts\\Inventory.ps1',
    `${SYSTEM32}\\svchost.exe`,
  ],
  [
    `${SYSTEM32}\\WindowsPowerShell\\v1.0\\powershell.exe`,
    'powershell.exe Get-Service | Where-Object Status -eq Running',
    'C:\\Windows\\explorer.exe',
  ],
  [
    `${SYSTEM32}\\cmd.exe`,
    'cmd.exe /c "C:\\Program Files\\App\\update.bat"',
    'C:\\Program Files\\App\\updater.exe',
  ],
  [`${SYSTEM32}\\msiexec.exe`, 'msiexec /i C:\\Deploy\\7zip.msi /qn', 'C:\\Windows\\CCM\\CcmExec.exe'],
  [
    `${SYSTEM32}\\conhost.exe`,
    '\\??\\C:\\Windows\\system32\\conhost.exe 0xffffffff -ForceV1',
    `${SYSTEM32}\\cmd.exe`,
  ],
  [
    `${SYSTEM32}\\rundll32.exe`,
    'rundll32.exe shell32.dll,Control_RunDLL desk.cpl',
    'C:\\Windows\\explorer.exe',
  ],
  [`${SYSTEM32}\\schtasks.exe`, 'schtasks /query /fo LIST', `${SYSTEM32}\\cmd.exe`],
  [`${SYSTEM32}\\wevtutil.exe`, 'wevtutil qe System /c:5 /rd:true /f:text', `${SYSTEM32}\\cmd.exe`],
  [
    `${SYSTEM32}\\reg.exe`,
    'reg query HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion /v ProductName',
    `${SYSTEM32}\\cmd.exe`,
  ],
  [`${SYSTEM32}\\net.exe`, 'net use Z: \\\\files01\\share', 'C:\\Windows\\explorer.exe'],
  [`${SYSTEM32}\\ipconfig.exe`, 'ipconfig', `${SYSTEM32}\\cmd.exe`],
  [`${SYSTEM32}\\certutil.exe`, 'certutil -store My', `${SYSTEM32}\\cmd.exe`],
  [
    'C:\\Program Files\\Git\\cmd\\git.exe',
    'git fetch --all --prune',
    'C:\\Users\\ravi\\AppData\\Local\\Programs\\Microsoft VS Code\\Code.exe',
  ],
  ['C:\\Program Files\\nodejs\\node.exe', 'node server.js', `${SYSTEM32}\\cmd.exe`],
];
const FILES = [
  'C:\\Users\\aisyah\\Documents\\bajet-2025.xlsx',
  'C:\\Windows\\Temp\\TS_4F2B.tmp',
  'C:\\Users\\ravi\\AppData\\Local\\Google\\Chrome\\User Data\\Default\\Cache\\f_0001',
  'C:\\ProgramData\\Microsoft\\Windows Defender\\Scans\\mpcache.bin',
];
const KEYS: readonly (readonly [string, string])[] = [
  [
    'HKU\\S-1-5-21-1-1001\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\RecentDocs\\MRUListEx',
    'Binary Data',
  ],
  [
    'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Run\\SecurityHealth',
    '%windir%\\system32\\SecurityHealthSystray.exe',
  ],
  ['HKLM\\System\\CurrentControlSet\\Services\\Tcpip\\Parameters\\DhcpNameServer', '10.0.0.1'],
];

const sysmon = (clock: Clock, id: number, data: Record<string, unknown>) =>
  JSON.stringify({
    EventID: id,
    Channel: 'Microsoft-Windows-Sysmon/Operational',
    Provider_Name: 'Microsoft-Windows-Sysmon',
    Computer: 'WS-021.corp.local',
    UtcTime: clock.sysmon(),
    ...data,
  });
const security = (clock: Clock, id: number, data: Record<string, unknown>) =>
  JSON.stringify({
    EventID: id,
    Channel: 'Security',
    Provider_Name: 'Microsoft-Windows-Security-Auditing',
    Computer: 'DC-01.corp.local',
    TimeCreated: clock.iso(),
    ...data,
  });

export function windowsLine(random: Random, clock: Clock): string {
  const user = random.pick(['CORP\\aisyah', 'CORP\\ravi', 'NT AUTHORITY\\SYSTEM']);
  const name = random.pick(['aisyah', 'ravi', 'weiming', 'svc_backup', 'WS-021$']);
  const kind = random.int(0, 9);
  if (kind <= 2) {
    const [Image, CommandLine, ParentImage] = random.pick(PROCESSES);
    return sysmon(clock, 1, {
      Image,
      CommandLine,
      ParentImage,
      User: user,
      Hashes: `SHA256=${random.hex(64)}`,
      IntegrityLevel: 'Medium',
    });
  }
  if (kind === 3)
    return sysmon(clock, 3, {
      Image: random
        .pick(PROCESSES)[0]
        .replace(/.*\\(?:rundll32|certutil|powershell|reg)\.exe/u, 'C:\\Windows\\explorer.exe'),
      DestinationIp: random.pick(['10.0.0.5', '172.16.4.2', '13.107.42.14']),
      DestinationPort: random.pick(['443', '445', '53']),
      User: user,
    });
  if (kind === 4)
    return sysmon(clock, 11, {
      Image: random.pick(PROCESSES)[0],
      TargetFilename: random.pick(FILES),
      User: user,
    });
  if (kind === 5) {
    const [TargetObject, Details] = random.pick(KEYS);
    return sysmon(clock, 13, {
      EventType: 'SetValue',
      Image: `${SYSTEM32}\\svchost.exe`,
      TargetObject,
      Details,
    });
  }
  if (kind === 6)
    return sysmon(clock, 22, {
      QueryName: random.pick([
        'login.microsoftonline.com',
        'www.google.com',
        'files01.corp.local',
        'update.code.visualstudio.com',
      ]),
      Image: random.pick(PROCESSES)[0],
      QueryStatus: '0',
    });
  if (kind === 7)
    return security(clock, 4624, {
      LogonType: random.pick(['2', '3', '5', '7']),
      TargetUserName: name,
      TargetDomainName: 'CORP',
      IpAddress: random.pick(['10.0.4.21', '-', '10.0.4.77']),
      LogonProcessName: 'Kerberos',
    });
  if (kind === 8)
    return security(clock, 4769, {
      TicketEncryptionType: '0x12',
      Status: '0x0',
      ServiceName: 'FILES01$',
      TargetUserName: `${name}@CORP.LOCAL`,
      IpAddress: '10.0.4.21',
    });
  return JSON.stringify({
    EventID: 4104,
    Channel: 'Microsoft-Windows-PowerShell/Operational',
    Computer: 'WS-021',
    ScriptBlockText: random.pick([
      'Get-ADUser -Filter * -Properties LastLogonDate | Export-Csv C:\\Reports\\users.csv',
      'Get-ChildItem -Recurse | Measure-Object -Property Length -Sum',
      'Import-Module ActiveDirectory',
    ]),
  });
}
