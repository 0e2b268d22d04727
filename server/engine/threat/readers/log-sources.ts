/** Sigma log sources of events, as `log-sources.yml` of the pack tells them: by Windows channel and id, or by JSON fields. */
import Type, { type Static } from 'typebox';
import type { EnginePack } from '../../engine.ts';
import { packYaml } from '../../pack-data.ts';
import type { LogEvent, LogSource } from './event.ts';
import { Standing, StandingTables } from './standing.ts';

const Text = Type.String({ minLength: 1 });
const strict = { additionalProperties: false };
const Condition = Type.Object(
  {
    /** Fields that the event has. */
    has: Type.Optional(Type.Array(Text)),
    /** Expressions that the first value of a field meets. */
    value: Type.Optional(Type.Record(Text, Text)),
  },
  strict,
);

export const LogSourceFile = Type.Object(
  {
    windows: Type.Object(
      {
        /** Start of a channel's name → service. The longest that fits wins. */
        channels: Type.Record(Text, Text),
        /** Categories by service and event id. */
        events: Type.Record(Text, Type.Record(Text, Type.Array(Text))),
        /** Categories of every event of a service. */
        services: Type.Record(Text, Type.Array(Text)),
        /** Categories by fields that one kind of event alone has, for exports that lost their channel. */
        fields: Type.Array(Type.Object({ has: Type.Array(Text), categories: Type.Array(Text) }, strict)),
      },
      strict,
    ),
    json: Type.Object(
      {
        /** Other exporters' names → Sysmon's. */
        aliases: Type.Record(Text, Text),
        kinds: Type.Array(
          Type.Object(
            {
              format: Text,
              any: Type.Array(Condition, { minItems: 1 }),
              sources: Type.Array(
                Type.Object(
                  {
                    product: Type.Optional(Text),
                    category: Type.Optional(Text),
                    service: Type.Optional(Text),
                    /** The field that names the service, and what it is where that field is empty. */
                    service_from: Type.Optional(Text),
                    service_guess: Type.Optional(
                      Type.Array(Type.Object({ service: Text, when: Condition }, strict)),
                    ),
                    when: Type.Optional(Condition),
                  },
                  strict,
                ),
              ),
            },
            strict,
          ),
        ),
      },
      strict,
    ),
    standing: StandingTables,
  },
  strict,
);
type File = Static<typeof LogSourceFile>;
type SourceRow = File['json']['kinds'][number]['sources'][number];
type Test = (event: LogEvent) => boolean;

const fieldOf = (event: LogEvent, name: string) => event.fields.get(name)?.[0] ?? '';

function toTest({ has = [], value = {} }: Static<typeof Condition>): Test {
  const values = Object.entries(value).map(([name, pattern]) => [name, new RegExp(pattern, 'u')] as const);
  return (event) =>
    has.every((name) => event.fields.has(name)) &&
    values.every(([name, pattern]) => pattern.test(fieldOf(event, name)));
}

function toSource(row: SourceRow): (event: LogEvent) => LogSource[] {
  const { product, category, service, service_from, service_guess = [], when = {} } = row;
  const holds = toTest(when);
  const guesses = service_guess.map((guess) => ({ service: guess.service, holds: toTest(guess.when) }));
  const given = { ...(product && { product }), ...(category && { category }), ...(service && { service }) };
  return (event) => {
    if (!holds(event)) return [];
    if (service_from === undefined) return [given];
    const named = fieldOf(event, service_from) || guesses.find((guess) => guess.holds(event))?.service;
    return [{ ...given, service: named ?? '' }];
  };
}

/** The source of a command line that names none, by the form of its program's path. */
function guessSources(event: LogEvent): LogSource[] {
  const image = fieldOf(event, 'image');
  if (!event.fields.has('commandline') || image === '') return [];
  const system = (fieldOf(event, 'host.os.type') || fieldOf(event, 'os')).toLowerCase();
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

export class LogSources {
  readonly #windows: File['windows'];
  readonly #channels: [string, string][];
  readonly #aliases: [string, string][];
  readonly #kinds: { format: string; fits: Test; sources(event: LogEvent): LogSource[] }[];

  readonly #standing: Standing;

  constructor({ windows, json, standing }: File) {
    this.#standing = new Standing(standing);
    this.#windows = windows;
    this.#channels = Object.entries(windows.channels).toSorted(([a], [b]) => b.length - a.length);
    this.#aliases = Object.entries(json.aliases);
    this.#kinds = json.kinds.map(({ format, any, sources }) => {
      const tests = any.map(toTest);
      const makers = sources.map(toSource);
      return {
        format,
        fits: (event) => tests.some((test) => test(event)),
        sources: (event) => makers.flatMap((make) => make(event)),
      };
    });
  }

  /** Format and sources of an event with named fields, told by the fields that a product alone has; aliases are filled in. */
  setJson(event: LogEvent): void {
    for (const [from, to] of this.#aliases) {
      const values = event.fields.get(from);
      if (values !== undefined && values.length > 0 && !event.fields.has(to)) event.fields.set(to, values);
    }
    const kind = this.#kinds.find((entry) => entry.fits(event));
    event.format = kind?.format ?? 'json';
    event.sources = kind?.sources(event) ?? [];
    if (event.sources.length === 0) event.sources = guessSources(event);
  }

  setStanding(event: LogEvent): void {
    const standing = this.#standing.of(event);
    if (standing !== undefined) event.standing = standing;
  }

  /** Sources of a Windows event: product windows, with category or service. */
  ofWindows(event: LogEvent, { channel, id, provider }: { channel: string; id: string; provider: string }) {
    const product = provider.toLowerCase().includes('linux-sysmon') ? 'linux' : 'windows';
    const name = (channel === '' ? provider : channel).toLowerCase();
    const service = this.#channels.find(([start]) => name.startsWith(start))?.[1];
    const { events, services, fields } = this.#windows;
    const table = product === 'linux' ? 'sysmon' : service;
    const categories = [...((table && events[table]?.[id]) || [])];
    const antivirus = provider.toLowerCase().includes('antivirus') ? services.windefend : undefined;
    categories.push(...((service && services[service]) || antivirus || []));
    if (service === undefined && categories.length === 0)
      categories.push(
        ...(fields.find(({ has }) => has.every((field) => event.fields.has(field)))?.categories ?? []),
      );
    const sources: LogSource[] = categories.map((category) => ({
      product,
      category,
      ...(service && { service }),
    }));
    sources.push({ product, ...(service && { service }) });
    return sources;
  }
}

/** @throws EngineError internal_error when the pack has no such file or it is not as its schema asks */
export const loadLogSources = async (pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<LogSources> =>
  new LogSources(await packYaml(pack, 'log-sources.yml', LogSourceFile));
