/**
 * Quality of the moderation starter. Rows the pack was trained on are not scored here: the figure over the OpenAI set is the
 * cross-validated one that the recipe wrote beside the pack (figures.json), everything else is measured now, through the
 * engine, on rows it never saw: COLD's dev part, the functional probes of moderation/probes.txt and Presidio's PII sentences.
 */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { openEngine } from '../../server/engine/moderation/engine.ts';
import type { ClassifyResult } from '../../server/engine/moderation/types.ts';
import { auprc, macroF1, round, share } from './moderation/figures.ts';
import { namedTexts, nameFigures } from './moderation/names.ts';
import { type Probe, readProbes } from './moderation/probes.ts';

const pack = new URL('../../models/packs/shield-starter/', import.meta.url);
const data = new URL('../../../shared/data/', import.meta.url);

type Ask = (text: string) => Promise<ClassifyResult>;
type Answered = Probe & { answer: ClassifyResult };

const readJson = (url: URL) => JSON.parse(readFileSync(url, 'utf8'));
const top = ({ scores }: ClassifyResult) => Math.max(...Object.values(scores));

/** Offence against groups or persons, as COLD labels it. */
const offends = ({ flaggedCategories }: ClassifyResult) =>
  Boolean(flaggedCategories.hate_speech || flaggedCategories.harassment);

async function probeFigures(ask: Ask): Promise<Record<string, unknown>> {
  const answered: Answered[] = [];
  for (const probe of readProbes()) answered.push({ ...probe, answer: await ask(probe.text) });
  return Object.fromEntries(
    ['en', 'ms', 'zh'].map((language) => {
      const own = answered.filter((probe) => probe.language === language);
      const harmful = own.filter(({ category }) => category !== null);
      const hate = own.filter(({ category, kind }) => category === 'hate_speech' || kind === 'hate');
      const alike = own.filter(({ category, kind }) => category === null && kind === 'look-alike');
      const figures = {
        any_harm_auprc: round(
          auprc(own.map(({ category, answer }) => ({ truth: category !== null, score: top(answer) }))),
        ),
        recall: round(share(harmful.map(({ answer }) => answer.flagged))),
        named_category: round(
          share(harmful.map(({ category, answer }) => answer.flaggedCategories[category as never] === true)),
        ),
        hate_macro_f1: round(
          macroF1(hate.map(({ category, answer }) => ({ truth: category !== null, said: offends(answer) }))),
        ),
        look_alikes_flagged: round(share(alike.map(({ answer }) => answer.flagged))),
      };
      return [language, figures];
    }),
  );
}

/**
 * Readings of templates that no training saw. contrast.jsonl: pairs that differ in a word or two (counter-speech, negation,
 * reclaimed words, veiled threats); harsh.jsonl: everyday sentences that sound harsh, and real harm in the same words;
 * written.jsonl: every fifth text of two authors who never saw the recipe, in English and Malay.
 */
async function templateFigures(ask: Ask, file: string, step: number): Promise<Record<string, unknown>> {
  const rows = readFileSync(new URL(`moderation/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line, at) => line !== '' && at % step === 0)
    .map((line) => JSON.parse(line) as { language: string; text: string; hate: boolean; harm: boolean });
  const answered: ((typeof rows)[number] & { answer: ClassifyResult })[] = [];
  for (const row of rows) answered.push({ ...row, answer: await ask(row.text) });
  return Object.fromEntries(
    ['en', 'ms', 'zh'].map((language) => {
      const own = answered.filter((row) => row.language === language);
      const figures = {
        any_harm_auprc: round(auprc(own.map(({ harm, answer }) => ({ truth: harm, score: top(answer) })))),
        any_harm_macro_f1: round(
          macroF1(own.map(({ harm, answer }) => ({ truth: harm, said: answer.flagged }))),
        ),
        hate_macro_f1: round(
          macroF1(own.map(({ hate, answer }) => ({ truth: hate, said: offends(answer) }))),
        ),
        benign_flagged: round(share(own.filter(({ harm }) => !harm).map(({ answer }) => answer.flagged))),
        harmful_flagged: round(share(own.filter(({ harm }) => harm).map(({ answer }) => answer.flagged))),
      };
      return [language, figures];
    }),
  );
}

/** Share of mails, slips and chats of strangers that are flagged for anything but the personal data in them. */
async function everydayFigures(ask: Ask): Promise<Record<string, number>> {
  const flagged: Record<string, boolean[]> = { en: [], ms: [], zh: [] };
  for (const { language, text } of namedTexts('names-written.jsonl')) {
    const { pii_exposure, ...others } = (await ask(text)).flaggedCategories;
    flagged[language]?.push(Object.values(others).includes(true));
  }
  return Object.fromEntries(
    Object.entries(flagged).map(([language, hits]) => [language, round(share(hits))]),
  );
}

/** `topic,label,text` lines; every n-th row. */
function coldRows(step: number): { offensive: boolean; text: string }[] {
  const file = new URL('moderation-cold-zh/dev.csv.gz', data);
  if (!existsSync(file)) return [];
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n').slice(1);
  return lines
    .filter((_, index) => index % step === 0)
    .flatMap((line) => {
      const found = /^(?:\w*,)?\w+,([01]),(.*)$/.exec(line.trim());
      return found ? [{ offensive: found[1] === '1', text: found[2]?.replace(/^"|"$/g, '') ?? '' }] : [];
    });
}

async function coldAccuracy(ask: Ask, step: number): Promise<number | null> {
  const rows = coldRows(step);
  const right: boolean[] = [];
  for (const { offensive, text } of rows) right.push(offends(await ask(text)) === offensive);
  return rows.length === 0 ? null : round(share(right));
}

const presidioKinds: Record<string, string> = {
  PERSON: 'name',
  STREET_ADDRESS: 'address',
  CREDIT_CARD: 'card',
  PHONE_NUMBER: 'phone',
  EMAIL_ADDRESS: 'email',
  IBAN_CODE: 'iban',
  IP_ADDRESS: 'ip_address',
};

interface PiiFigures {
  /** Share of Presidio's spans of each kind that a span of ours of that kind touches. */
  recall: Record<string, number>;
  /** Share of our names that touch a person of theirs. */
  namePrecision: number | null;
}

async function piiFigures(ask: Ask, step: number): Promise<PiiFigures> {
  const file = new URL('pii-presidio-dev/synth_v2_dev.jsonl', data);
  if (!existsSync(file)) return { recall: {}, namePrecision: null };
  const found: Record<string, boolean[]> = {};
  const names: boolean[] = [];
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .filter((_, index) => index % step === 0);
  for (const line of lines) {
    const { text, spans } = JSON.parse(line) as { text: string; spans: [number, number, string][] };
    const { spans: ours } = await ask(text);
    const persons = spans.filter(([, , type]) => type === 'PERSON');
    for (const { kind, start, end } of ours)
      if (kind === 'name') names.push(persons.some(([from, to]) => start < to && end > from));
    for (const [start, end, type] of spans) {
      const kind = presidioKinds[type];
      if (!kind) continue;
      found[kind] ??= [];
      found[kind].push(ours.some((span) => span.kind === kind && span.start < end && span.end > start));
    }
  }
  return {
    recall: Object.fromEntries(Object.entries(found).map(([kind, hits]) => [kind, round(share(hits))])),
    namePrecision: round(share(names)),
  };
}

/** Figures of the recipe on held-back rows: by category over the three languages, mean of the categories that have rows. */
function heldBack(part: Record<string, Record<string, Record<string, number>>>, figure: string): number {
  const values = Object.values(part).flatMap((language) =>
    Object.values(language).map((category) => category[figure] ?? 0),
  );
  return round(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
}

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const engine = await openEngine(
    { ref: 'shield-starter', folder: pack.pathname, manifest: readJson(new URL('manifest.json', pack)) },
    { threads: 1, providers: ['cpu'] },
  );
  const ask: Ask = (text) => engine.methods.classify({ text }, { signal: new AbortController().signal });
  const { starter, floor } = readJson(new URL('figures.json', pack));
  try {
    const cold = await coldAccuracy(ask, quick ? 300 : 4);
    const pii = await piiFigures(ask, quick ? 100 : 1);
    return {
      score: starter.any_harm['openai.en'].auprc,
      basis: 'OpenAI development rows, five-fold cross-validated by the recipe',
      per_category: starter.per_category,
      per_language: await probeFigures(ask),
      contrast: await templateFigures(ask, 'contrast.jsonl', quick ? 8 : 1),
      harsh: await templateFigures(ask, 'harsh.jsonl', quick ? 8 : 1),
      written: await templateFigures(ask, 'written.jsonl', quick ? 8 : 1),
      everyday_flagged: await everydayFigures(ask),
      cold_dev_accuracy: cold,
      pii_span_recall: pii.recall,
      pii_name_precision: pii.namePrecision,
      names: await nameFigures(
        ask,
        namedTexts('names.jsonl').filter((_, at) => !quick || at % 20 === 0),
      ),
      names_written: await nameFigures(
        ask,
        namedTexts('names-written.jsonl').filter((_, at) => !quick || at % 20 === 0),
      ),
      recall_at_fpr5: heldBack(starter.per_category, 'recall_at_fpr5'),
      calibration_error: heldBack(starter.per_category, 'ece'),
      floors: {
        score: floor?.any_harm['openai.en'].auprc ?? null,
        recall_at_fpr5: floor ? heldBack(floor.per_category, 'recall_at_fpr5') : null,
        per_category: floor?.per_category ?? null,
      },
    };
  } finally {
    await engine.close();
  }
}
