/**
 * Writes the classes of known names of the pack: node names.ts --work DIR
 *
 * Given names, surnames, places, organizations and titles of the training side only, so that held-back ones stay unknown: Faker,
 * GeoNames, WordNet's places and groups, jieba's place names, countries. Titles: what descends from WordNet's workers and leaders.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { entityTokens } from '../../../server/engine/entities/entity-tokens.ts';
import { nameClass, wordKey } from '../../../server/engine/entities/entity-words.ts';
import { languages, readSlots } from './grammar.ts';

const { values: options } = parseArgs({
  options: {
    work: { type: 'string', default: '/tmp/shield-names' },
    shared: { type: 'string', default: new URL('../../../../shared/data', import.meta.url).pathname },
  },
});
const wordnet = `${options.work}/corpora/wordnet-base/usr/share/wordnet`;
const jieba = `${options.work}/corpora/python3-jieba/usr/lib/python3/dist-packages/jieba/dict.txt`;
const lists = JSON.parse(readFileSync(`${options.work}/lists.json`, 'utf8'));

const all = new Map<string, number>();
const held = new Set<string>();
/** Names as the tagger looks them up: tokens in small letters with blanks, Chinese without. */
const asLookedUp = (name: string): string => {
  const tokens = entityTokens(name.toLowerCase());
  return tokens.map(({ text }) => text).join(tokens[0]?.han ? '' : ' ');
};
function add(names: Iterable<string>, kind: number): void {
  for (const name of names) {
    const key = asLookedUp(name);
    if (key.length < 2 && !/\p{Script=Han}/u.test(key)) continue;
    if (held.has(key)) continue;
    all.set(key, (all.get(key) ?? 0) | kind);
    const plain = key.normalize('NFD').replaceAll(/\p{M}/gu, '');
    if (plain !== key && /^\p{Script=Latin}/u.test(key)) all.set(plain, (all.get(plain) ?? 0) | kind);
  }
}
const isHeld = (at: number) => at % 5 === 4;

// What is held back, before anything is added.
for (const { latin, near, han } of [lists.cities.held])
  for (const name of [...latin, ...near, ...han]) held.add(asLookedUp(name));
const cldr = languages.map((language) =>
  readFileSync(`${options.shared}/emb-omw-wordnets/${language}-cldr.tsv`, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(
      ([synset = '']) =>
        synset.endsWith('-n') &&
        Number.parseInt(synset, 10) >= 8_490_000 &&
        Number.parseInt(synset, 10) < 9_210_000,
    )
    .map((row) => row[2]!.trim()),
);
for (const names of cldr)
  for (const [at, name] of [...new Set(names)].filter((word) => word.length > 1).entries())
    if (isHeld(at)) held.add(asLookedUp(name));
const slots = languages.map((language) => readSlots(`words/${language}.txt`));
const listed = (name: string, side: boolean) =>
  slots.flatMap((map) => (map.get(name) ?? []).filter((_, at) => isHeld(at) === side));
const ofPlaces = ['region', 'state', 'province', 'country'];
for (const name of [...ofPlaces, 'famous', 'male', 'female', 'second', 'indian'])
  for (const word of listed(name, true)) held.add(asLookedUp(word));

for (const { given, surname } of Object.entries<{ given: string[]; surname: string[] }>(lists.persons.train)
  .filter(([name]) => !name.startsWith('zh'))
  .map(([, names]) => names)) {
  add(given, nameClass.given);
  add(surname, nameClass.surname);
}
add(lists.persons.train.zh_CN.surname, nameClass.surname);
for (const name of ['male', 'female', 'second', 'indian']) add(listed(name, false), nameClass.given);
add(listed('chinese_surname', false), nameClass.surname);
for (const name of ofPlaces) add(listed(name, false), nameClass.place);
add(listed('famous', false), nameClass.organization);
add([...lists.gazetteer, ...lists.cities.train.han], nameClass.place);
for (const names of cldr)
  add(
    names.filter((name) => name.length > 1),
    nameClass.place,
  );
for (const line of readFileSync(jieba, 'utf8').split('\n')) {
  const [word = '', , part = ''] = line.split(' ');
  if (!/^\p{Script=Han}{2,6}$/u.test(word)) continue;
  if (part === 'ns') add([word], nameClass.place);
  if (part === 'nt') add([word], nameClass.organization);
  if (part === 'nrt') add([word], nameClass.given);
}

/** WordNet's nouns: their words, the synsets above them and, of those by name, whether they are. */
const nouns = new Map<string, { field: string; words: string[]; above: string[]; isNamed: boolean }>();
for (const line of readFileSync(`${wordnet}/data.noun`, 'latin1').split('\n')) {
  const found = /^(\d{8}) (\d\d) n (\w\w) (.*?) \| /u.exec(line);
  if (!found) continue;
  const pieces = found[4]!.split(' ');
  const count = Number.parseInt(found[3]!, 16);
  nouns.set(found[1]!, {
    field: found[2]!,
    words: pieces
      .filter((_, at) => at % 2 === 0)
      .slice(0, count)
      .map((word) => word.replaceAll('_', ' ')),
    above: [...found[4]!.matchAll(/ @i? (\d{8}) n/gu)].map(([, synset]) => synset!),
    isNamed: found[4]!.includes(' @i '),
  });
}
for (const { field, words, isNamed } of nouns.values()) {
  const named = words.filter((word) => /^\p{Lu}/u.test(word) && word.length > 3);
  if (field === '15') add(named, nameClass.place);
  if (field === '14' && isNamed) add(named, nameClass.organization);
}
const working =
  'worker leader professional creator entertainer athlete serviceman clergyman scientist engineer educator official expert journalist writer manager'.split(
    ' ',
  );
const tops = new Set(
  [...nouns]
    .filter(([, { field, words }]) => field === '18' && working.includes(words[0]!))
    .map(([synset]) => synset),
);
const worksAs = (synset: string, depth = 0): boolean =>
  tops.has(synset) ||
  (depth < 12 && (nouns.get(synset)?.above.some((up) => worksAs(up, depth + 1)) ?? false));
const titles = new Set(
  [...nouns]
    .filter(([synset, { field, isNamed }]) => field === '18' && !isNamed && worksAs(synset))
    .map(([synset]) => synset),
);
for (const synset of titles)
  add(
    nouns.get(synset)!.words.filter((word) => /^[a-z -]+$/u.test(word)),
    nameClass.title,
  );
for (const file of ['ms-wordnet-bahasa', 'zh-chinese-open-wordnet'])
  for (const line of gunzipSync(readFileSync(`${options.shared}/emb-omw-wordnets/${file}.tsv.gz`))
    .toString('utf8')
    .split('\n')) {
    const [synset = '', , word = ''] = line.split('\t');
    if (
      titles.has(synset.slice(0, 8)) &&
      (/^[a-z -]{3,}$/u.test(word) || /^\p{Script=Han}{2,6}$/u.test(word))
    )
      add([word], nameClass.title);
  }
add(listed('job', false), nameClass.title);
add([...lists.jobs.train.en, ...lists.jobs.train.zh], nameClass.title);

const table = new Map<number, number>();
for (const [name, kind] of all) table.set(wordKey(name), (table.get(wordKey(name)) ?? 0) | kind);
const sorted = Uint32Array.from([...table].map(([key, kind]) => ((key << 8) | kind) >>> 0)).sort();
writeFileSync(`${options.work}/entities-names.bin`, new Uint8Array(sorted.buffer));
console.log(`${all.size} names, ${sorted.byteLength} bytes`);
