/** Bounds that figures must keep, by bench, and the shared data without which a bench is skipped as a whole. */
import { existsSync } from 'node:fs';

export interface Figures {
  [name: string]: number | null | Figures;
}

export interface Gate {
  /** Folders of the shared development data. */
  needs?: readonly string[];
  /** Lowest and highest figures allowed, by their place in the report. */
  floors?: Figures;
  ceilings?: Figures;
}

export const gates: Record<string, Gate> = {
  'chat-http': { floors: { ratio: 0.9 }, ceilings: { second_turn_ttft_ratio: 0.1 } },
  'chat-quality': {
    needs: ['chat-bfcl-dev'],
    floors: {
      score: 0.6,
      qa_em: 0.7,
      extract_em: 0.58,
      tool_accuracy: 0.5,
      well_formed: 1,
      blind: { score: 0.5 },
      bfcl: { accuracy: 0.47 },
      repeating: { answers: 500 },
    },
    ceilings: { repeating: { loops: 0 } },
  },
  // Kept a little below 1: the shortest answers, of milliseconds, differ by that much from run to run.
  confinement: { floors: { ratio: 0.9 } },
  'documents-quality': {
    needs: ['doc-sroie-dev', 'doc-icdar2013-eu', 'doc-invoice2data-dev'],
    floors: {
      words: { recall: 0.9, precision: 0.9 },
      tables: { f1: 0.9, rasterized_f1: 0.94 },
      fields: {
        receipt: 0.85,
        receipt_pictures: 0.85,
        strangers: 0.85,
        passport: 0.95,
        mykad: { number: 0.98, name: 0.9 },
      },
      calibration: 0.95,
    },
  },
  'documents-office': {
    needs: ['doc-office-dev'],
    floors: {
      development: { words: 0.95, headings: 0.95, items: 0.95, cells: 0.95 },
      unseen: { words: 0.95, headings: 0.95, items: 0.75, cells: 0.95 },
    },
  },
  'documents-letters': {
    floors: {
      development: {
        words: { recall: 0.98, precision: 0.95 },
        headings: { recall: 0.75, precision: 0.85 },
        items: { recall: 0.8, precision: 0.82 },
        rows: { recall: 0.76, precision: 0.75 },
        paragraphs: { recall: 0.65, precision: 0.62 },
        order: 0.83,
      },
      unseen: {
        words: { recall: 0.97, precision: 0.93 },
        headings: { recall: 0.44, precision: 0.82 },
        items: { recall: 0.57, precision: 0.5 },
        rows: { recall: 0.74, precision: 0.62 },
        paragraphs: { recall: 0.4, precision: 0.38 },
        order: 0.7,
      },
    },
  },
  'documents-speed': { needs: ['doc-pdfplumber'], floors: { ratio: 0.6 }, ceilings: { peak_mb: 1200 } },
  embeddings: { floors: { ratio: 1, min_cosine: 0.9999 } },
  'embeddings-quality': { needs: ['emb-flores-dev-en-ms-zh', 'emb-cmrc2018-zh'], floors: { score: 0.5 } },
  grammar: { needs: ['json-schema-test-suite'], floors: { coverage: 0.85 }, ceilings: { invalid: 0 } },
  'first-answers': { ceilings: { starters_mb: 150 } },
  http: { ceilings: { added_translation_p50_ms: 1 } },
  'images-quality': {
    needs: ['img-coco-train26', 'doc-sroie-dev'],
    floors: { score: 0.75, scene_accuracy: 0.85, scanned_receipts: 0.9 },
  },
  'images-speed': { needs: ['video-localai-clips'], floors: { ratio: 1.3, frames_ratio: 0.8 } },
  hostile: { floors: { cases: 200 }, ceilings: { stuck: 0, five_xx: 0, p99_ratio: 3 } },
  interface: { ceilings: { load_ms: 1000, heap_mb: 150, growth_mb: 20 } },
  kernels: {
    floors: {
      avx_vnni: { one: 1.2, eight: 1.5 },
      avx2: { one: 1.1 },
      amx: { rows_128: 3 },
    },
  },
  kill9: { floors: { kills: 200 }, ceilings: { lost: 0, doubled: 0, usage_lost: 0 } },
  upstreams: { floors: { of: 1000, kills: 3 }, ceilings: { failed: 0, added_p50_ms: 5 } },
  'moderation-quality': {
    needs: ['moderation-openai-dev', 'moderation-cold-zh'],
    // The aims on unseen text are .83 and .60; these bounds keep what is reached.
    floors: {
      score: 0.8,
      cold_dev_accuracy: 0.87,
      contrast: { ms: { hate_macro_f1: 0.6 } },
      written: {
        en: { any_harm_auprc: 0.8, harmful_flagged: 0.3 },
        ms: { any_harm_auprc: 0.78, harmful_flagged: 0.48 },
      },
      harsh: { en: { harmful_flagged: 0.7 }, ms: { harmful_flagged: 0.7 }, zh: { harmful_flagged: 0.7 } },
    },
    ceilings: {
      harsh: { en: { benign_flagged: 0.05 }, ms: { benign_flagged: 0.06 }, zh: { benign_flagged: 0.05 } },
      written: { en: { benign_flagged: 0.06 }, ms: { benign_flagged: 0.12 } },
      everyday_flagged: { en: 0.02, ms: 0.02, zh: 0.02 },
      per_language: {
        en: { look_alikes_flagged: 0.07 },
        ms: { look_alikes_flagged: 0.07 },
        zh: { look_alikes_flagged: 0.07 },
      },
    },
  },
  silence: {
    floors: { services: 6, sandboxed_hosts: 6 },
    ceilings: { attempts: 0, files_outside: 0 },
  },
  'threat-quality': {
    needs: ['logs-sigma-rules', 'logs-crs-dev'],
    floors: {
      score: 0.94,
      sigma_match: 1,
      web_macro_f1: 0.85,
      indicator_f1: 0.98,
      // The aims on unseen texts are .95 and .02; these bounds keep what is reached on the thirteenth corpus: .967 and .036.
      blind: { found: 0.95, unseen_found: 0.95 },
    },
    ceilings: { benign_hits: 0, blind: { flagged: 0.03, unseen_flagged: 0.04 } },
  },
};

const shared = new URL('../../../shared/data/', import.meta.url);

/** The folders of shared data that a bench needs and that are not beside the repository. */
export const missingData = ({ needs = [] }: Gate): string[] =>
  needs.filter((folder) => !existsSync(new URL(folder, shared)));

/** Paths such as `words.recall` of figures beyond their bound; one that is missing or null is beyond it. */
export function beyondBounds(figures: Figures, { floors = {}, ceilings = {} }: Gate): string[] {
  return [
    ...compare(figures, floors, (figure, bound) => figure >= bound),
    ...compare(figures, ceilings, (figure, bound) => figure <= bound),
  ];
}

function compare(
  figures: Figures,
  bounds: Figures,
  holds: (figure: number, bound: number) => boolean,
  path = '',
): string[] {
  return Object.entries(bounds).flatMap(([name, bound]) => {
    const figure = figures[name];
    if (bound !== null && typeof bound === 'object') {
      const inner = figure !== null && typeof figure === 'object' ? figure : {};
      return compare(inner, bound, holds, `${path}${name}.`);
    }
    return typeof figure === 'number' && bound !== null && holds(figure, bound) ? [] : [`${path}${name}`];
  });
}
