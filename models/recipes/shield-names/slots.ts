/** Entities and words for the templates of each language; `side` says from which names, cities and titles they come. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Chance } from '../../../test/support/documents/specimens/chance.ts';
import { type Language, readSlots, type Slots } from './grammar.ts';
import { naturals } from './naturals.ts';

export type Side = 'train' | 'held';

interface Lists {
  persons: Record<Side, Record<string, { given: string[]; surname: string[] }>>;
  cities: Record<Side, { latin: string[]; near: string[]; han: string[] }>;
  jobs: Record<Side, { en: string[]; zh: string[] }>;
}

export interface Sources {
  /** lists.json, as lists.py writes it. */
  lists: string;
  /** What embed-starter/fetch.sh unpacked: WordNet, whose examples and glosses name nobody, Chromium's strings. */
  corpora: string;
  /** The shared development data: Tatoeba's Chinese, lemmas of wordnets, names of countries. */
  shared: string;
}

type Words = Map<string, string[]>;

const capital = (word: string) => word.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
const titled = (words: string) => words.replaceAll(/(^|[ -])\p{Ll}/gu, (found) => found.toUpperCase());

/** Every fifth word is held back. */
const onSide = (words: readonly string[], side: Side): string[] =>
  words.filter((_, at) => (at % 5 === 4) === (side === 'held'));

/** Long lists keep their two sides apart; short ones (months, relations) have but one. */
const twoSided = new Set([
  ...[
    'male',
    'female',
    'second',
    'chinese_surname',
    'syllable',
    'indian',
    'given_char',
    'transliterated',
    'famous',
  ],
  ...['company_word', 'company_made', 'region', 'state', 'job', 'org_word', 'province', 'country'],
  ...['org_head', 'org_kind', 'shop', 'office'],
]);

function glosses(folder: string): string[] {
  const found: string[] = [];
  for (const part of ['noun', 'verb', 'adj'])
    for (const line of readFileSync(`${folder}/data.${part}`, 'latin1').split('\n')) {
      const gloss = line.split(' | ')[1]?.trim();
      for (const piece of gloss?.split('; ') ?? []) {
        const text = piece.replaceAll('"', '').trim();
        // Capitals inside say a name, which nobody labelled.
        if (text.length > 24 && text.length < 160 && !/.\p{Lu}/u.test(text.replaceAll(/\bI\b/gu, 'i')))
          found.push(piece.startsWith('"') ? capital(text) : text);
      }
    }
  return found;
}

/** Single words of one of WordNet's fields, each once. */
function wordsOfField(folder: string, part: 'noun' | 'verb', fields: readonly string[]): string[] {
  const found = new Set<string>();
  for (const line of readFileSync(`${folder}/data.${part}`, 'latin1').split('\n')) {
    const [, field, word] = /^\d{8} (\d\d) \w \w\w (\S+)/u.exec(line) ?? [];
    if (field && word && fields.includes(field) && /^[a-z]{3,}$/u.test(word)) found.add(word);
  }
  return [...found];
}

const past = (verb: string): string =>
  verb.endsWith('e') ? `${verb}d` : /[^aeiou]y$/u.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`;

const readTable = (path: string): string[][] => {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').map((line) => line.split('\t'));
};

/** WordNet's files lie in the order of their offsets: groups, places and persons in the middle of the nouns, times at their end. */
const between = (synset: string | undefined, from: number, to: number): boolean =>
  synset?.endsWith('-n') === true && Number.parseInt(synset, 10) >= from && Number.parseInt(synset, 10) < to;

const lemmas = (path: string): string[] =>
  readTable(path)
    .filter(([synset]) => !between(synset, 7_938_000, 10_800_000) && !between(synset, 15_100_000, 16_000_000))
    .map((row) => row[2]?.trim() ?? '')
    .filter((word) => word !== '' && word === word.toLowerCase() && !/[_+\d]/u.test(word));

/** Names that begin sentences as plain words do. */
const plainNames = new Set(
  'may will mark bill long can do so no an as man you or bin may son art in on to my has noor see sun low more the all many here real is best same'.split(
    ' ',
  ),
);

export function openSlots(language: Language, side: Side, sources: Sources): Slots {
  const lists = JSON.parse(readFileSync(sources.lists, 'utf8')) as Lists;
  const words: Words = new Map([...readSlots('words/en.txt'), ...readSlots(`words/${language}.txt`)]);
  const malay = readSlots('words/ms.txt');
  const chineseWords = readSlots('words/zh.txt');
  for (const map of [words, malay, chineseWords])
    for (const [name, list] of map) if (twoSided.has(name)) map.set(name, onSide(list, side));
  const locales = Object.entries(lists.persons[side]).filter(([name]) => !name.startsWith('zh'));
  const english = locales.filter(([name]) => /^en/u.test(name));
  const chinese = lists.persons.train.zh_CN!;
  const cities = lists.cities[side];
  const wordnet = `${sources.corpora}/wordnet-base/usr/share/wordnet`;
  const gloss = language === 'en' ? glosses(wordnet) : [];
  const wordnets = `${sources.shared}/emb-omw-wordnets`;
  const named = readTable(`${wordnets}/${language}-cldr.tsv`).filter(([synset]) =>
    between(synset, 8_490_000, 9_210_000),
  );
  const countries = onSide(
    [...new Set(named.map((row) => row[2]!.trim()))].filter(
      (word) => word.length > (language === 'zh' ? 1 : 3),
    ),
    side,
  );
  const fillerFile = { en: '', ms: 'ms-wordnet-bahasa', zh: 'zh-chinese-open-wordnet' }[language];
  const senses = fillerFile ? readTable(`${wordnets}/${fillerFile}.tsv.gz`) : [];
  const lemmasOf = (part: string) =>
    senses.flatMap(([synset, , word]) =>
      synset?.endsWith(part) &&
      !between(synset, 7_938_000, 10_800_000) &&
      !between(synset, 15_100_000, 16_000_000) &&
      word &&
      word === word.toLowerCase() &&
      (language === 'zh' ? /^\p{Script=Han}{1,4}$/u : /^[a-z]+(?: [a-z]+)?$/u).test(word)
        ? [word]
        : [],
    );
  const roles =
    language === 'en'
      ? wordsOfField(wordnet, 'noun', ['18'])
      : senses.flatMap(([synset, , word]) =>
          between(synset, 9_620_000, 10_800_000) &&
          word &&
          (language === 'zh' ? /^\p{Script=Han}{2,4}$/u : /^[a-z]{4,}$/u).test(word)
            ? [word]
            : [],
        );
  const englishThings = wordsOfField(wordnet, 'noun', ['05', '06', '13', '17', '19', '20']);
  const things = language === 'en' ? wordsOfField(wordnet, 'noun', ['06', '10', '13', '04']) : [];
  const actions =
    language === 'en' ? wordsOfField(wordnet, 'verb', ['29', '30', '32', '35', '38', '40', '41']) : [];
  const [nouns, verbs, adjectives] = ['n', 'v', 'a'].map(lemmasOf) as [string[], string[], string[]];
  const plainThings = onSide(englishThings, side);
  const fillers = fillerFile ? lemmas(`${wordnets}/${fillerFile}.tsv.gz`) : [];

  const englishWords = readSlots('words/en.txt');
  for (const name of ['org_head']) englishWords.set(name, onSide(englishWords.get(name)!, side));
  const readSlotsOf = (...names: string[]): Record<string, string[] | undefined> =>
    Object.fromEntries(names.map((name) => [name, englishWords.get(name)]));
  const from = (map: Words, name: string, chance: Chance) => {
    const list = map.get(name);
    if (!list) throw new Error(`${language}: no slot ${name}`);
    return chance.pick(list);
  };

  function western(chance: Chance, form: 'full' | 'given' | 'surname'): string {
    const [, { given, surname }] = chance.pick(chance.happens(0.45) ? english : locales);
    const first = chance.pick(given);
    const last = chance.happens(0.06)
      ? `${chance.pick(surname)}-${chance.pick(surname)}`
      : chance.pick(surname);
    if (form !== 'full') return form === 'given' ? first : last;
    const kind = chance.below(100);
    if (kind < 14) return first;
    if (kind < 20) return last;
    if (kind < 30)
      return `${first} ${'ABCDEFGHJKLMNPRSTVW'[chance.below(19)]}${chance.happens(0.7) ? '.' : ''} ${last}`;
    if (kind < 34) return `${first[0]}. ${last}`;
    if (kind < 37) return `${last}, ${first}`;
    if (kind < 41) return `${first} ${chance.pick(given)} ${last}`;
    return `${first} ${last}`;
  }

  function malayPerson(chance: Chance, form: 'full' | 'given' | 'surname'): string {
    const isMale = chance.happens(0.5);
    const own = from(malay, isMale ? 'male' : 'female', chance);
    const given = chance.happens(0.5)
      ? `${own} ${from(malay, chance.happens(0.5) ? 'second' : isMale ? 'male' : 'female', chance)}`
      : own;
    if (form !== 'full') return chance.happens(0.7) ? own : given;
    const father = chance.happens(0.4)
      ? `${from(malay, 'male', chance)} ${from(malay, 'male', chance)}`
      : from(malay, 'male', chance);
    if (chance.happens(0.5))
      return `${given} ${isMale ? chance.pick(['bin', 'bin', 'b.']) : chance.pick(['binti', 'binti', 'bt'])} ${father}`;
    return chance.happens(0.6) ? `${given} ${from(malay, 'male', chance)}` : given;
  }

  function romanized(chance: Chance, form: 'full' | 'given' | 'surname'): string {
    const surname = from(malay, 'chinese_surname', chance);
    const given = `${from(malay, 'syllable', chance)} ${from(malay, 'syllable', chance)}`;
    if (form !== 'full') return form === 'given' ? given : surname;
    const kind = chance.below(100);
    if (kind < 14) return `${chance.pick(chance.pick(english)[1].given)} ${surname}`;
    if (kind < 22) return `${chance.pick(chance.pick(english)[1].given)} ${surname} ${given}`;
    if (kind < 34) return `${surname} ${capital(given.replace(' ', '').toLowerCase())}`;
    if (kind < 40) return `${surname} ${given.replace(' ', '-')}`;
    return `${surname} ${given}`;
  }

  function indianPerson(chance: Chance, form: 'full' | 'given' | 'surname'): string {
    const [first, last] = [from(malay, 'indian', chance), from(malay, 'indian', chance)];
    if (form !== 'full') return first;
    return chance.happens(0.5)
      ? `${first} ${chance.pick(['a/l', 'a/p', 's/o', 'd/o', 'A/L'])} ${last}`
      : `${first} ${last}`;
  }

  /** As one is called: 老金, 小刘, 阿胜, 娟娟, a given name, a surname for a title to follow. */
  function chineseCalled(chance: Chance, form: 'given' | 'surname'): string {
    const surname = () =>
      chance.happens(0.1) ? from(chineseWords, 'compound', chance) : chance.pick(chinese.surname);
    if (form === 'surname') return surname();
    const char = () => from(chineseWords, 'given_char', chance);
    const one = char();
    return chance.pick([
      () => `小${chance.happens(0.5) ? surname() : one}`,
      () => `老${surname()}`,
      () => `阿${one}`,
      () => one + one,
      () => one + char(),
      () => chance.pick(onSide(chinese.given, side)),
      () => `${one}${chance.pick(['姐', '哥', '叔', '婶', '妹', '爷', '娃'])}`,
      () => western(chance, 'given'),
    ])();
  }

  function chinesePerson(chance: Chance, form: 'full' | 'given' | 'surname'): string {
    if (form !== 'full') return chineseCalled(chance, form);
    if (chance.happens(0.1)) return chineseCalled(chance, 'given');
    const kind = chance.below(100);
    if (kind < 10) return from(chineseWords, 'transliterated', chance);
    if (kind < 17) {
      const piece = () =>
        Array.from({ length: 2 + chance.below(3) }, () =>
          from(chineseWords, 'transliteration_char', chance),
        ).join('');
      return chance.happens(0.5) ? `${piece()}·${piece()}` : piece();
    }
    if (kind < 21) return western(chance, 'full');
    const surname =
      kind < 24
        ? from(chineseWords, 'compound', chance)
        : chance.pick(chance.happens(0.75) ? commonSurnames : chinese.surname);
    const given = chance.happens(0.35)
      ? chance.pick(onSide(chinese.given, side))
      : from(chineseWords, 'given_char', chance) +
        (chance.happens(0.75) ? from(chineseWords, 'given_char', chance) : '');
    return surname + given.slice(0, 2);
  }

  function person(chance: Chance, form: 'full' | 'given' | 'surname'): string {
    if (language === 'zh') return chinesePerson(chance, form);
    const kind = chance.below(100) + (language === 'ms' ? 0 : 200);
    if (kind < 55 || (kind >= 200 && kind < 212)) return malayPerson(chance, form);
    if (kind < 74 || (kind >= 212 && kind < 224)) return romanized(chance, form);
    if (kind < 88 || (kind >= 224 && kind < 228)) return indianPerson(chance, form);
    return western(chance, form);
  }

  /** Streets, rivers, quarters, stations: what no list of towns has. */
  function madePlace(chance: Chance): string {
    const name = chance.pick([
      () => chance.pick(chance.pick(english)[1].surname),
      () => capital(chance.pick(plainThings)),
      () => chance.pick(cities.latin),
    ])();
    if (language === 'ms' && chance.happens(0.8)) {
      const body = chance.pick([
        () => from(malay, 'org_word', chance),
        () => from(malay, 'male', chance),
        () => `${capital(chance.pick(nouns))} ${from(malay, 'org_word', chance)}`,
        () => capital(chance.pick(nouns)),
        () => name,
      ])();
      return `${from(malay, 'place_of', chance)} ${body}${chance.happens(0.25) ? ` ${1 + chance.below(20)}` : ''}`;
    }
    const english_ = readSlotsOf('place_head', 'place_of');
    if (chance.happens(0.25)) return `${chance.pick(english_.place_of!)} ${name}`;
    return `${name}${chance.happens(0.08) ? "'s" : ''} ${chance.pick(english_.place_head!)}`;
  }

  function latinPlace(chance: Chance): string {
    if (chance.happens(0.16)) return madePlace(chance);
    const kind = chance.below(100);
    if (kind < 18) return chance.pick(countries);
    if (kind < 32) return from(words, language === 'ms' ? 'state' : 'region', chance);
    return chance.pick(chance.happens(0.6) ? cities.near : cities.latin);
  }

  function place(chance: Chance): string {
    if (language !== 'zh') return latinPlace(chance);
    if (chance.happens(0.18)) {
      const body = chance.pick([
        () => from(words, 'given_char', chance) + from(words, 'given_char', chance),
        () => chance.pick(nouns).slice(0, 2),
        () => chance.pick(chinese.surname) + chance.pick(['家', '', '公']),
      ])();
      return body + from(words, 'place_end', chance);
    }
    const kind = chance.below(100);
    if (kind < 12) return from(words, 'country', chance);
    if (kind < 18) return chance.pick(countries);
    if (kind < 55)
      return (
        from(words, 'province', chance) + (chance.happens(0.1) ? chance.pick(['市', '省', '区', '县']) : '')
      );
    return (
      chance.pick(cities.han) + (chance.happens(0.15) ? chance.pick(['市', '县', '区', '镇', '村']) : '')
    );
  }

  /** Names of plain words, and such as say in their head or first word what they are. */
  function madeCompany(chance: Chance): string {
    const thing = () => capital(chance.pick(plainThings));
    const { org_head, org_of, org_foreign } = readSlotsOf('org_head', 'org_of', 'org_foreign');
    const body = () =>
      chance.pick([
        thing,
        () => `${from(words, 'company_word', chance)} ${thing()}`,
        () => chance.pick(cities.latin),
        () => chance.pick(chance.pick(english)[1].surname),
        () => chance.pick(chance.pick(locales)[1].surname),
      ])();
    return chance.pick([
      () => `${body()} ${chance.pick(org_head!)}`,
      () => `${body()} ${chance.pick(org_head!)}`,
      () => `${body()} ${thing()} ${chance.pick(org_head!)}`,
      () => `${body()} & ${body()}`,
      () => `${body()}'s`,
      () => `${body()}'s ${chance.pick([thing(), chance.pick(org_head!)])}`,
      () => `${from(words, 'company_word', chance)} ${thing()}`,
      () =>
        `${chance.pick(org_of!)} of ${chance.pick([thing(), latinPlace(chance), `${thing()} and ${thing()}`])}`,
      () => `${thing()} ${chance.pick(org_head!)} of ${latinPlace(chance)}`,
      () =>
        `${chance.pick(org_foreign!)} ${chance.pick([chance.pick(cities.latin), chance.pick(chance.pick(locales)[1].surname)])}`,
    ])();
  }

  function englishCompany(chance: Chance): string {
    if (chance.happens(0.33)) return madeCompany(chance);
    const kind = chance.below(100);
    const surname = () => chance.pick(chance.pick(english)[1].surname);
    const field = () => from(words, 'company_field', chance);
    if (kind < 28) return from(words, 'famous', chance);
    if (kind < 40)
      return `${from(words, 'company_word', chance)} ${field()}${chance.happens(0.5) ? ` ${from(words, 'company_end', chance)}` : ''}`;
    if (kind < 47) return `${surname()} ${field()}`;
    if (kind < 53) return `${surname()} ${from(words, 'company_end', chance)}`;
    if (kind < 58)
      return chance.happens(0.5)
        ? `${surname()}, ${surname()} and ${surname()}`
        : `${surname()}-${surname()}`;
    if (kind < 66)
      return `${from(words, 'company_made', chance)}${chance.happens(0.5) ? ` ${chance.pick([field(), from(words, 'company_end', chance)])}` : ''}`;
    if (kind < 76) return `${latinPlace(chance)} ${from(words, 'institution', chance)}`;
    if (kind < 80) return `University of ${latinPlace(chance)}`;
    if (kind < 84) return `${surname()} ${from(words, 'institution', chance)}`;
    if (kind < 88)
      return Array.from(
        { length: 2 + chance.below(3) },
        () => 'ABCDEFGHIKLMNOPRSTUVW'[chance.below(21)],
      ).join('');
    const made = capital(
      `${chance.pick(cities.latin).slice(0, 2 + chance.below(3))}${from(words, 'company_made', chance).slice(-2 - chance.below(4))}`.replaceAll(
        /[^\p{L}]/gu,
        '',
      ),
    );
    return chance.happens(0.5)
      ? made
      : `${made} ${chance.pick([field(), from(words, 'company_end', chance)])}`;
  }

  function organization(chance: Chance): string {
    const kind = chance.below(100);
    if (language === 'en') return englishCompany(chance);
    if (language === 'ms') {
      if (kind < 22) return from(words, 'famous', chance);
      if (kind < 38)
        return `${from(words, 'org_kind', chance)} ${chance.pick([
          () => latinPlace(chance),
          () => from(malay, 'male', chance),
          () => capital(chance.pick(nouns)),
          () => from(words, 'org_word', chance),
        ])()}`;
      const name = [
        from(words, 'org_word', chance),
        chance.happens(0.6) ? from(words, 'org_word', chance) : '',
      ]
        .join(' ')
        .trim();
      if (kind < 60)
        return `${from(words, 'org_begin', chance)} ${chance.happens(0.4) ? latinPlace(chance) : name}`;
      if (kind < 85)
        return `${chance.happens(0.3) ? from(malay, 'male', chance) : name} ${chance.pick(['Sdn Bhd', 'Sdn. Bhd.', 'Berhad', 'Enterprise', 'Holdings', '& Anak-anak', 'Trading'])}`;
      return readEnglish(chance);
    }
    if (kind < 22) return from(words, 'famous', chance);
    const brand = () =>
      chance.pick([
        () => from(words, 'org_word', chance) + from(words, 'org_word', chance),
        () => from(words, 'given_char', chance) + from(words, 'given_char', chance),
        () => chance.pick(nouns).slice(0, 2),
      ])();
    if (kind < 34)
      return (
        (chance.happens(0.2) ? place(chance) : '') +
        (chance.happens(0.15) ? chineseCalled(chance, 'given') : brand()) +
        from(words, 'shop', chance)
      );
    if (kind < 42) return place(chance) + from(words, 'office', chance);
    if (kind < 62) {
      const body =
        brand() +
        (chance.happens(0.7) ? from(words, 'org_field', chance) : '') +
        from(words, 'org_end', chance);
      return chance.happens(0.3) ? place(chance) + body : body;
    }
    if (kind < 90)
      return (
        place(chance) +
        (chance.happens(0.2) ? chance.pick(['第一', '第二', '中央', '国际', '市立']) : '') +
        from(words, 'institution', chance)
      );
    return readEnglish(chance);
  }

  const readEnglish = (chance: Chance): string => chance.pick(englishNames);

  function date(chance: Chance): string {
    const [year, month, day] = [1940 + chance.below(92), 1 + chance.below(12), 1 + chance.below(28)];
    const two = (value: number) => String(value).padStart(2, '0');
    const numeric = chance.pick([
      `${year}-${two(month)}-${two(day)}`,
      `${two(day)}/${two(month)}/${year}`,
      `${day}/${month}/${year}`,
      `${day}.${month}.${year}`,
      `${day}-${month}-${year}`,
      `${two(month)}/${two(day)}/${String(year).slice(2)}`,
    ]);
    if (language === 'zh') {
      const han = chance.pick([
        `${year}年${month}月${day}日`,
        `${month}月${day}日`,
        `${year}年${month}月`,
        `${year}年`,
        chance.pick(['星期一', '周二', '星期三', '周五', '星期天', '周日', '礼拜六']),
      ]);
      return chance.happens(0.8) ? han : numeric;
    }
    if (chance.happens(0.3)) return numeric;
    const names = language === 'ms' ? malay.get('month')! : englishMonths;
    const [name, days] = [names[month - 1]!, language === 'ms' ? malay.get('day')! : englishDays];
    const kind = chance.below(100);
    const shortName = name.slice(0, 3);
    if (kind < 25) return `${day} ${name} ${year}`;
    if (kind < 37) return `${day} ${name}`;
    if (kind < 50) return language === 'en' ? `${name} ${day}, ${year}` : `${day} ${name} ${year}`;
    if (kind < 58)
      return language === 'en'
        ? `${name} ${day}${day === 1 ? 'st' : day === 2 ? 'nd' : day === 3 ? 'rd' : 'th'}`
        : `${day}hb ${name}`;
    if (kind < 66) return `${name} ${year}`;
    if (kind < 78) return String(year);
    if (kind < 84) return `${day} ${shortName} ${year}`;
    if (kind < 88) return language === 'en' ? `${shortName} ${day}` : `${day} ${shortName}`;
    return chance.pick(days);
  }

  function job(chance: Chance): string {
    if (language === 'zh')
      return chance.happens(0.7) ? from(words, 'job', chance) : chance.pick(lists.jobs[side].zh);
    if (language === 'en')
      return chance.happens(0.6) ? from(words, 'job', chance) : chance.pick(lists.jobs[side].en);
    return from(words, 'job', chance);
  }

  function jobOfAForm(chance: Chance): string {
    if (language === 'zh') return job(chance);
    return chance.happens(0.6) ? titled(job(chance)) : capital(job(chance));
  }

  const numbers: Record<string, (chance: Chance) => string> = {
    num: (chance) => String(1 + chance.below(99)),
    amount: (chance) =>
      `${chance.pick(['RM', '$', '€', '£', 'RM ', '¥', 'USD '])}${1 + chance.below(9000)}${chance.happens(0.5) ? `.${chance.digits(2)}` : ''}`,
    phone: (chance) =>
      chance.pick([
        `01${chance.digits(1)}-${chance.digits(7)}`,
        `+60 ${chance.digits(2)} ${chance.digits(7)}`,
        `1${chance.digits(10)}`,
        `(${chance.digits(3)}) ${chance.digits(3)}-${chance.digits(4)}`,
      ]),
    code: (chance) =>
      `${chance.pick(['INV', 'A', 'PO', 'SO', 'TK', ''])}${chance.pick(['-', ''])}${chance.digits(3 + chance.below(6))}`,
    word: (chance) => chance.pick(plainWords),
    email: (chance) =>
      `${chance.pick(plainWords)}${chance.digits(2)}@${chance.pick(['example.com', 'mail.my', 'corp.cn', 'post.org'])}`,
    streetname: (chance) =>
      language === 'ms' ? from(malay, 'org_word', chance) : chance.pick(chance.pick(english)[1].surname),
    big_thing: (chance) => from(words, 'thing', chance).toUpperCase(),
    big_adjective: (chance) => from(words, 'adjective', chance).toUpperCase(),
    role: (chance) => chance.pick(roles),
    rolec: (chance) => capital(chance.pick(roles)),
    nn: (chance) => chance.pick(things),
    ved: (chance) => past(chance.pick(actions)),
    n: (chance) => chance.pick(nouns),
    v: (chance) => chance.pick(verbs),
    a: (chance) => chance.pick(adjectives),
    gloss: (chance) => chance.pick(gloss),
    lemmas: (chance) =>
      Array.from({ length: 3 + chance.below(5) }, () => chance.pick(fillers)).join(
        language === 'zh' ? '' : ' ',
      ),
    zhline: (chance) => chance.pick(chineseLines),
  };
  const englishNames = readSlots('words/en.txt')
    .get('famous')!
    .filter((_, at) => (at % 5 === 4) === (side === 'held'));
  const englishMonths = [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ];
  const englishDays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  const plainWords = [
    'info',
    'sales',
    'user',
    'team',
    'hello',
    'admin',
    'office',
    'shop',
    'contact',
    'order',
    'news',
    'travel',
    'food',
    'blessed',
    'help',
  ];
  const commonSurnames = [
    ...'王李张刘陈杨黄赵周吴徐孙马朱胡郭何林高罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康',
  ];
  const chineseLines = language === 'zh' ? readTatoeba(sources.shared) : [];

  const entities = new Map<string, (chance: Chance) => string>([
    ['PER', (chance) => person(chance, 'full')],
    ['PERF', (chance) => person(chance, 'given')],
    ['PERL', (chance) => person(chance, 'surname')],
    ['LOC', place],
    ['ORG', organization],
    ['DATE', date],
    ['JOB', job],
    ['JOBC', jobOfAForm],
  ]);
  const known = new Set(
    [
      ...locales.flatMap(([, { given, surname }]) => [...given, ...surname]),
      ...[...cities.near, ...cities.han, ...countries, ...englishNames],
      ...['male', 'female', 'second', 'chinese_surname', 'indian', 'famous', 'region', 'state'].flatMap(
        (name) => malay.get(name) ?? words.get(name) ?? [],
      ),
      ...['famous', 'province', 'country', 'transliterated'].flatMap((name) => chineseWords.get(name) ?? []),
    ]
      .map((word) => word.toLowerCase())
      .filter((word) => !plainNames.has(word)),
  );
  const natural =
    side === 'train'
      ? naturals(language, sources.shared, known, {
          corpora: sources.corpora,
          // Examples are sentences with a capital; of glosses a few.
          more: [
            ...gloss.filter((line, at) => /^\p{Lu}/u.test(line) || at % 30 === 0),
            ...chineseLines,
            ...chineseLines,
          ],
        })
      : [];
  numbers.natural = (chance) => chance.pick(natural);
  return (slot, chance) => (entities.get(slot) ?? numbers[slot])?.(chance) ?? from(words, slot, chance);
}

/** Chinese sentences without the names that Tatoeba loves. */
function readTatoeba(shared: string): string[] {
  return readFileSync(`${shared}/emb-tatoeba-en-ms-zh/en-zh.tsv`, 'utf8')
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [english = '', chinese = ''] = line.split('\t');
      return chinese &&
        !/.\b\p{Lu}\p{Ll}/u.test(english.replaceAll(/\bI\b/gu, 'i')) &&
        !/^(?:Tom|Mary|John)\b/u.test(english)
        ? [chinese.trim()]
        : [];
    });
}
