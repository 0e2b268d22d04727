/** Tells the product that wrote a JSON event from the fields it alone has. */
import type { LogEvent, LogSource } from './event.ts';

type Json = Record<string, unknown>;

interface Kind {
  format: string;
  fits(has: (...names: string[]) => boolean, value: (name: string) => string): boolean;
  sources(value: (name: string) => string): LogSource[];
}

const KINDS: readonly Kind[] = [
  {
    format: 'cloudtrail',
    fits: (has) => has('eventsource', 'eventname'),
    sources: () => [{ product: 'aws', service: 'cloudtrail' }],
  },
  {
    format: 'kubernetes-audit',
    fits: (has, value) =>
      value('apiversion').startsWith('audit.k8s.io') ||
      has('auditid', 'verb') ||
      has('objectref.resource', 'verb'),
    sources: () => [
      { product: 'kubernetes', service: 'audit' },
      { product: 'kubernetes', category: 'application', service: 'audit' },
    ],
  },
  {
    format: 'suricata-eve',
    fits: (has) => has('event_type', 'src_ip') || has('event_type', 'flow_id'),
    sources: (value) => [
      { product: 'suricata', service: value('event_type') },
      ...(value('event_type') === 'dns' ? [{ category: 'dns' }] : []),
    ],
  },
  {
    format: 'zeek-json',
    fits: (has) => has('_path') || has('uid', 'id.orig_h'),
    sources: (value) => [{ product: 'zeek', service: value('_path') || guessZeek(value) }],
  },
  {
    format: 'gcp-audit',
    fits: (has) => has('protopayload.methodname') || has('protopayload.servicename'),
    sources: () => [
      { product: 'gcp', service: 'gcp.audit' },
      { product: 'gcp', service: 'google_workspace.admin' },
    ],
  },
  {
    format: 'm365-audit',
    fits: (has) => has('workload', 'operation') || has('recordtype', 'operation'),
    sources: () =>
      ['audit', 'exchange', 'threat_management', 'threat_detection'].map((service) => ({
        product: 'm365',
        service,
      })),
  },
  {
    format: 'okta',
    fits: (has, value) =>
      has('actor.alternateid') || (has('eventtype', 'published') && value('eventtype').includes('.')),
    sources: () => [{ product: 'okta', service: 'okta' }],
  },
  {
    format: 'azure',
    fits: (has) =>
      has('operationname', 'category') ||
      has('operationname', 'resourceid') ||
      has('useridentity', 'conditionalaccessstatus') ||
      has('userprincipalname', 'appdisplayname') ||
      has('riskeventtype'),
    sources: () =>
      ['activitylogs', 'auditlogs', 'signinlogs', 'pim', 'riskdetection'].map((service) => ({
        product: 'azure',
        service,
      })),
  },
  {
    format: 'github-audit',
    fits: (has, value) =>
      has('action', 'actor') && (has('org') || has('repo') || /^[a-z_]+\.[a-z_]+$/u.test(value('action'))),
    sources: () => [{ product: 'github', service: 'audit' }],
  },
  {
    format: 'bitbucket-audit',
    fits: (has) => has('auditType.category'.toLowerCase()) || has('audittype.action'),
    sources: () => [{ product: 'bitbucket', service: 'audit' }],
  },
  {
    format: 'container-runtime',
    fits: (has) => has('output_fields.proc.cmdline') || has('rule', 'priority', 'output'),
    sources: () => [{ product: 'linux', category: 'process_creation' }, { product: 'falco' }],
  },
];

function guessZeek(value: (name: string) => string): string {
  if (value('query') !== '' || value('qtype_name') !== '') return 'dns';
  if (value('uri') !== '' || value('method') !== '') return 'http';
  if (value('server_name') !== '') return 'ssl';
  if (value('endpoint') !== '') return 'dce_rpc';
  return 'conn';
}

/** Other exporters' names for what Sigma rules call by Sysmon's names. */
const ALIASES: readonly [string, string][] = [
  ['process.command_line', 'commandline'],
  ['process.executable', 'image'],
  ['process.parent.executable', 'parentimage'],
  ['process.parent.command_line', 'parentcommandline'],
  ['process.working_directory', 'currentdirectory'],
  ['process.pe.original_file_name', 'originalfilename'],
  ['proc.cmdline', 'commandline'],
  ['proc.exepath', 'image'],
  ['output_fields.proc.cmdline', 'commandline'],
  ['output_fields.proc.exepath', 'image'],
  ['cmdline', 'commandline'],
  ['command_line', 'commandline'],
  ['process_path', 'image'],
  ['exe', 'image'],
  ['parent_process_path', 'parentimage'],
  ['file.path', 'targetfilename'],
  ['registry.path', 'targetobject'],
  ['dns.question.name', 'queryname'],
  ['destination.ip', 'destinationip'],
  ['destination.port', 'destinationport'],
  ['source.ip', 'src_ip'],
  ['user.name', 'user'],
  ['host.name', 'host'],
  ['dns.rrname', 'query'],
  ['http.url', 'c-uri'],
  ['http.http_method', 'cs-method'],
  ['http.http_user_agent', 'c-useragent'],
  ['dest_ip', 'dst_ip'],
  ['id.orig_h', 'src_ip'],
  ['id.resp_h', 'dst_ip'],
  ['sourceipaddress', 'src_ip'],
  ['sourceips', 'src_ip'],
  ['useridentity.arn', 'useridentity.name'],
];

/** Categories for field sets without a product: ECS and EDR exports. */
function guessSources(event: LogEvent): LogSource[] {
  const image = event.fields.get('image')?.[0] ?? '';
  if (!event.fields.has('commandline') || image === '') return [];
  const system = (event.fields.get('host.os.type')?.[0] ?? event.fields.get('os')?.[0] ?? '').toLowerCase();
  const category = 'process_creation';
  if (system.startsWith('mac') || system === 'darwin') return [{ product: 'macos', category }];
  if (image.includes('\\')) return [{ product: 'windows', category }];
  if (!image.startsWith('/')) return [];
  return system === ''
    ? [
        { product: 'linux', category },
        { product: 'macos', category },
      ]
    : [{ product: 'linux', category }];
}

export function setJsonSource(event: LogEvent, _value: Json): void {
  const has = (...names: string[]) => names.every((name) => event.fields.has(name));
  const first = (name: string) => event.fields.get(name)?.[0] ?? '';
  for (const [from, to] of ALIASES) {
    const values = event.fields.get(from);
    if (values !== undefined && values.length > 0 && !event.fields.has(to)) event.fields.set(to, values);
  }
  const kind = KINDS.find((entry) => entry.fits(has, first));
  event.format = kind?.format ?? 'json';
  event.sources = kind?.sources(first) ?? guessSources(event);
  if (event.sources.length === 0) event.sources = guessSources(event);
}
