/**
 * Sentences of people turned into templates: a pronoun becomes `{PER}`, “the company” `{ORG}`, “yesterday” `on {DATE}`, “the nurse”
 * `the {JOB}`; others get a place, a date or a speaker added. So that entities stand in thousands of contexts that no one wrote as
 * a template.
 */
import type { Chance } from '../../../test/support/documents/specimens/chance.ts';
import type { Language } from './grammar.ts';

/** A sentence's template, or null where it has marks of templates itself. Plain: but job titles are labelled. */
export type Carrier = (sentence: string, chance: Chance, isPlain: boolean) => string | null;

const spaced = (words: string) => words.split(/\s+/u).join('|');

const people =
  spaced(`man woman boy girl guy lady old\\sman young\\sman young\\swoman neighbour neighbor stranger visitor guest child kid patient victim
suspect speaker author winner owner driver customer client student prisoner witness candidate defendant`);
const relations =
  spaced(`wife husband son daughter brother sister mother father friend boss colleague uncle aunt cousin roommate girlfriend boyfriend
partner mom dad grandmother grandfather neighbour neighbor teacher`);
const bodies =
  spaced(`company firm bank university school government team club party organization organisation agency committee court police army hospital
corporation church newspaper union council museum board department store factory business college association ministry foundation airline
publisher band orchestra commission institute senate parliament`);
const spots = spaced(
  'city town country village island state region capital province district county valley coast suburb',
);
const jobs =
  spaced(`doctor nurse teacher lawyer manager engineer director president secretary minister chairman professor mayor governor judge driver
pilot officer reporter journalist editor writer author singer actor actress musician composer painter artist scientist physicist chemist
mathematician economist historian philosopher poet novelist playwright architect inventor explorer politician statesman diplomat general
soldier sailor captain conductor dancer comedian filmmaker photographer surgeon physician dentist pharmacist chef cook waiter waitress baker
butcher plumber electrician carpenter mechanic farmer fisherman gardener cleaner guard receptionist clerk cashier accountant auditor banker
broker salesman analyst consultant programmer developer designer translator interpreter librarian lecturer dean headmaster principal coach
trainer goalkeeper senator ambassador spokesman detective firefighter paramedic psychologist psychiatrist sculptor biologist astronomer
geologist botanist zoologist theologian missionary pianist violinist jazz\\smusician tennis\\splayer baseball\\splayer boxer golfer swimmer
supervisor foreman bartender barista priest bishop`);
const times =
  'yesterday|today|tomorrow|last week|last year|last month|next week|next month|this morning|this year|tonight';

const speech =
  `said says added explained claimed announced told\\sus replied argued insisted complained wrote asked warned admitted noted
recalled joked promised suggested testified observed reported confirmed denied whispered shouted posted`
    .split(/\s+/u)
    .map((word) => word.replace('\\s', ' '));

const person = (chance: Chance): string => {
  const kind = chance.below(100);
  if (kind < 52) return '{PER}';
  if (kind < 74) return '{PERF}';
  if (kind < 84) return '{title} {PERL}';
  if (kind < 94) return '{PERL}';
  return '{title} {PER}';
};

const described = (chance: Chance): string => {
  const named = person(chance);
  const kind = chance.below(100);
  if (kind < 78) return named;
  return (
    named +
    chance.pick([
      ', [a|the] {JOB} [at|for|of|with] {ORG},',
      ', [a|our|the] {JOB},',
      ', {num},',
      ', [a|the] {JOB} from {LOC},',
      ' of {ORG}',
      ' from {LOC}',
      ' ({ORG})',
      ' (born {DATE})',
      ' and {PER}',
      ', who [lives|works|grew up] in {LOC},',
      ', {JOB} of {ORG},',
      ' from {ORG}',
      ' in {LOC}',
    ])
  );
};

type Rule = readonly [pattern: RegExp, instead: (chance: Chance, found: RegExpExecArray) => string];

const englishRules: readonly Rule[] = [
  [/\b(?:He|She|he|she)\b(?=[’'](?:s|d|ll)\b|\s)/gu, (chance) => described(chance)],
  [/\bhim\b/gu, (chance) => person(chance)],
  [
    /\bher\b(?=[.,;!?]|$| (?:to|in|on|at|with|for|from|by|that|as|when|and|the|a|into|out|up|down|about|of)\b)/gu,
    (chance) => person(chance),
  ],
  [/\b(?:[Hh]is|[Hh]er)\b(?= \p{Ll}{3})/gu, (chance) => `${person(chance)}'s`],
  [new RegExp(`\\b[Tt]h(?:e|is|at) (?:${people})\\b(?=[ .,;!?]|$)`, 'gu'), (chance) => described(chance)],
  [
    new RegExp(`\\b([Mm]y|[Hh]is|[Hh]er|[Oo]ur) (${relations})\\b(?=[ .,;!?]|$)`, 'gu'),
    (chance, [all]) => (chance.happens(0.5) ? person(chance) : `${all}[,|] {PERF}[,|]`),
  ],
  [
    /^(?:They|We)\b(?= )/gu,
    (chance) =>
      chance.pick([
        '{PER} and {PER}',
        '{PERF} and {PERF}',
        '{PERF} and I',
        '{PER}, {PER} and {PER}',
        '{PERF}, {PERF} and {PERL}',
      ]),
  ],
  [
    new RegExp(`\\b[Tt]h(?:e|is) (?:${bodies})\\b(?=[ .,;!?’']|$)`, 'gu'),
    (chance) => (chance.happens(0.9) ? '{ORG}' : '{ORG} and {ORG}'),
  ],
  [
    /^(?:It|They|We)\b(?= (?:has|have|had|was|were|will|would|can|could|should|must) )/gu,
    (chance) => chance.pick(['{ORG}', '{PER}', '{LOC}', '{ORG}']),
  ],
  [
    new RegExp(
      `\\b(in|to|from|of|across|around|near|throughout) (?:the|this|a) (?:${spots})\\b(?=[ .,;!?]|$)`,
      'gu',
    ),
    (_, found) => `${found[1]} {LOC}`,
  ],
  [new RegExp(`\\b[Tt]he (?:${spots})\\b(?=[ .,;!?’']|$)`, 'gu'), () => '{LOC}'],
  [
    /\b(?:here|there)\b(?=[.,;!?]|$)/gu,
    (chance) => chance.pick(['in {LOC}', 'in {LOC}, {LOC}', 'at {ORG}', 'near {LOC}', 'outside {LOC}']),
  ],
  [/\babroad\b/gu, (chance) => chance.pick(['in {LOC}', 'to {LOC}'])],
  [
    new RegExp(`\\b(?:${times})\\b`, 'gu'),
    (chance) => chance.pick(['on {DATE}', 'on {DATE}', 'in {DATE}', 'by {DATE}', 'since {DATE}']),
  ],
];

const malayRules: readonly Rule[] = [
  [/(?<![\p{L}'-])(?:[Dd]ia|[Bb]eliau)(?![\p{L}'-])/gu, (chance) => malayDescribed(chance)],
  [
    /(?<![\p{L}'-])(?:[Mm]ereka|[Kk]ami|[Kk]ita)(?![\p{L}'-])/gu,
    (chance) => chance.pick(['{PER} dan {PER}', '{PERF} dan {PERF}', 'keluarga {PER}', '{PER}']),
  ],
  [
    /(?<![\p{L}'-])(?:[Ss]aya|[Aa]ku|[Kk]amu|[Aa]wak|[Aa]nda|kau)(?![\p{L}'-])/gu,
    (chance) => chance.pick(['{PER}', '{PERF}', '{title} {PER}', '{title} {PERF}']),
  ],
  [
    /(?<![\p{L}'-])(?:[Ss]yarikat|[Ss]ekolah|[Uu]niversiti|[Kk]erajaan|[Bb]ank|[Hh]ospital|[Pp]olis|[Pp]ejabat)(?: itu| ini)?(?![\p{L}'-])(?! \p{Lu})/gu,
    () => '{ORG}',
  ],
  [/(?<![\p{L}'-])(?:di sini|di sana|di situ)(?![\p{L}'-])/gu, () => 'di {LOC}'],
  [/(?<![\p{L}'-])(?:ke sini|ke sana|ke situ)(?![\p{L}'-])/gu, () => 'ke {LOC}'],
  [
    /(?<![\p{L}'-])(?:semalam|hari ini|esok|tahun lepas|minggu depan|kelmarin)(?![\p{L}'-])/gu,
    () => 'pada {DATE}',
  ],
];

const malayDescribed = (chance: Chance): string => {
  const named = chance.pick([
    '{PER}',
    '{PER}',
    '{PER}',
    '{PERF}',
    '{PERF}',
    '{title} {PER}',
    '{title} {PERF}',
  ]);
  return chance.happens(0.8)
    ? named
    : named +
        chance.pick([
          ' dari {LOC}',
          ', {JOB} {ORG},',
          ', seorang {JOB},',
          ' ({num})',
          ' dan {PER}',
          ', {num},',
          ' dari {ORG}',
        ]);
};

const chineseDescribed = (chance: Chance): string => {
  const kind = chance.below(100);
  if (kind < 50) return '{PER}';
  if (kind < 62) return '{PERF}';
  if (kind < 74)
    return '{PERL}[先生|女士|小姐|老师|医生|主任|师傅|阿姨|叔叔|总|工|经理|警官|同学|教练|局长|护士|律师|校长|连长|奶奶|大爷|大哥|姐|嫂|教授|某|家]';
  return chance.pick([
    '{JOB}{PER}',
    '{ORG}{JOB}{PER}',
    '{ORG}的{PER}',
    '{PER}（{num}岁）',
    '{LOC}的{PER}',
    '{PER}{title}',
    '{PER}{title}',
    '{PER}和{PER}',
    '{PER}、{PER}',
    '来自{LOC}的{PER}',
    '我{family}{PER}',
    '{LOC}{JOB}{PER}',
    '记者{PER}',
  ]);
};

const chineseRules: readonly Rule[] = [
  [/(?<!其)[他她](?!们|人|妈|娘|国|乡|日)/gu, (chance) => chineseDescribed(chance)],
  [/(?<!自)我(?!们|国|方|家|军|去|靠|擦|的天|操|草|爱)/gu, (chance) => chineseDescribed(chance)],
  [/你(?!们|好|妈|麻|国|懂|们)/gu, (chance) => chineseDescribed(chance)],
  [
    /(?:他|她|我|你)们/gu,
    (chance) => chance.pick(['{PER}和{PER}', '{PER}他们', '{PER}、{PER}等人', '{ORG}', '{PER}一家']),
  ],
  [
    /(?:老公|老婆|男朋友|女朋友|儿子|女儿|室友|同事|邻居|同桌|闺蜜|男友|女友)/gu,
    (chance, [all]) => chance.pick(['{PER}', '{PER}', `${all}{PER}`]),
  ],
  [
    /(?:这家|那家|我们|某|该)?(?:公司|学校|医院|银行|政府|警方|法院|单位|大学|平台|媒体)/gu,
    (chance) => chance.pick(['{ORG}', '{ORG}', '{LOC}{ORG}']),
  ],
  [
    /(?:这里|那里|这儿|那儿|当地|国内|国外|城里|这边|那边|农村|外地|城市)/gu,
    (chance) => chance.pick(['{LOC}', '{LOC}', '{LOC}{LOC}']),
  ],
  [/(?:今天|昨天|明天|去年|今年|明年|前天|上周|下周|当天|那天)/gu, () => '{DATE}'],
];

const jobRule: Record<Language, Rule> = {
  en: [new RegExp(`\\b(?:${jobs})\\b`, 'gu'), (_, [all]) => `{=JOB:${all}}`],
  ms: [
    /(?<![\p{L}'-])(?:doktor|guru|cikgu|peguam|jururawat|pemandu|askar|menteri|penulis|pelayan|polis|petani|nelayan|hakim|wartawan|jurutera|pengurus|penyanyi|pelakon)(?![\p{L}'-])/gu,
    (chance, [all]) => (chance.happens(0.5) ? '{JOB}' : `{=JOB:${all}}`),
  ],
  zh: [
    /(?:医生|护士|老师|教师|律师|警察|司机|记者|演员|歌手|作家|导演|工程师|程序员|经理|总统|总理|主席|校长|教授|法官|厨师|服务员|保安|农民|农民工|教练|明星|博主|空姐|快递员)/gu,
    (chance, [all]) => (chance.happens(0.4) ? '{JOB}' : `{=JOB:${all}}`),
  ],
};

const rulesOf: Record<Language, readonly Rule[]> = { en: englishRules, ms: malayRules, zh: chineseRules };

const added: Record<Language, (sentence: string, chance: Chance) => string> = {
  en: (sentence, chance) => {
    const [body, mark] = [sentence.replace(/[.!?]+$/u, ''), /[.!?]+$/u.exec(sentence)?.[0] ?? '.'];
    const small = body.replace(/^\p{Lu}(?=\p{Ll}|\s)(?!\s['’])/u, (letter) =>
      body.startsWith('I ') ? letter : letter.toLowerCase(),
    );
    const word = chance.pick(speech);
    const who = described(chance);
    return chance.pick([
      () => `${body} in {LOC}${mark}`,
      () => `${body} [on|in|since|until|before] {DATE}${mark}`,
      () => `${body} [at|with|for|by] {ORG}${mark}`,
      () => `${body} [to|from|against|through|near|after leaving|instead of|like] {ORG}${mark}`,
      () =>
        `{ORG} [and {ORG}|] ${chance.pick(['agreed', 'refused', 'closed', 'opened', 'moved', 'paid', 'won', 'lost', 'grew', 'sold it', 'will help', 'has left'])}. ${body}${mark}`,
      () => `${body} with ${who}${mark}`,
      () => `In {LOC}, ${small}${mark}`,
      () => `[In|On|Since|By] {DATE}, ${small}${mark}`,
      () => `${body}, ${word} ${who.replace(/,$/u, '')}.`,
      () => `${body}, ${who} ${word}.`,
      () => `"${body}," ${who} ${word}.`,
      () => `“${body}${mark}” ${who} ${word}[ on {DATE}| in {LOC}|].`,
      () => `{ORG} ${word} ${small}${mark}`,
      () => `${who} ${word} [that|] ${small}${mark}`,
      () => `{PERF}: ${body}${mark}`,
      () => `${body}, {PERF}${mark}`,
      () => `{PERF}, ${small}${mark}`,
      () => `[hey|Hi|Dear|Thanks|Sorry|Yes|ok] {PERF}, ${small}${mark}`,
      () => `${body}${mark} [-|—|~|] {PER}`,
      () =>
        `${body}${mark} {PER} ${chance.pick(['agreed', 'left', 'laughed', 'nodded', 'was there', 'knows', 'will decide', 'paid', 'had other plans', 'waited', 'came too', 'never called'])}.`,
      () =>
        `According to {[a]ORG}, ${small}${mark}`.replace(
          '{[a]ORG}',
          chance.pick(['{ORG}', '{PER}', '{PER} of {ORG}', '{JOB} {PER}']),
        ),
      () => `[For|Without|Unlike|Like|After|Thanks to] {PER}, ${small}${mark}`,
    ])();
  },
  ms: (sentence, chance) => {
    const [body, mark] = [sentence.replace(/[.!?]+$/u, ''), /[.!?]+$/u.exec(sentence)?.[0] ?? '.'];
    const small = body.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());
    const word = chance.pick(['kata', 'ujar', 'jelas', 'tambah', 'tulis', 'tegas', 'kongsi', 'dakwa']);
    const who = malayDescribed(chance);
    return chance.pick([
      () => `${body} di {LOC}${mark}`,
      () => `${body} [pada|sejak|sebelum|selepas] {DATE}${mark}`,
      () => `${body} [di|dengan|oleh|untuk] {ORG}${mark}`,
      () => `${body} dengan ${who}${mark}`,
      () => `Di {LOC}, ${small}${mark}`,
      () => `Pada {DATE}, ${small}${mark}`,
      () => `${body}, ${word} ${who}.`,
      () => `"${body}," ${word} ${who}.`,
      () => `Menurut [{ORG}|{PER}|{PER} dari {ORG}], ${small}${mark}`,
      () => `{ORG} [menyatakan|memaklumkan|berkata] ${small}${mark}`,
      () => `${who} [berkata|memberitahu|percaya|fikir|tulis|cakap] ${small}${mark}`,
      () => `{PERF}: ${body}${mark}`,
      () => `{PERF}, ${small}${mark}`,
      () => `[Hai|Weh|Salam|Maaf|Terima kasih] {PERF}, ${small}${mark}`,
      () => `${body}${mark} {PER} [setuju|diam|ketawa|tahu|pun datang|tidak pulang|yang bayar].`,
      () => `[Bagi|Untuk|Bersama|Tanpa] {PER}, ${small}${mark}`,
    ])();
  },
  zh: (sentence, chance) => {
    const [body, mark] = [
      sentence.replace(/[。！？.!?]+$/u, ''),
      /[。！？.!?]+$/u.exec(sentence)?.[0] ?? '。',
    ];
    const who = chineseDescribed(chance);
    const word = chance.pick([
      '说',
      '表示',
      '认为',
      '指出',
      '回复',
      '写道',
      '问',
      '补充',
      '笑着说',
      '发微博说',
      '告诉记者',
      '承认',
      '坚持',
    ]);
    return chance.pick([
      () => `在{LOC}，${body}${mark}`,
      () => `{DATE}，${body}${mark}`,
      () => `${who}${word}，${body}${mark}`,
      () => `${who}${word}：“${body}${mark}”`,
      () => `“${body}，”${who}${word}。`,
      () => `{ORG}${word}，${body}${mark}`,
      () => `[据|根据|按照]{ORG}[消息|统计|介绍]，${body}${mark}`,
      () => `{PER}：${body}${mark}`,
      () => `@{PER} ${body}${mark}`,
      () => `{PER}，${body}${mark}`,
      () => `${body}，{PER}${mark}`,
      () => `[对于|关于|至于]{PER}，${body}${mark}`,
      () => `[在|到|去]{ORG}，${body}${mark}`,
      () => `${body}${mark}{PER}[笑了|没说话|同意了|走了|也知道|不信]。`,
      () => `{LOC}[人|这边|那里|现在]${body}${mark}`,
      () => `${body}，[因为|除了|包括]{PER}${mark}`,
    ])();
  },
};

export function carrierOf(language: Language): Carrier {
  return (sentence, chance, isPlain) => {
    if (/[[\]{}|\\]/u.test(sentence)) return null;
    let changed = 0;
    // What was put in is no place for the next rule.
    const apply = (text: string, [pattern, instead]: Rule, share: number): string =>
      text
        .split(/(\{[^{}]*\})/u)
        .map((part) =>
          part.startsWith('{')
            ? part
            : part.replaceAll(pattern, (...found) => {
                if (!chance.happens(share)) return found[0] as string;
                changed++;
                return instead(chance, found as unknown as RegExpExecArray);
              }),
        )
        .join('');
    let text = apply(sentence, jobRule[language], 1);
    if (isPlain) return text;
    for (const rule of rulesOf[language]) text = apply(text, rule, changed > 2 ? 0.3 : 0.75);
    if (!/\{(?:PER|ORG|LOC|DATE)/u.test(text) || chance.happens(0.2)) text = added[language](text, chance);
    return text;
  };
}
