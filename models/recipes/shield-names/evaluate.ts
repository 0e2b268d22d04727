/**
 * Sets the thresholds on one half of the held-back templates and reports on the other: node evaluate.ts --work DIR [--pack DIR]
 *
 * Held-back templates are filled with held-back names, places, organizations and titles only. pii-presidio-dev is split by template.
 * Every fourth block of the written texts, which train.ts --part leaves out, sets thresholds too; a model of all of them takes those
 * of such a one (--thresholds WORK_DIR). With --pack the model and its thresholds are written there.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type EntityKind,
  type EntityMatch,
  entityKinds,
  entityScripts,
  tagEntities,
} from '../../../server/engine/entities/entity-tagger.ts';
import { loadPiiDetector } from '../../../server/engine/moderation/pii/detect-pii.ts';
import { finish } from '../../../server/engine/steps.ts';
import {
  addTallies,
  type LabelledSpan,
  type SpanTally,
  spanRates,
  tallySpans,
} from '../../../test/bench/moderation/span-rates.ts';
import { languages } from './grammar.ts';
import { heldBackTexts } from './held-back.ts';
import { isKeptBack, isLeftOut, readWritten } from './written.ts';

const { values: options } = parseArgs({
  options: {
    work: { type: 'string', default: '/tmp/shield-names' },
    shared: { type: 'string', default: new URL('../../../../shared/data', import.meta.url).pathname },
    pack: { type: 'string' },
    thresholds: { type: 'string' },
    held: { type: 'string' },
    each: { type: 'string', default: '12' },
  },
});
/**
 * Spans right of those said, on the half that thresholds are set on; a place, an organization or a title exposes nobody by itself, and
 * at the same precision as a name's most of the organizations would be lost.
 */
const wantedPrecision: Record<EntityKind, number> = {
  ...{ name: 0.89, date: 0.9 },
  ...{ organization: 0.86, place: 0.86, job_title: 0.79 },
};
const steps = [
  0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99,
];

const { scales, transitions, ...model } = JSON.parse(readFileSync(`${options.work}/model.json`, 'utf8'));
const readTable = (name: string) =>
  new Uint32Array(Uint8Array.from(readFileSync(`${options.work}/${name}`)).buffer);
const tagger = {
  weights: new Int8Array(readFileSync(`${options.work}/entities.bin`)),
  scales: Float32Array.from(scales),
  transitions: Float64Array.from(transitions),
  words: readTable('entities-words.bin'),
  names: readTable('entities-names.bin'),
};

interface Judged {
  set: string;
  half: 'tune' | 'report';
  text: string;
  gold: LabelledSpan[];
  /** Spans of these kinds of the data are neither right nor wrong for ours of a kind. */
  ignored: (Omit<LabelledSpan, 'kind'> & { for: EntityKind[] })[];
  ours: EntityMatch[];
}

/** Its titles are “Mr” and “Dr.”: what somebody works as is not labelled there. */
const presidioKinds: Record<string, EntityKind> = {
  PERSON: 'name',
  ORGANIZATION: 'organization',
  GPE: 'place',
  DATE_TIME: 'date',
};
/** Right in their own way: a town in an address is a place, a nationality no mistake worth counting. */
const ignoredFor: Record<string, EntityKind[]> = {
  STREET_ADDRESS: ['place'],
  ZIP_CODE: ['place'],
  NRP: ['place'],
  DOMAIN_NAME: ['organization'],
  AGE: ['date'],
};

function presidio(): Omit<Judged, 'ours'>[] {
  const file = `${options.shared}/pii-presidio-dev/synth_v2_dev.jsonl`;
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const {
        text,
        spans,
        template_id: template,
      } = JSON.parse(line) as { text: string; spans: [number, number, string][]; template_id: number };
      return {
        set: 'presidio',
        half: template % 2 === 0 ? 'tune' : 'report',
        text,
        gold: spans.flatMap(([start, end, type]) =>
          presidioKinds[type] ? [{ start, end, kind: presidioKinds[type] }] : [],
        ),
        ignored: spans.flatMap(([start, end, type]) =>
          ignoredFor[type] ? [{ start, end, for: ignoredFor[type] }] : [],
        ),
      };
    });
}

// A street or a phone number that patterns know wins over the tagger, as in the engine; their own names are left out.
const bare = `${options.work}/patterns`;
mkdirSync(bare, { recursive: true });
for (const name of ['pii.yml', 'names.tsv'])
  copyFileSync(new URL(`../../packs/shield-starter/${name}`, import.meta.url), `${bare}/${name}`);
const patterns = await loadPiiDetector({ folder: bare });

function matches(text: string): EntityMatch[] {
  const taken = finish(patterns(text)).filter(({ kind, score }) => kind !== 'name' && score >= 0.4);
  return finish(tagEntities(text, tagger)).filter(
    ({ start, end }) => !taken.some((each) => each.start < end && start < each.end),
  );
}

/** Left out blocks of the written texts; with --held DIR those that lie there, which no training saw. */
const written = (
  folder: string | URL,
  half: 'tune' | 'report',
  isChosen: (at: number) => boolean,
  name = 'written',
): Omit<Judged, 'ours'>[] =>
  languages.flatMap((language) =>
    readWritten(new URL(`${language}.tsv`, folder), language)
      .filter((_, at) => isChosen(at))
      .map(({ text, spans, undecided }) => ({
        set: `${name} ${language}`,
        half,
        text,
        gold: spans,
        ignored: undecided.map((each) => ({ ...each, for: ['date' as const] })),
      })),
  );

const all: Judged[] = [
  ...heldBackTexts(options, Number(options.each)).map(({ language, text, spans, template }) => ({
    set: language as string,
    half: template % 2 === 0 ? ('tune' as const) : ('report' as const),
    text,
    gold: spans,
    ignored: [],
  })),
  ...presidio(),
  ...written(new URL('written/', import.meta.url), 'tune', isLeftOut),
  ...written(new URL('written-next/', import.meta.url), 'tune', (at) => isLeftOut(at) && !isKeptBack(at)),
  ...written(new URL('written-next/', import.meta.url), 'report', isKeptBack, 'kept back'),
  ...(options.held ? written(pathToFileURL(`${options.held}/`), 'report', () => true) : []),
].map((each) => ({
  ...each,
  ours: matches(each.text).filter(({ kind }) => kind !== 'job_title' || each.set !== 'presidio'),
}));

type Script = EntityMatch['script'];

const tallied = (rows: readonly Judged[], kind: EntityKind, least: (script: Script) => number): SpanTally =>
  rows
    .map(({ ours, gold, ignored }) =>
      tallySpans(
        ours.filter((match) => match.kind === kind && match.certainty >= least(match.script)),
        gold.filter((each) => each.kind === kind),
        ignored.filter((each) => each.for.includes(kind)),
      ),
    )
    .reduce(addTallies, { right: 0, said: 0, wanted: 0 });

function thresholdOf(script: Script, kind: EntityKind): number {
  const tune = all.filter(({ half, set }) => half === 'tune' && set.endsWith('zh') === (script === 'han'));
  const least = steps.find(
    (step) =>
      spanRates(tallied(tune, kind, (each) => (each === script ? step : 1))).precision >=
      wantedPrecision[kind],
  );
  return least ?? 0.99;
}

const found = Object.fromEntries(
  entityScripts.map((script) => [
    script,
    Object.fromEntries(entityKinds.map((kind) => [kind, thresholdOf(script, kind)])),
  ]),
) as Record<Script, Record<EntityKind, number>>;
const thresholds: typeof found = options.thresholds
  ? JSON.parse(readFileSync(`${options.thresholds}/thresholds.json`, 'utf8'))
  : found;
if (!options.thresholds) writeFileSync(`${options.work}/thresholds.json`, JSON.stringify(found));

const figures = Object.fromEntries(
  [...new Set(all.filter(({ half }) => half === 'report').map(({ set }) => set))].map((set) => [
    set,
    Object.fromEntries(
      entityKinds.map((kind) => [
        kind,
        spanRates(
          tallied(
            all.filter((each) => each.set === set && each.half === 'report'),
            kind,
            (script) => thresholds[script][kind],
          ),
        ),
      ]),
    ),
  ]),
);
console.log(JSON.stringify({ thresholds }));
for (const [set, kinds] of Object.entries(figures))
  for (const [kind, { recall, precision, wanted }] of Object.entries(kinds))
    console.log(`${set}\t${kind}\trecall ${recall}\tprecision ${precision}\tof ${wanted}`);

if (options.pack) {
  writeFileSync(`${options.pack}/entities.bin`, tagger.weights);
  writeFileSync(
    `${options.pack}/entities.json`,
    `${JSON.stringify({ ...model, scales, transitions, thresholds }, null, 2)}\n`,
  );
  for (const name of ['entities-words.bin', 'entities-names.bin'])
    copyFileSync(`${options.work}/${name}`, `${options.pack}/${name}`);
}
