/** One client asking for many things that are not there: the shape of a scan, whatever the paths. */

import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';

const MIN_MISSES = 15;
const MISS_SHARE = 0.6;
const MIN_PORTS = 15;
/** Hosts that refuse one client. */
const MIN_HOSTS = 10;
const MIN_LOGINS = 10;
const LOGIN_PATH =
  /(?:wp-login|xmlrpc|login|log-?in|sign-?in|signin|authenticate|j_security_check|session|oauth|token|user\/auth|\/auth)(?:\.\w{2,5})?\/?$/iu;
const REFUSED = /^(?:den(?:y|ied)|drop(?:ped)?|block(?:ed)?|reject(?:ed)?|rej|s0|rsto|rstos0|rstr|sh)$/iu;
const MIN_DENIED = 5;
const DENIED_CALL = /accessdenied|unauthorized|forbidden|permission_?denied|authorizationfailed|\bdenied\b/iu;

interface Client {
  events: LogEvent[];
  misses: LogEvent[];
  paths: Set<string>;
  ports: Set<string>;
  refused: LogEvent[];
  refusedHosts: Set<string>;
  logins: LogEvent[];
  denied: LogEvent[];
  deniedCalls: Set<string>;
}

export function findBursts(events: readonly LogEvent[]): Anomaly[] {
  const clients = new Map<string, Client>();
  for (const event of events) {
    const address = firstField(
      event,
      'src_ip',
      'c-ip',
      'sourceip',
      'srcip',
      'id.orig_h',
      'src',
      'sourceipaddress',
      'requestmetadata.callerip',
      'protopayload.requestmetadata.callerip',
      'calleripaddress',
    );
    if (address === undefined) continue;
    let client = clients.get(address);
    if (client === undefined) {
      client = {
        events: [],
        misses: [],
        paths: new Set(),
        ports: new Set(),
        refused: [],
        refusedHosts: new Set(),
        logins: [],
        denied: [],
        deniedCalls: new Set(),
      };
      clients.set(address, client);
    }
    record(client, event);
  }
  return [...clients.values()].flatMap(judge);
}

function record(client: Client, event: LogEvent): void {
  client.events.push(event);
  const status = firstField(event, 'sc-status', 'status_code', 'status');
  const path = firstField(event, 'cs-uri-stem', 'c-uri');
  if (path !== undefined && status !== undefined && /^40[0134]$/u.test(status)) {
    client.misses.push(event);
    client.paths.add(path);
  }
  const port = firstField(
    event,
    'destinationport',
    'dst_port',
    'dstport',
    'dpt',
    'dport',
    'dest_port',
    'id.resp_p',
  );
  const host = firstField(event, 'destinationip', 'dst_ip', 'dstip', 'dst', 'id.resp_h') ?? '';
  if (port !== undefined) client.ports.add(`${host}:${port}`);
  const verdict = firstField(event, 'action', 'act', 'conn_state', 'disposition', 'verdict');
  if (
    host !== '' &&
    ((verdict !== undefined && REFUSED.test(verdict)) ||
      /\b(?:UFW BLOCK|DROP|REJECT)\b/u.test(event.raw.slice(0, 256)))
  ) {
    client.refused.push(event);
    client.refusedHosts.add(host);
  }
  if (path !== undefined && LOGIN_PATH.test(path) && firstField(event, 'cs-method') === 'POST')
    client.logins.push(event);
  const call = firstField(event, 'eventname', 'protopayload.methodname', 'operationname');
  const error = firstField(
    event,
    'errorcode',
    'protopayload.status.message',
    'resultsignature',
    'errormessage',
  );
  if (call !== undefined && error !== undefined && DENIED_CALL.test(error)) {
    client.denied.push(event);
    client.deniedCalls.add(call);
  }
}

function judge(client: Client): Anomaly[] {
  const found: Anomaly[] = [];
  if (client.paths.size >= MIN_MISSES && client.misses.length >= client.events.length * MISS_SHARE) {
    found.push({
      ruleId: 'anomaly-forced-browsing',
      title: 'One client asks for many paths that do not exist',
      level: 'medium',
      ttps: ['T1595.003'],
      events: client.misses,
    });
  }
  const ports = new Set([...client.ports].map((target) => target.slice(target.lastIndexOf(':') + 1)));
  if (ports.size >= MIN_PORTS && client.ports.size >= client.events.length * MISS_SHARE) {
    found.push({
      ruleId: 'anomaly-port-scan',
      title: 'One host tries many ports',
      level: 'medium',
      ttps: ['T1046'],
      events: client.events,
    });
  }
  if (client.refusedHosts.size >= MIN_HOSTS && client.refused.length >= client.events.length * MISS_SHARE)
    found.push({
      ruleId: 'anomaly-host-sweep',
      title: 'One host is refused by many others',
      level: 'medium',
      ttps: ['T1018', 'T1046'],
      events: client.refused,
    });
  if (client.logins.length >= MIN_LOGINS && client.logins.length >= client.events.length * MISS_SHARE)
    found.push({
      ruleId: 'anomaly-login-page',
      title: 'One client posts to a login page again and again',
      level: 'medium',
      ttps: ['T1110.001'],
      events: client.logins,
    });
  if (client.denied.length >= MIN_DENIED && client.deniedCalls.size >= 3)
    found.push({
      ruleId: 'anomaly-denied-calls',
      title: 'Many different cloud calls are denied to one caller',
      level: 'medium',
      ttps: ['T1580', 'T1526'],
      events: client.denied,
    });
  return found;
}
