/**
 * Sentences of people that name nobody, as far as lists can tell: interface texts of this project, what its other recipe says in
 * three languages, Chromium's interface strings (BSD), read-me files of MIT-licensed packages, WordNet's glosses, self-instruct (Apache-2.0), COLD's training part
 * (Apache-2.0). Lines with a capital inside that a list knows, a month or a year are left out.
 */
import { globSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Language } from './grammar.ts';

const root = new URL('../../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(path, 'utf8');

const time =
  /\b(?:19|20)\d\d\b|\b\d+[/.-]\d+[/.-]\d+|年|月\d|\d[日号]|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|Isnin|Selasa|Rabu|Khamis|Jumaat|Sabtu|Ahad|Mac|Julai|Ogos|Dis)[a-z]*\b/u;

function interfaceTexts(language: Language): string[] {
  return [
    `${root}renderer/src/strings/${language}.ts`,
    ...globSync(`${root}renderer/src/strings/${language}/*.ts`),
  ].flatMap((path) =>
    [...read(path).matchAll(/: '([^'\n]{8,200})'/gu)].map(([, text]) => text!.replaceAll(/\{\w+\}/gu, '5')),
  );
}

const seedTexts = (language: Language): string[] =>
  globSync(`${root}models/recipes/shield-starter/seeds/${language}/*.txt`)
    .filter((path) => !/slots|keywords|actions/u.test(path))
    .flatMap((path) => read(path).split('\n'))
    .filter((line) => line !== '' && !/^[=#]|\{/u.test(line))
    .map((line) => line.replaceAll(/\[([^[\]|]*)\|[^[\]]*\]/gu, '$1'));

const readMes = (): string[] =>
  globSync(`${root}node_modules/{*,@*/*}/README.md`)
    .slice(0, 400)
    .flatMap((path) => read(path).split('\n'))
    .filter((line) => /^[A-Z][^`<>|[\]{}@=]{20,220}[.:!?]$/u.test(line));

const instructions = (shared: string): string[] =>
  globSync(`${shared}/chat-self-instruct/*.jsonl`)
    .flatMap((path) => read(path).split('\n'))
    .flatMap((line) =>
      [...line.matchAll(/"(?:instruction|input|output)": "((?:[^"\\]|\\.){12,400})"/gu)].map(
        ([, text]) => text!,
      ),
    )
    .flatMap((text) => text.split(/\\n|(?<=[.?!]) /u))
    .filter((line) => line.length > 15 && !line.includes('\\'));

const cold = (shared: string): string[] =>
  gunzipSync(readFileSync(`${shared}/moderation-cold-zh/train.csv.gz`))
    .toString('utf8')
    .split('\n')
    .slice(1)
    .map((line) => /^(?:\w*,)?\w+,[01],(.*)$/u.exec(line.trim())?.[1]?.replaceAll('"', '') ?? '')
    .filter((line) => line.length > 6 && line.length < 90);

/** Chromium's interface strings (BSD) of a language: its data pack, version 5, is a header and pairs of number and offset. */
function chromium(folder: string, language: Language): string[] {
  const name = { en: 'en-GB', ms: 'ms', zh: 'zh-CN' }[language];
  const bytes = readFileSync(`${folder}/chromium-l10n/usr/lib/chromium/locales/${name}.pak`);
  const count = bytes.readUInt16LE(8);
  const offset = (at: number) => bytes.readUInt32LE(12 + 6 * at + 2);
  return Array.from({ length: count }, (_, at) => bytes.toString('utf8', offset(at), offset(at + 1)))
    .filter((text) => text.length < 300 && !/[<>{}|]|plural|select,/u.test(text))
    .flatMap((text) =>
      text
        .replaceAll(/\$\d/gu, '5')
        .replaceAll('&', '')
        .split(/\n|(?<=[.?!。？！]) ?/u),
    )
    .filter((line) => line.length > (language === 'zh' ? 5 : 12) && line.length < 160);
}

const tatoebaMalay = (shared: string): string[] =>
  read(`${shared}/emb-tatoeba-en-ms-zh/en-ms.tsv`)
    .split('\n')
    .slice(1)
    .flatMap((line) => line.split('\t')[1] ?? [])
    .filter((line) => !/.\p{Lu}/u.test(line));

/** @param known names, places and organizations, in small letters; in Chinese any of them inside a line */
export function naturals(
  language: Language,
  shared: string,
  known: ReadonlySet<string>,
  { corpora, more }: { corpora: string; more: readonly string[] },
): string[] {
  const lines = [
    ...interfaceTexts(language),
    ...seedTexts(language),
    ...(language === 'en' ? [...readMes(), ...instructions(shared)] : []),
    ...(language === 'zh' ? cold(shared) : []),
    ...(language === 'ms' ? [...tatoebaMalay(shared), ...tatoebaMalay(shared)] : []),
    ...chromium(corpora, language).filter((_, at) => language !== 'en' || at % 4 === 0),
    ...more,
  ];
  const inside =
    language === 'zh'
      ? new RegExp([...known].filter((word) => /^\p{Script=Han}{2,}$/u.test(word)).join('|'), 'u')
      : /\n/u;
  const names = (line: string) =>
    [...line.matchAll(/(?<=\S\s*)\p{Lu}[\p{L}'’-]+|^\p{Lu}[\p{L}'’-]+/gu)].some(([word]) =>
      known.has(word.toLowerCase()),
    );
  return lines
    .map((line) => line.trim())
    .filter((line) => !time.test(line) && !inside.test(line) && (language === 'zh' || !names(line)));
}
