/** From channel and event number to Sigma's log sources (product windows, category or service). */
import type { LogEvent, LogSource } from '../event.ts';

const SYSMON: Readonly<Record<string, readonly string[]>> = {
  '1': ['process_creation'],
  '2': ['file_change'],
  '3': ['network_connection'],
  '4': ['sysmon_status'],
  '5': ['process_termination'],
  '6': ['driver_load'],
  '7': ['image_load'],
  '8': ['create_remote_thread'],
  '9': ['raw_access_thread'],
  '10': ['process_access'],
  '11': ['file_event'],
  '12': ['registry_event', 'registry_add', 'registry_delete'],
  '13': ['registry_event', 'registry_set'],
  '14': ['registry_event', 'registry_rename'],
  '15': ['create_stream_hash'],
  '16': ['sysmon_status'],
  '17': ['pipe_created'],
  '18': ['pipe_created'],
  '19': ['wmi_event'],
  '20': ['wmi_event'],
  '21': ['wmi_event'],
  '22': ['dns_query'],
  '23': ['file_delete'],
  '24': ['clipboard_capture'],
  '25': ['process_tampering'],
  '26': ['file_delete'],
  '27': ['file_block_executable'],
  '28': ['file_block_shredding'],
  '29': ['file_executable_detected'],
  '255': ['sysmon_error'],
};

const POWERSHELL: Readonly<Record<string, string>> = {
  '4103': 'ps_module',
  '4104': 'ps_script',
  '400': 'ps_classic_start',
  '600': 'ps_classic_provider_start',
  '800': 'ps_classic_script',
};

/** Start of the channel's name (lower case) → service. The longest that fits wins. */
const SERVICES: readonly (readonly [string, string])[] = [
  ['security-mitigations', 'security-mitigations'],
  ['microsoft-windows-security-mitigations', 'security-mitigations'],
  ['security', 'security'],
  ['system', 'system'],
  ['application', 'application'],
  ['microsoft-windows-sysmon', 'sysmon'],
  ['microsoft-windows-powershell', 'powershell'],
  ['powershellcore', 'powershell'],
  ['windows powershell', 'powershell-classic'],
  ['microsoft-windows-windows defender', 'windefend'],
  ['microsoft-windows-taskscheduler', 'taskscheduler'],
  ['microsoft-windows-wmi-activity', 'wmi'],
  ['microsoft-windows-bits-client', 'bits-client'],
  ['microsoft-windows-dns-client', 'dns-client'],
  ['dns server', 'dns-server'],
  ['microsoft-windows-dnsserver/audit', 'dns-server-audit'],
  ['microsoft-windows-dns-server/analytical', 'dns-server-analytic'],
  ['microsoft-windows-dnsserver/analytical', 'dns-server-analytic'],
  ['microsoft-windows-ntlm', 'ntlm'],
  ['microsoft-windows-codeintegrity', 'codeintegrity-operational'],
  ['microsoft-windows-applocker', 'applocker'],
  ['microsoft-windows-appxdeployment', 'appxdeployment-server'],
  ['microsoft-windows-appxdeploymentserver', 'appxdeployment-server'],
  ['microsoft-windows-appxpackaging', 'appxpackaging-om'],
  ['microsoft-windows-appmodel-runtime', 'appmodel-runtime'],
  ['microsoft-windows-windows firewall', 'firewall-as'],
  ['microsoft-windows-printservice/admin', 'printservice-admin'],
  ['microsoft-windows-printservice/operational', 'printservice-operational'],
  ['microsoft-windows-smbclient/security', 'smbclient-security'],
  ['microsoft-windows-smbclient/connectivity', 'smbclient-connectivity'],
  ['microsoft-windows-smbserver/connectivity', 'smbserver-connectivity'],
  ['microsoft-windows-terminalservices-localsessionmanager', 'terminalservices-localsessionmanager'],
  ['microsoft-windows-capi2', 'capi2'],
  [
    'microsoft-windows-certificateservicesclient-lifecycle-system',
    'certificateservicesclient-lifecycle-system',
  ],
  ['microsoft-windows-driverframeworks', 'driver-framework'],
  ['microsoft-windows-diagnosis-scripted', 'diagnosis-scripted'],
  ['microsoft-windows-ldap-client', 'ldap'],
  ['microsoft-windows-lsa', 'lsa-server'],
  ['microsoft-windows-shell-core', 'shell-core'],
  ['microsoft-servicebus-client', 'microsoft-servicebus-client'],
  ['microsoft-iis-configuration', 'iis-configuration'],
  ['msexchange management', 'msexchange-management'],
  ['openssh', 'openssh'],
  ['microsoft-windows-openssh', 'openssh'],
  ['microsoft-windows-hyper-v-worker', 'hyper-v-worker'],
  ['microsoft-windows-kernel-shimengine', 'kernel-shimengine'],
  ['microsoft-windows-kernel-eventtracing', 'kernel-event-tracing'],
];

function serviceOf(channel: string): string | undefined {
  const name = channel.toLowerCase();
  let found: readonly [string, string] | undefined;
  for (const entry of SERVICES) {
    if (name.startsWith(entry[0]) && (found === undefined || entry[0].length > found[0].length))
      found = entry;
  }
  return found?.[1];
}

/** Fields only one kind of event has, for exports that lost their channel. */
function guessCategories(event: LogEvent): string[] {
  const has = (name: string) => event.fields.has(name);
  if (has('targetobject')) return ['registry_event', 'registry_set', 'registry_add', 'registry_delete'];
  if (has('imageloaded')) return has('image') ? ['image_load'] : ['driver_load'];
  if (has('targetfilename')) return ['file_event'];
  if (has('pipename')) return ['pipe_created'];
  if (has('queryname')) return ['dns_query'];
  if (has('grantedaccess')) return ['process_access'];
  if (has('destinationip')) return ['network_connection'];
  if (has('scriptblocktext')) return ['ps_script'];
  if (has('commandline') && has('image')) return ['process_creation'];
  return [];
}

export function windowsSources(channel: string, id: string, provider: string, event: LogEvent): LogSource[] {
  const product = provider.toLowerCase().includes('linux-sysmon') ? 'linux' : 'windows';
  const service = serviceOf(channel === '' ? provider : channel);
  const categories: string[] = [];
  if (service === 'sysmon' || product === 'linux') categories.push(...(SYSMON[id] ?? []));
  if ((service === 'powershell' || service === 'powershell-classic') && POWERSHELL[id])
    categories.push(POWERSHELL[id]);
  if (service === 'security' && id === '4688') categories.push('process_creation');
  if (service === 'security' && id === '4657') categories.push('registry_event', 'registry_set');
  if (service === 'security' && id === '5156') categories.push('network_connection');
  if (service === 'windefend' || provider.toLowerCase().includes('antivirus')) categories.push('antivirus');
  if (service === undefined && categories.length === 0) categories.push(...guessCategories(event));
  const sources: LogSource[] = categories.map((category) => ({
    product,
    category,
    ...(service && { service }),
  }));
  sources.push({ product, ...(service && { service }) });
  return sources;
}
