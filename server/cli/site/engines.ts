/** `lokal engines`: remote engines and where the requests of each service go, through the console of the server. */
import { readFileSync } from 'node:fs';
import { type ModelId, modelIds, type Region, regions } from '../../api/common.ts';
import {
  type AddEngineRequest,
  type EngineList,
  type EngineRoute,
  type EngineRouteView,
  type RemoteEngine,
  type RemoteEngineKind,
  remoteEngineKinds,
} from '../../api/console/engines.ts';
import { StartError } from '../../start-error.ts';
import {
  actionOf,
  type Command,
  type CommandInput,
  required,
  table,
  text,
  texts,
  UsageError,
} from '../command.ts';
import { type LocalApi, withApi } from '../server/local-api.ts';

const help = `Usage: lokal engines list
       lokal engines add NAME URL --model SERVICE=THEIR_NAME… [options]
       lokal engines test NAME
       lokal engines drain NAME [--undo]
       lokal engines remove NAME
       lokal engines route SERVICE [TARGET…] [--mode order|weight] [--spill-over N]

Engines on other machines, or other programs of this one, behind the same keys. URL is without /v1. Adding tries the engine at
once, shows what it can do, and ends with code 1 when it cannot be used. Only keys with the scope upstream are answered by them.
A drained engine ends what it runs and gets no more. A route's targets are engines and \`local\`; without any it is forgotten.

  --kind KIND          openai (the default), lokal or oip
  --model SERVICE=NAME repeatable: a service, and the model's name over there
  --secret-file FILE   its key, read from the file's first line; - reads standard input
  --region REGION      my, sg or id
  --weight N           its share beside others, 1 to 1000
  --concurrency N      requests it gets at once
  --ca-file FILE       PEM of the authority that signed its certificate
  --fingerprint HASH   SHA-256 of its certificate, AA:BB:…
  --pseudonyms         replace personal data on the way out, and put it back in answers
  --allow-http         speak to another machine without encryption
  --json               print one line of JSON
  --help               this text`;

export const engines: Command = {
  help,
  options: {
    kind: { type: 'string' },
    model: { type: 'string', multiple: true },
    'secret-file': { type: 'string' },
    region: { type: 'string' },
    weight: { type: 'string' },
    concurrency: { type: 'string' },
    'ca-file': { type: 'string' },
    fingerprint: { type: 'string' },
    'allow-http': { type: 'boolean' },
    pseudonyms: { type: 'boolean' },
    undo: { type: 'boolean' },
    mode: { type: 'string' },
    'spill-over': { type: 'string' },
  },
  async run(input) {
    const prepared = actionOf(actions, input)(input);
    await withApi(prepared);
  },
};

type Work = (api: LocalApi) => Promise<void>;

/** Each reads the command line before a server is asked or started. */
const actions: Record<string, (input: CommandInput) => Work> = {
  list: ({ print }) => {
    return async (api) => {
      const list = await listEngines(api);
      print(list, toLines(list));
    };
  },

  add: (input) => {
    const body = toRequest(input);
    return async (api) => showTrial(input, await api.console<RemoteEngine>('POST', '/console/engines', body));
  },

  test: (input) => {
    const name = required(input, 1, 'NAME');
    return async (api) => {
      const { id } = await findEngine(api, name);
      showTrial(input, await api.console<RemoteEngine>('POST', `/console/engines/${id}/trial`));
    };
  },

  drain: (input) => {
    const name = required(input, 1, 'NAME');
    const draining = input.values.undo !== true;
    return async (api) => {
      const { id } = await findEngine(api, name);
      const engine = await api.console<RemoteEngine>('PATCH', `/console/engines/${id}`, { draining });
      const line = draining
        ? `${name} gets no more requests; ${engine.health.running} are running there.`
        : `${name} gets requests again.`;
      input.print(engine, [line]);
    };
  },

  remove: (input) => {
    const name = required(input, 1, 'NAME');
    return async (api) => {
      const { id } = await findEngine(api, name);
      await api.console('DELETE', `/console/engines/${id}`);
      input.print({ removed: name }, [`${name} is removed, with its secret.`]);
    };
  },

  route: (input) => {
    const role = serviceOf(required(input, 1, 'SERVICE'));
    const targets = input.positionals.slice(2);
    const mode = text(input.values.mode) ?? 'order';
    if (mode !== 'order' && mode !== 'weight') throw new UsageError('--mode is order or weight');
    const route: EngineRoute = { role, mode, targets, spill_over: integer(input, 'spill-over') ?? null };
    return async (api) => {
      const view =
        targets.length > 0
          ? await api.console<EngineRouteView>('PUT', '/console/engine-routes', route)
          : await api.console<EngineRouteView>('DELETE', `/console/engine-routes/${role}`);
      input.print(view, [routeLine(view)]);
    };
  },
};

function toRequest(input: CommandInput): AddEngineRequest {
  const { values } = input;
  const kind = (text(values.kind) ?? 'openai') as RemoteEngineKind;
  if (!remoteEngineKinds.includes(kind)) throw new UsageError('--kind is openai, lokal or oip');
  const region = text(values.region) as Region | undefined;
  if (region && !regions.includes(region)) throw new UsageError(`--region is ${regions.join(', ')}`);
  const [weight, concurrency] = [integer(input, 'weight'), integer(input, 'concurrency')];
  const [ca, secretFile] = [text(values['ca-file']), text(values['secret-file'])];
  const fingerprint = text(values.fingerprint);
  return {
    name: required(input, 1, 'NAME'),
    base_url: addressOf(required(input, 2, 'URL')),
    kind,
    models: (texts(input, 'model') ?? []).map(toModel),
    ...(region && { region }),
    ...(weight && { weight }),
    ...(concurrency && { concurrency }),
    ...(fingerprint && { fingerprint }),
    ...(ca && { ca: readText(ca) }),
    ...(secretFile && { secret: readText(secretFile).split('\n')[0]!.trim() }),
    ...(values['allow-http'] === true && { allow_http: true }),
    ...(values.pseudonyms === true && { pseudonyms: true }),
  };
}

function addressOf(url: string): string {
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw new UsageError(`“${url}” is no address such as https://engine.example:8000`);
  return url.replace(/\/v1\/?$/, '');
}

function toModel(pair: string): { role: ModelId; model: string } {
  const at = pair.indexOf('=');
  if (at < 1 || at === pair.length - 1) throw new UsageError('--model is SERVICE=THEIR_NAME');
  return { role: serviceOf(pair.slice(0, at)), model: pair.slice(at + 1) };
}

function serviceOf(name: string): ModelId {
  if (!modelIds.includes(name as ModelId))
    throw new UsageError(`a service is one of ${modelIds.join(', ')}; “${name}” is none`);
  return name as ModelId;
}

function integer({ values }: CommandInput, name: string): number | undefined {
  const given = text(values[name]);
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(given)) throw new UsageError(`--${name} is a whole number above 0`);
  return Number(given);
}

/** @throws StartError when it cannot be read */
function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch {
    throw new StartError(`${path} cannot be read.`);
  }
}

const listEngines = (api: LocalApi): Promise<EngineList> =>
  api.console<EngineList>('GET', '/console/engines');

async function findEngine(api: LocalApi, name: string): Promise<RemoteEngine> {
  const { data } = await listEngines(api);
  const found = data.find((engine) => engine.name === name || engine.id === name);
  if (!found) throw new StartError(`There is no engine “${name}”; lokal engines list names them.`);
  return found;
}

/** An engine whose trial failed ends the command with code 1. */
function showTrial(input: CommandInput, engine: RemoteEngine): void {
  const { trial } = engine;
  const checks = (trial?.checks ?? []).map(({ detail, model, ms, name, outcome }) => [
    `  ${outcome}`,
    model ? `${name} (${model})` : name,
    ms === null ? '' : `${Math.round(ms)} ms`,
    detail,
  ]);
  const found = trial?.found.length ? [`It lists: ${trial.found.slice(0, 20).join(', ')}`] : [];
  const verdict = trial?.passed ? 'is used from now on' : 'is not used until a trial passes';
  input.print(engine, [
    `${engine.name}: ${trial?.summary ?? 'not tried'}`,
    ...found,
    ...table(checks),
    `${engine.name} ${verdict}.`,
  ]);
  if (!trial?.passed) process.exitCode = 1;
}

function toLines({ data, routes, sealed }: EngineList): string[] {
  if (data.length === 0) return ['There is no remote engine.'];
  const rows = data.map(({ base_url: url, concurrency, health, kind, models, name }) => [
    name,
    health.state,
    `${health.running}/${concurrency}`,
    String(health.requests),
    String(health.errors),
    health.first_byte_ms === null ? '-' : `${Math.round(health.first_byte_ms)} ms`,
    kind,
    url,
    models.map(({ model, role }) => `${role}=${model}`).join(' '),
  ]);
  const head = ['NAME', 'STATE', 'RUNNING', 'REQUESTS', 'ERRORS', 'FIRST BYTE', 'KIND', 'URL', 'MODELS'];
  const reasons = data.flatMap(({ health, name }) => (health.reason ? [`${name}: ${health.reason}`] : []));
  return [
    ...table([head, ...rows]),
    ...reasons,
    ...routes.map(routeLine),
    ...(sealed ? ['Lokal is sealed: engines beyond this machine are not asked.'] : []),
  ];
}

const routeLine = ({ mode, role, serving }: EngineRouteView): string =>
  `${role} (${mode}): ${serving.join(', ') || 'nobody'}`;
