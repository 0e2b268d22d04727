/** `lokal keys`: works on the database, also while the server runs; a revocation holds from the next request on. */
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { modelIds, modelStatus, type Plan, plans, scopes } from '../../api/common.ts';
import { type ApiKey, CreateKeyRequest, RotateKeyRequest, UpdateKeyRequest } from '../../api/keys.ts';
import { ApiError } from '../../errors.ts';
import { createAuditLog } from '../../services/audit/audit-log.ts';
import { defaultSettings } from '../../services/console/settings.ts';
import { createKeyDirectory } from '../../services/keys/key-directory.ts';
import { createKeyService, type KeyService } from '../../services/keys/key-service.ts';
import { visibleModels } from '../../services/model-call.ts';
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
import { withStores } from '../server/data.ts';

const beta = modelIds.filter((id) => modelStatus[id] === 'beta').join(', ');
const allowed: Record<Plan, string> = {
  free: `all models but ${beta}; no --cidr`,
  professional: 'all models',
  enterprise: 'all models, and X-Service-Region',
};
const limits = defaultSettings(0).limits;
const planLines = plans.map((plan) => {
  const { requests_per_minute, tokens_per_minute, concurrent } = limits[plan];
  const [requests, tokens] = [requests_per_minute, tokens_per_minute].map((each) =>
    each.toLocaleString('en'),
  );
  return `  ${plan.padEnd(13)} ${allowed[plan]};\n${' '.repeat(16)}${requests} requests and ${tokens} tokens a minute, ${concurrent} at once`;
});

const help = `Usage: lokal keys list
       lokal keys create NAME [options]
       lokal keys change ID [--name NAME] [options]
       lokal keys rotate ID [--overlap SPAN]
       lokal keys revoke ID

  --name NAME            change: its new name
  --class live|test      create: default live
  --plan PLAN            professional (default of create), free or enterprise
  --scope SCOPES         ${scopes.join(', ')};
                         create: default all but keys and upstream (answers by remote engines)
  --model MODELS         narrow the key to these models; all: to none
  --cidr RANGES          only from these addresses (professional and enterprise); any: from everywhere
  --expires WHEN         a date, a time (ISO 8601), never, or a span in minutes, hours or days, at most ten
                         years: 30m, 12h, 30d
  --overlap SPAN         how long a rotated key goes on working: seconds (5 or 5s), 30m, 12h, 30d (default: a day)
  --json                 print one line of JSON
  --help                 this text

Plans of live keys; the setting limits changes the numbers:
${planLines.join('\n')}

Lists are given with commas or by repeating the option. A change replaces what its options name, keeps the rest and the
secret, and holds from the next request on. A secret is printed once, when its key is made.`;

const defaultOverlapSeconds = 86_400;

export const keys: Command = {
  help,
  options: {
    name: { type: 'string' },
    class: { type: 'string' },
    plan: { type: 'string' },
    scope: { type: 'string', multiple: true },
    model: { type: 'string', multiple: true },
    cidr: { type: 'string', multiple: true },
    expires: { type: 'string' },
    overlap: { type: 'string' },
  },
  run: (input) =>
    withStores((stores) => {
      // One moment for the whole command: a span begins when the key does.
      const moment = Date.now();
      const now = () => moment;
      const directory = createKeyDirectory({ store: stores.keys, now });
      const service = createKeyService({
        store: stores.keys,
        directory,
        now,
        audit: createAuditLog(stores.audit, now),
      });
      actionOf(actions, input)(service, input, moment);
    }),
};

const actions: Record<string, (service: KeyService, input: CommandInput, moment: number) => void> = {
  list(service, { print }) {
    const data = service.list('owner');
    const head = [
      'ID',
      'NAME',
      'CLASS',
      'PLAN',
      'STATUS',
      'EXPIRES',
      'SECRET',
      'LAST USED',
      'SCOPES',
      'MODELS',
      'ONLY FROM',
    ];
    print(
      { object: 'list', data },
      data.length > 0 ? table([head, ...data.map(toRow)]) : ['There are no keys yet.'],
    );
  },

  create(service, input, moment) {
    const request = toRequest(input, moment);
    const key = named(() => service.create(request, 'owner'));
    input.print(key, [
      `${key.secret}`,
      `This is the secret of ${key.id}; it is not shown again. ${modelsLine(key)}`,
    ]);
  },

  change(service, input, moment) {
    const id = required(input, 1, 'ID');
    const change = toChange(input, moment);
    const key = named(() => service.update(id, change, 'owner'));
    input.print(key, [`${key.id} (${key.name}) is changed. ${modelsLine(key)}`]);
  },

  rotate(service, input) {
    const given = text(input.values.overlap);
    const overlap =
      given === undefined
        ? defaultOverlapSeconds
        : (parseSpan(given) ?? Number(given.replace(/^(\d+)s$/, '$1')));
    if (!Value.Check(RotateKeyRequest, { overlap_seconds: overlap }))
      throw new UsageError(
        '--overlap is a number of seconds or a span (5s, 30m, 12h, 30d), at most a year’s',
      );
    const key = service.rotate(required(input, 1, 'ID'), overlap, 'owner');
    const until = overlap === 0 ? 'has ended' : `goes on working for ${overlap} s`;
    input.print(key, [
      `${key.secret}`,
      `This is the secret of ${key.id}; it is not shown again. The old key ${until}.`,
    ]);
  },

  revoke(service, input) {
    const key = service.revoke(required(input, 1, 'ID'), 'owner');
    input.print(key, [`${key.id} (${key.name}) is revoked.`]);
  },
};

/** Effect of a key's plan, scopes and models. */
function modelsLine(key: ApiKey): string {
  const models = visibleModels({
    keyId: key.id,
    name: key.name,
    class: key.class,
    plan: key.plan,
    scopes: new Set(key.scopes),
    models: key.models && new Set(key.models),
  });
  return models.length > 0 ? `It may use ${models.join(', ')}.` : 'It may use no model.';
}

const toTime = (seconds: number | null): string =>
  seconds === null ? 'never' : new Date(seconds * 1000).toISOString().replace('.000', '');

function toRow(key: ApiKey): string[] {
  const ends = [key.expires, key.overlap_ends].filter((end) => end !== null);
  return [
    key.id,
    key.name,
    key.class,
    key.plan,
    key.status,
    toTime(ends.length > 0 ? Math.min(...ends) : null),
    `${key.prefix}…${key.last_four}`,
    toTime(key.last_used),
    key.scopes.join(', '),
    key.models?.join(', ') ?? 'of its plan',
    key.allowed_cidrs.join(', '),
  ];
}

/** Lists are absent where no option names them; the words for no limit at all are the API's null or empty list. */
function toFields(input: CommandInput, moment: number): Record<string, unknown> {
  const { values } = input;
  const unless = (list: string[] | undefined, word: string, none: null | []) =>
    list?.length === 1 && list[0] === word ? none : list;
  return {
    class: text(values.class),
    plan: text(values.plan),
    scopes: texts(input, 'scope'),
    models: unless(texts(input, 'model'), 'all', null),
    allowed_cidrs: unless(texts(input, 'cidr'), 'any', []),
    expires: parseExpiry(text(values.expires), moment),
  };
}

function toRequest(input: CommandInput, moment: number): CreateKeyRequest {
  const { plan = 'professional', ...fields } = toFields(input, moment);
  return checked<CreateKeyRequest>(CreateKeyRequest, { name: required(input, 1, 'NAME'), plan, ...fields });
}

function toChange(input: CommandInput, moment: number): UpdateKeyRequest {
  const { class: given, ...fields } = toFields(input, moment);
  if (given !== undefined) throw new UsageError('--class of a key cannot be changed');
  return checked<UpdateKeyRequest>(UpdateKeyRequest, { name: text(input.values.name), ...fields });
}

/** @throws UsageError that names the option */
function checked<Request>(schema: TSchema, given: Record<string, unknown>): Request {
  const request = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const [problem] = Value.Errors(schema, request);
  if (problem) throw new UsageError(explain(problem));
  return request as Request;
}

/** A refusal of the service names the option instead of the field of the API. */
function named<Answer>(act: () => Answer): Answer {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ApiError && error.param && error.param !== 'id')) throw error;
    throw new UsageError(error.message.replace(`'${error.param}'`, optionFor(error.param.split('[')[0]!)));
  }
}

const optionOf: Record<string, string> = {
  name: 'NAME',
  scopes: '--scope',
  models: '--model',
  allowed_cidrs: '--cidr',
};

const optionFor = (field: string): string => optionOf[field] ?? `--${field}`;

type Problem = ReturnType<typeof Value.Errors>[number];

function explain({ instancePath, keyword, params, message }: Problem): string {
  const field = instancePath.split('/')[1] ?? '';
  const option = optionFor(field);
  if (keyword === 'minProperties') return 'an option is missing that says the change';
  if (keyword === 'enum') return `${option} must be one of ${params.allowedValues.join(', ')}`;
  if (field === 'expires') return `${option} lies between the years 1970 and 9999`;
  if (field === 'name') return 'NAME must be 1 to 100 characters, not blank and without control characters';
  return `${option} ${message}`;
}

const spanSeconds: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };

/** Seconds of `12h` and its like. */
function parseSpan(given: string): number | undefined {
  const span = /^(\d+)([mhd])$/.exec(given);
  return span ? Number(span[1]) * spanSeconds[span[2]!]! : undefined;
}

/** Longer ones are slips of the keys; a later end is written as its date. */
const longestSpanSeconds = 3_653 * 86_400;

/** Unix seconds, or null for never. */
function parseExpiry(given: string | undefined, moment: number): number | null | undefined {
  if (given === undefined) return undefined;
  if (given === 'never') return null;
  const span = parseSpan(given);
  if (span !== undefined) {
    if (span > longestSpanSeconds)
      throw new UsageError(
        '--expires is a span of at most ten years (3653d); a later end is given as a date',
      );
    return Math.floor(moment / 1000) + span;
  }
  const time = Date.parse(given);
  if (Number.isNaN(time))
    throw new UsageError('--expires is a date, a time or a span in minutes, hours or days (30m, 12h, 30d)');
  return Math.floor(time / 1000);
}
