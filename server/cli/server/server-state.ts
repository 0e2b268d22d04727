/** `lokal usage`, `logs`, `ps`, `stop` and `config`: the state of the server, as the console has it. */
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import {
  type ConsoleEvent,
  type RequestEntry,
  type RequestLog,
  Settings,
  type UsageReport,
} from '../../api/console/console.ts';
import type { PackOverview } from '../../api/console/packs.ts';
import { StartError } from '../../start-error.ts';
import {
  actionOf,
  type Command,
  type CommandInput,
  lastOf,
  required,
  table,
  UsageError,
} from '../command.ts';
import { type LocalApi, withApi } from './local-api.ts';

export const usage: Command = {
  help: `Usage: lokal usage [--json]

Prints what keys have used in the last thirty days, by day, model and who answered; ~ stands before tokens that are estimates.`,
  options: {},
  run: (input) =>
    withApi(async (api) => {
      const report = await api.console<UsageReport>('GET', '/console/usage');
      const head = [
        'DAY',
        'KEY',
        'MODEL',
        'ANSWERED BY',
        'REQUESTS',
        'PROMPT',
        'COMPLETION',
        'IMAGES',
        'PAGES',
      ];
      const rows = report.data.map((row) => [
        row.day,
        row.key_name,
        row.model,
        row.upstream ?? 'this machine',
        String(row.requests),
        ...[row.prompt_tokens, row.completion_tokens].map(
          (count) => `${row.estimated > 0 ? '~' : ''}${count}`,
        ),
        ...[row.images + row.frames, row.pages].map(String),
      ]);
      input.print(report, rows.length > 0 ? table([head, ...rows]) : ['Nothing has been used yet.']);
    }),
};

export const logs: Command = {
  help: `Usage: lokal logs [options]

Prints the latest requests, the newest last: no payload, no secret.

  --last N   so many requests (default 50)
  --follow   go on with each request as it ends, until Ctrl+C
  --json     a line of JSON for each
  --help     this text`,
  options: { follow: { type: 'boolean' }, last: { type: 'string' } },
  async run(input) {
    const last = lastOf(input);
    await withApi(
      async (api) => {
        const { data } = await api.console<RequestLog>('GET', '/console/requests');
        for (const entry of data.slice(0, last).toReversed()) input.print(entry, [toLogLine(entry)]);
        if (input.values.follow) await followRequests(api, input);
      },
      { running: input.values.follow === true },
    );
  },
};

async function followRequests(api: LocalApi, { print }: CommandInput): Promise<void> {
  const stopped = new AbortController();
  process.once('SIGINT', () => stopped.abort());
  try {
    for await (const event of api.follow<ConsoleEvent>(stopped.signal)) {
      if (event.type === 'request' && event.entry.status !== null)
        print(event.entry, [toLogLine(event.entry)]);
    }
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
  }
}

const toLogLine = ({
  time_ms,
  key_name,
  method,
  path,
  status,
  code,
  duration_ms,
  id,
}: RequestEntry): string =>
  [
    new Date(time_ms).toISOString(),
    status ?? 'running',
    `${Math.round(duration_ms ?? 0)} ms`,
    `${method} ${path}`,
    key_name ?? '-',
    code ?? '',
    id,
  ]
    .filter((part) => part !== '')
    .join('  ');

export const ps: Command = {
  help: `Usage: lokal ps [--json]

Prints the packs that are loaded now, with their memory and the requests under way.`,
  options: {},
  run: (input) =>
    withApi(
      async (api) => {
        const loaded = await loadedPacks(api);
        const head = ['PACK', 'STATE', 'RUNNING', 'MEMORY MB', 'PROVIDER'];
        const rows = loaded.map((host) => [
          host.pack,
          host.state,
          String(host.running),
          String(Math.round(host.memory_mb ?? 0)),
          host.provider ?? '',
        ]);
        input.print({ data: loaded }, rows.length > 0 ? table([head, ...rows]) : ['No pack is loaded.']);
      },
      { running: true },
    ),
};

/** States of the packs whose process runs, each once though several roles may be bound to it. */
async function loadedPacks(api: LocalApi) {
  const { roles } = await api.console<PackOverview>('GET', '/console/packs');
  const hosts = roles.flatMap(({ host }) => (host && host.state !== 'stopped' ? [host] : []));
  return [...new Map(hosts.map((host) => [host.pack, host])).values()];
}

export const stop: Command = {
  help: `Usage: lokal stop [PACK] [--json]

Unloads a pack (id@version, as \`lokal ps\` prints it) and gives its memory back; without a name, all that are loaded. The next
request loads it again.`,
  options: {},
  run: (input) =>
    withApi(
      async (api) => {
        const [named] = input.positionals;
        const packs = named ? [named] : (await loadedPacks(api)).map(({ pack }) => pack);
        for (const pack of packs) await api.console('POST', '/console/packs/unload', { pack });
        input.print({ stopped: packs }, packs.length > 0 ? packs : ['No pack is loaded.']);
      },
      { running: true },
    ),
};

export const config: Command = {
  help: `Usage: lokal config list
       lokal config get NAME
       lokal config set NAME VALUE

Settings of the server, which hold at once; list says what each may be and is for. Values are JSON; a word needs no
quotes, and an object may hold only what changes.

  --json   print one line of JSON
  --help   this text`,
  options: {},
  async run(input) {
    const action = actionOf(configActions, input);
    const given = input.positionals[0] === 'list' ? null : settingName(required(input, 1, 'NAME'));
    await withApi((api) => action(api, { input, name: given! }));
  },
};

type ConfigAction = (api: LocalApi, call: { input: CommandInput; name: keyof Settings }) => Promise<void>;

const readSettings = (api: LocalApi): Promise<Settings> => api.console('GET', '/console/settings');

const configActions: Record<string, ConfigAction> = {
  async list(api, { input }) {
    const settings = await readSettings(api);
    input.print(
      settings,
      Object.entries(settings).flatMap(([name, value]) => {
        const schema: Form = Settings.properties[name as keyof Settings];
        return [
          `${name} ${JSON.stringify(value)}`,
          `  ${[formOf(schema), schema.description].filter(Boolean).join('. ')}`,
        ];
      }),
    );
  },

  async get(api, { input, name }) {
    const value = (await readSettings(api))[name];
    input.print(value, [typeof value === 'string' ? value : JSON.stringify(value)]);
  },

  async set(api, { input, name }) {
    const before = (await readSettings(api))[name];
    const value = parseSetting(name, required(input, 2, 'VALUE'), before);
    const settings = await api.console<Settings>('PATCH', '/console/settings', { [name]: value });
    input.print({ [name]: settings[name] }, [`${name} is ${JSON.stringify(settings[name])}`]);
  },
};

function settingName(name: string): keyof Settings {
  if (Object.hasOwn(Settings.properties, name)) return name as keyof Settings;
  throw new UsageError(`there is no setting “${name}”; lokal config list names them`);
}

/** JSON, over what an object holds `before`, or else the word itself. @throws StartError where the setting cannot have it */
function parseSetting(name: keyof Settings, given: string, before: unknown): unknown {
  const schema = Settings.properties[name];
  const values = [given, merged(before, parseJson(given))];
  const value = values.find((each) => Value.Check(schema, each));
  if (value === undefined)
    throw new StartError(`${name} cannot be ${given}: ${faultOf(name, schema, values[1])}.`);
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const merged = (before: unknown, change: unknown): unknown =>
  isObject(before) && isObject(change)
    ? {
        ...before,
        ...Object.fromEntries(
          Object.entries(change).map(([key, value]) => [key, merged(before[key], value)]),
        ),
      }
    : change;

/** Of JSON of the right form the place in it that is wrong. */
function faultOf(name: string, schema: TSchema, value: unknown): string {
  const fault = value !== null && typeof value === 'object' ? Value.Errors(schema, value)[0] : undefined;
  const { type } = schema as Form;
  if (!fault || type !== (Array.isArray(value) ? 'array' : 'object')) return `it is ${formOf(schema)}`;
  return `${name}${fault.instancePath.replaceAll('/', '.')} ${fault.message}`;
}

interface Form {
  description?: string;
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly Form[];
  items?: Form;
  minimum?: number;
  maximum?: number;
}

/** The form of a setting's values, in words. */
function formOf(schema: Form): string {
  if (schema.anyOf) return schema.anyOf.map(formOf).join(', or ');
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'integer' || schema.type === 'number') {
    const kind = schema.type === 'integer' ? 'a whole number' : 'a number';
    return [kind, rangeOf(schema)].filter(Boolean).join(' ');
  }
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'string') return 'a word';
  if (schema.type !== 'array') return schema.type === 'null' ? 'null' : 'an object in JSON';
  return schema.items?.type === 'string' || schema.items?.enum
    ? `a list in JSON, for instance '["one", "two"]'`
    : 'a list in JSON';
}

const rangeOf = ({ minimum, maximum }: Form): string =>
  [minimum === undefined ? '' : `from ${minimum}`, maximum === undefined ? '' : `to ${maximum}`]
    .filter(Boolean)
    .join(' ');

function parseJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}
