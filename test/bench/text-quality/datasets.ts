/** Development sets: our own graded pairs, and FLORES, Tatoeba and CMRC where the shared data folder is there. */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const shared = new URL('../../../../shared/data/', import.meta.url);
const graded = new URL('../../../models/recipes/embed-starter/dev/similarity.txt', import.meta.url);

export const languages = ['en', 'ms', 'zh'] as const;
export type Language = (typeof languages)[number];

export interface GradedPairs {
  left: string[];
  right: string[];
  grades: number[];
}

export interface Retrieval {
  passages: string[];
  questions: string[];
  /** Index of the passage that answers each question. */
  answers: number[];
}

export const hasSharedData = (): boolean => existsSync(new URL('emb-flores-dev-en-ms-zh/', shared));

function rowsOf(url: URL, separator: string): string[][] {
  const lines = readFileSync(url, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(separator));
}

/** Pairs written and graded by hand, the same in each language (grade first, then two texts a language). */
export function gradedPairs(language: Language): GradedPairs {
  const rows = rowsOf(graded, '|');
  const column = 1 + 2 * languages.indexOf(language);
  return {
    left: rows.map((row) => row[column]!),
    right: rows.map((row) => row[column + 1]!),
    grades: rows.map((row) => Number(row[0])),
  };
}

/** Columns of the FLORES development sentences by language. */
export function flores(limit: number): Record<Language, string[]> {
  const rows = rowsOf(new URL('emb-flores-dev-en-ms-zh/flores200_dev.tsv', shared), '\t').slice(1, limit + 1);
  const [en, ms, zh] = [0, 1, 2].map((column) => rows.map((row) => row[column]!));
  return { en: en!, ms: ms!, zh: zh! };
}

/** The rows of Tatoeba that the recipe holds back from training. */
export function tatoebaHeldBack(language: 'ms' | 'zh'): [string[], string[]] {
  const rows = rowsOf(new URL(`emb-tatoeba-en-ms-zh/en-${language}.tsv`, shared), '\t').slice(601);
  return [rows.map((row) => row[0]!), rows.map((row) => row[1]!)];
}

interface Squad {
  data: { paragraphs: { context: string; qas: { question: string }[] }[] }[];
}

export function cmrc(limit: number): Retrieval {
  const packed = readFileSync(new URL('emb-cmrc2018-zh/cmrc2018_dev.json.gz', shared));
  const { data } = JSON.parse(gunzipSync(packed).toString('utf8')) as Squad;
  const paragraphs = data.flatMap((article) => article.paragraphs).slice(0, limit);
  const questions = paragraphs.flatMap(({ qas }, answer) => qas.map((qa) => ({ text: qa.question, answer })));
  return {
    passages: paragraphs.map((paragraph) => paragraph.context),
    questions: questions.map((question) => question.text),
    answers: questions.map((question) => question.answer),
  };
}
