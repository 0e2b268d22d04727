/**
 * One name for what products call differently: command line, program, parent, registry key, file, and the action of an audit
 * trail. Told by the words of a field's path, so that a product nobody has seen is read as well.
 */
import { shellForms } from '../text/shell-forms.ts';
import type { LogEvent, LogSource } from './event.ts';
import { addField, firstField } from './event.ts';

const MAX_COMMAND = 8192;
const MAX_DETAIL = 8192;
/** Forms of one command line that rules see beside the written one. */
const MAX_FORMS = 6;
const MAX_IMAGES = 24;

const WEB = /^(?:http|cs-|c-|sc-|alert|dns|tls|smtp|smb)/u;
const PARENT = /parent|initiating|^sproc|sourceproc|sourceimage|callingproc|actorproc|^ppname|creatorproc/u;
const COMMAND =
  /(?:command|cmd)(?:lines?|text|string|executed)?$|cmdline\w{0,8}$|(?:proc|process|exec)(?:args|arguments)$|argv$|^args$|execve$/u;
const IMAGE =
  /(?:exe|image|imagepath|executable|exepath|processpath|procpath|processname|procname|processimage|processfilename|binary|^dproc|newprocess)$/u;
const REGISTRY =
  /(?:registry(?:key|path|keypath|keyname|object|valuepath)?|regkey|regpath|registrytarget\w*|keypath)$/u;
const REGISTRY_VALUE = /(?:registry|reg)valuename$/u;
const REGISTRY_DATA = /(?:registry|reg)(?:value)?data$|registryvalue$|registryvaluestrings?$/u;
const FILE = /(?:filepath|targetpath|targetfile|targetfilename|fname|filefullpath)$/u;

const squeeze = (name: string) => name.replace(/[^a-z0-9]/gu, '');

/** ArcSight's custom fields: `cs1Label=CommandLine cs1=…`. */
function customLabels(event: LogEvent): void {
  for (const [name, values] of [...event.fields]) {
    if (!name.endsWith('label') || name.length > 40) continue;
    const value = event.fields.get(name.slice(0, -5))?.[0];
    const label = values[0]?.replace(/\s/gu, '');
    if (value !== undefined && label && /^[\w.-]{2,40}$/u.test(label)) addField(event, label, value);
  }
}

function addOnce(event: LogEvent, name: string, values: readonly string[]): void {
  if (event.fields.has(name)) return;
  for (const value of values) if (value !== '') addField(event, name, value);
}

function nameFields(event: LogEvent): void {
  const found: [string, readonly string[]][] = [];
  let key: string | undefined;
  let valueName: string | undefined;
  for (const [name, values] of event.fields) {
    const first = values[0];
    if (first === undefined || first === '' || name.length > 80 || WEB.test(name)) continue;
    const short = squeeze(name);
    const parent = PARENT.test(short) ? 'parent' : '';
    if (COMMAND.test(short)) found.push([`${parent}commandline`, [values.join(' ')]]);
    else if (
      IMAGE.test(short) ||
      (parent !== '' && /(?:^|[._])(?:name|path|filename)$|^sproc|parent$/u.test(name))
    )
      found.push([`${parent}image`, values]);
    else if (/(?:^|[._])proc(?:ess)?[._](?:name|path|file)$/u.test(name)) found.push(['image', values]);
    else if (REGISTRY_VALUE.test(short)) valueName = first;
    else if (REGISTRY.test(short)) key = first;
    else if (REGISTRY_DATA.test(short)) found.push(['details', values]);
    else if (FILE.test(short)) found.push(['targetfilename', values]);
  }
  // A program in full, then its name alone: the first value that a field holds is what it is called.
  for (const [role, values] of found.toSorted((a, b) => length(b[1]) - length(a[1])))
    addOnce(event, role, values);
  if (key !== undefined)
    addOnce(event, 'targetobject', [valueName === undefined ? key : `${key}\\${valueName}`]);
  if (!event.fields.has('image') && event.fields.has('commandline'))
    addOnce(event, 'image', event.fields.get('filename') ?? event.fields.get('path') ?? []);
}

const length = (values: readonly string[]) => values[0]?.length ?? 0;

/** `cmd.exe` without its folder ends like a path all the same. */
function withSeparators(event: LogEvent, name: string): void {
  for (const value of event.fields.get(name) ?? []) {
    const program = /^"?([^"]{1,260}?\.(?:exe|bin|dll|scr))"?\s/iu.exec(value)?.[1];
    if (program !== undefined) addField(event, name, /[\\/]/u.test(program) ? program : `\\${program}`);
    if (value === '' || /[\\/\s]/u.test(value) || value.length > 128) continue;
    addField(event, name, `\\${value}`);
    if (!/\.\w{2,4}$/u.test(value)) addField(event, name, `/${value}`);
  }
}

const SPLIT = /\|\||&&|[|;&\n]|\$\(|`|>\(|<\(/u;
const WRAPPER =
  /^(?:["'(@{\s]|\w+=\S* |(?:sudo|nohup|exec|start|call|env|time|setsid|command|xargs|watch|timeout \d+\w?|then|do|else)\s+(?:-\S+\s+)*|(?:\S*[\\/])?(?:cmd|powershell|pwsh)(?:\.exe)?"?\s+(?:[-/]\w+\s+(?:bypass\s+|hidden\s+)?)*|(?:\S*\/)?(?:ba|da|z|k)?sh\s+-\w*c\s+)/iu;
const SHELL = /[\\/](?:cmd|powershell|pwsh|sh|bash|dash|zsh|ksh|busybox|sudo|env)(?:\.exe)?$/iu;

/** Programs that a command line starts: the first word of each of its parts, behind shells that only pass it on. */
function programs(command: string): string[] {
  const found = new Set<string>();
  for (const part of command.slice(0, MAX_COMMAND).split(SPLIT).slice(0, 40)) {
    let rest = part.trim();
    for (let i = 0; i < 6; i += 1) {
      add(found, rest);
      const next = rest.replace(WRAPPER, '');
      if (next === rest) break;
      rest = next;
    }
    if (found.size >= MAX_IMAGES) break;
  }
  return [...found];
}

function add(found: Set<string>, rest: string): void {
  const path = /^"([^"]{1,260})"|^'([^']{1,260})'|^([^\s"'(){}]{1,260})/u.exec(rest);
  const value = path?.[1] ?? path?.[2] ?? path?.[3];
  // The last part of an address is no program.
  if (value === undefined || value.includes('://')) return;
  const name = value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\')) + 1);
  if (!/^[\w.+-]{1,64}$/u.test(name) || !/[a-z]/iu.test(name)) return;
  if (/\.\w{2,4}$/u.test(name)) found.add(`\\${name}`);
  else found.add(`\\${name}.exe`).add(`/${name}`);
}

/** `Verify now: …`, `Hello,`: words up to the sign that ends or opens a sentence, which no program's name is. */
const SENTENCE = /^\p{Lu}\p{Ll}+(?: \p{L}[\p{L}'’-]*){0,7}[:,.!?](?:\s|$)/u;

/** Marks by which a command line may hide another. */
const HIDDEN = /[\^`$+\\]|["'][^"']{0,60}["']|b(?:ase)?64|-e\w{0,14} |\[char|%\w+%|rev\b/iu;

function readCommand(event: LogEvent): void {
  const written = event.fields.get('commandline');
  if (written === undefined) return;
  for (const command of [...written]) {
    if (command.length > MAX_COMMAND || !HIDDEN.test(command)) continue;
    for (const form of shellForms(command).slice(0, MAX_FORMS)) addField(event, 'CommandLine', form);
  }
  const image = event.fields.get('image')?.[0];
  if (image !== undefined && !SHELL.test(`/${image}`)) return;
  for (const command of event.fields.get('commandline') ?? []) {
    if (event.isBare && SENTENCE.test(command)) continue;
    for (const program of programs(command)) addField(event, 'Image', program);
  }
}

/** Process events of products that no table names meet the rules of the systems their paths fit. */
function addProcessSources(event: LogEvent): void {
  if (event.sources.length === 0 || !event.fields.has('commandline')) return;
  if (event.sources.some(({ category }) => category === 'process_creation')) return;
  const paths = [...(event.fields.get('image') ?? []), ...(event.fields.get('commandline') ?? [])].join(' ');
  const isUnix = /(?:^|\s)\/(?:bin|usr|tmp|dev|var|home|opt|etc|root|sbin)\//u.test(paths);
  const products = isUnix
    ? ['linux', 'macos']
    : /[a-z]:\\|\.exe\b/iu.test(paths)
      ? ['windows']
      : ['windows', 'linux', 'macos'];
  const sources: LogSource[] = products.map((product) => ({ product, category: 'process_creation' }));
  event.sources = [...event.sources, ...sources];
}

/** Field names of an action, the more telling first. */
const ACTIONS = [
  'eventname',
  'protopayloadmethodname',
  'methodname',
  'activitydisplayname',
  'operationnamevalue',
  'operationname',
  'operation',
  'eventtype',
  'actiontype',
  'eventaction',
  'action',
  'activity',
  'activityname',
  'apiname',
  'api',
  'apicall',
  'event',
  'name',
];
const STRUCTURED =
  /^(?:json|cloudtrail|.*audit.*|okta|azure|csv|key-value|cef|leef|windows-json|github|gcp|m365|suricata|container|auditd)/u;
const OUTCOME =
  /(?:^|[._])(?:outcome|result|resultstatus|resulttype|status|conclusion|success)(?:[._]result)?$/u;
const FAILED =
  /^(?:fail\w*|den(?:y|ied)|error|block(?:ed)?|reject\w*|forbidden|unauthorized|false|(?:failed_precondition|permission_denied|access_?denied)\b.{0,200})$/iu;

/** `google.iam.admin.v1.CreateServiceAccountKey` → `google iam admin v1 create service account key`. */
const toWords = (name: string) =>
  name
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/gu, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
    // Some say the object first: `diagnosticSettings/delete` reads `delete diagnostic settings` as well.
    .replace(
      /^(.+) (delete|write|create|update|disable|deactivate|remove|destroy|stop|insert|patch|add)$/u,
      '$1 $2 | $2 $1',
    );

function actionOf(event: LogEvent): string | undefined {
  const verb = firstField(event, 'verb');
  const uri = firstField(event, 'requesturi');
  const resource = firstField(event, 'objectref.resource') ?? kubernetesResource(uri);
  if (verb !== undefined && resource !== undefined)
    return `${verb} ${resource} ${firstField(event, 'objectref.subresource') ?? ''}`.trim().toLowerCase();
  const bySqueezed = new Map<string, string>();
  for (const [name, values] of event.fields) {
    const first = values[0];
    if (first === undefined || first === '' || first.length > 160) continue;
    const short = squeeze(name);
    for (const action of ACTIONS)
      if ((short === action || (action.length > 6 && short.endsWith(action))) && !bySqueezed.has(action))
        bySqueezed.set(action, first);
  }
  const parts = ACTIONS.map((name) => bySqueezed.get(name)).filter((value) => value !== undefined);
  return parts.length === 0 ? undefined : [...new Set(parts)].slice(0, 3).map(toWords).join(' | ');
}

/** `/apis/GROUP/VERSION/namespaces/NS/pods/NAME/exec` → `pods exec`. */
function kubernetesResource(uri: string | undefined): string | undefined {
  const path =
    /^\/apis?\/(?:[\w.-]{1,80}\/)?v\w{1,12}\/(?:(?:watch\/)?namespaces\/[^/?]{1,100}\/)?([^/?]{1,60})(?:\/([^/?]{1,254}))?(?:\/([a-z]{1,40}))?/u.exec(
      uri ?? '',
    );
  return path === null ? undefined : `${path[1]} ${path[3] ?? ''}`.trim();
}

function readAction(event: LogEvent): void {
  if (!STRUCTURED.test(event.format) || event.fields.has('c-uri')) return;
  const action = actionOf(event);
  let detail = '';
  let failed = false;
  for (const [name, values] of event.fields) {
    for (const value of values) if (detail.length < MAX_DETAIL) detail += `${name}=${value} `;
    if (OUTCOME.test(name) && values.some((value) => FAILED.test(value))) failed = true;
    if (/(?:^|[._])(?:status\.code|responsestatus\.code|statuscode)$/u.test(name) && Number(values[0]) >= 400)
      failed = true;
    if (
      /(?:^|[._])error(?:code|message)?$/u.test(name) &&
      values.some((value) => !/^(?:0|none|null|)$/iu.test(value))
    )
      failed = true;
  }
  if (action !== undefined) addField(event, 'AuditAction', action);
  addField(event, 'AuditDetail', detail);
  addField(event, 'AuditResult', failed ? 'failure' : 'success');
  if (event.sources.length > 0) event.sources = [...event.sources, { category: 'audit_action' }];
}

/** Adds the common names beside the event's own; a line of text counts as a command line that may be one. */
export function nameRoles(event: LogEvent): void {
  customLabels(event);
  nameFields(event);
  if (event.format === 'text' && !event.fields.has('commandline') && !event.fields.has('c-uri')) {
    event.isBare = true;
    if (event.raw.length <= MAX_COMMAND) addField(event, 'CommandLine', event.raw.trim());
  }
  if (!event.fields.has('parentimage')) {
    // A blank ends the program where the line is the program alone.
    for (const line of event.fields.get('parentcommandline') ?? [])
      addField(event, 'ParentImage', `${line} `);
  }
  for (const name of ['image', 'parentimage']) withSeparators(event, name);
  readCommand(event);
  addProcessSources(event);
  readAction(event);
}
