/**
 * Writes the classes of known words of the pack: node words.ts --work DIR
 *
 * English and Malay: the field of meaning (WordNet's 45 files) of a word's most used sense. Chinese: part of speech and how common,
 * of jieba's dictionary (MIT) without its proper names. No proper name is in it, so that held-back names stay unknown.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { hanClass, wordKey } from '../../../server/engine/entities/entity-words.ts';

const { values: options } = parseArgs({
  options: {
    work: { type: 'string', default: '/tmp/shield-names' },
    shared: { type: 'string', default: new URL('../../../../shared/data', import.meta.url).pathname },
  },
});
const wordnet = `${options.work}/corpora/wordnet-base/usr/share/wordnet`;
const jieba = `${options.work}/corpora/python3-jieba/usr/lib/python3/dist-packages/jieba/dict.txt`;
const lines = (path: string) => {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n');
};

const functionWords =
  `i you he she it we they me him her us them my your his its our their this that these those who whom whose which what where when why how
a an the and or but nor so yet if because although though while of to in on at by for with from into onto about above below under over between
among through during before after since until against without within not no never is am are was were be been being do does did have has had
will would shall should can could may might must there here very too also just only than then as up down out off again
saya aku awak kamu engkau dia beliau ia kita kami mereka kalian anda ini itu sana sini situ apa siapa mana bila kenapa mengapa bagaimana berapa
yang dan atau tetapi tapi namun kerana sebab jika kalau walaupun supaya agar untuk kepada daripada dari pada di ke dalam luar atas bawah dengan oleh
tanpa antara sejak sehingga hingga sebelum selepas semasa ketika tidak tak bukan jangan belum sudah telah dah akan sedang masih pernah boleh mesti
harus patut adalah ialah ada sangat amat agak juga pun lagi hanya saja sahaja sebagai seperti macam seorang sebuah para si sang encik puan cik tuan`.split(
    /\s+/u,
  );

const functionClass = 46;

/** Most used field of meaning of each English word. */
function english(): { classes: Map<string, number>; fields: Map<string, number> } {
  const counts = new Map<string, [count: number, field: number]>();
  for (const line of lines(`${wordnet}/cntlist.rev`)) {
    const found = /^([a-z'-]+)%\d:(\d+):\S* \d+ (\d+)$/u.exec(line);
    if (!found) continue;
    const [, word, field, count] = found;
    if ((counts.get(word!)?.[0] ?? 0) < Number(count)) counts.set(word!, [Number(count), Number(field) + 1]);
  }
  const classes = new Map([...counts].map(([word, [, field]]) => [word, field]));
  const fields = new Map<string, number>();
  for (const [part, letter] of [
    ['noun', 'n'],
    ['verb', 'v'],
    ['adj', 'a'],
    ['adv', 'r'],
  ] as const)
    for (const line of lines(`${wordnet}/data.${part}`)) {
      const found = /^(\d{8}) (\d\d) \w (\w\w) (.*)/u.exec(line);
      if (!found) continue;
      const field = Number(found[2]) + 1;
      fields.set(`${found[1]}-${letter}`, field);
      const pieces = found[4]!.split(' ');
      for (let at = 0; at < Number.parseInt(found[3]!, 16); at++) {
        const word = pieces[at * 2]!.replace(/\(.*\)$/u, '');
        if (/^[a-z'-]+$/u.test(word) && !classes.has(word)) classes.set(word, field);
      }
    }
  // Exceptions: went, children.
  for (const part of ['noun', 'verb'])
    for (const line of lines(`${wordnet}/${part}.exc`)) {
      const [form, base] = line.split(' ');
      if (form && base && classes.has(base) && !classes.has(form)) classes.set(form, classes.get(base)!);
    }
  return { classes, fields };
}

function malay(fields: ReadonlyMap<string, number>): Map<string, number> {
  const votes = new Map<string, Map<number, number>>();
  for (const line of lines(`${options.shared}/emb-omw-wordnets/ms-wordnet-bahasa.tsv.gz`)) {
    const [synset, , word] = line.split('\t');
    const field = fields.get(synset ?? '');
    if (!field || !word || !/^[a-z'-]+$/u.test(word)) continue;
    const of = votes.get(word) ?? new Map<number, number>();
    of.set(field, (of.get(field) ?? 0) + 1);
    votes.set(word, of);
  }
  return new Map([...votes].map(([word, of]) => [word, [...of].sort((a, b) => b[1] - a[1])[0]![0]]));
}

const parts = 'nvadrmqpcutfsilz';

function chinese(): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of lines(jieba)) {
    const [word = '', count = '0', part = ''] = line.split(' ');
    if (!/^\p{Script=Han}{1,4}$/u.test(word) || /^n[rstz]/u.test(part)) continue;
    if (Number(count) < (word.length === 1 ? 1 : 20)) continue;
    const common = Math.max(0, Math.min(7, Math.floor(Math.log2(Number(count) / 5) / 1.8)));
    const at = parts.indexOf(part[0]!);
    found.set(word, hanClass + common * 16 + (at < 0 ? 15 : at));
  }
  return found;
}

const { classes, fields } = english();
const all = new Map<string, number>([...malay(fields), ...classes, ...chinese()]);
for (const word of functionWords) all.set(word, functionClass);
// Of two words with one hash the English one stays, as the more common.
const table = new Map([...all].map(([word, kind]) => [wordKey(word), kind]));
const sorted = Uint32Array.from([...table].map(([key, kind]) => ((key << 8) | kind) >>> 0)).sort();
writeFileSync(`${options.work}/entities-words.bin`, new Uint8Array(sorted.buffer));
console.log(`${all.size} words, ${sorted.byteLength} bytes`);
