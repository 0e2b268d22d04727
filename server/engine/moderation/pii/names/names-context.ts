/** Names told by what stands beside them: kinship, professions, fields of a form, signatures, lists, and the same name again. */
import { fromRules, type PatternRule, type PiiMatch } from '../match.ts';
import { givenNames, initial, isChineseName, isName, person, surname, word } from './name-lists.ts';

const kin =
  'kid|child|son|daughter|wife|husband|spouse|brother|sister|mother|father|mom|mum|dad|uncle|aunt|cousin|nephew|niece|grandson|granddaughter|fianc(?:é|ée|e|ee)|boyfriend|girlfriend|partner|friend|neighbou?r|colleague|boss|roommate|assistant';
const professions =
  'player|singer|commenter|actor|actress|president|minister|senator|director|coach|captain|detective|officer|lawyer|attorney|author|writer|poet|artist|composer|champion|journalist|reporter|nurse|teacher|student|manager|CEO|founder|chairman|spokes(?:man|woman|person)|engineer|driver|guardian|witness|suspect|victim|pegawai|peguam|pemandu|guru|pengarah|mangsa|suspek';
const fields =
  'User(?:name)?|Customer|Client|Patient|Applicant|Employee|Contact|Attn|Recipient|Sender|Signed|Holder|Passenger|Guest|Tenant|Owner|Witness|Ship to|Bill to|Deliver to|Send to|Billing address|Shipping address|Surname|Pelanggan|Pesakit|Pemohon|Penerima|Penghantar|Waris|Penumpang|Tetamu';
const owned =
  'daughter|son|wife|husband|mother|father|brother|sister|address|phone|e-?mail|birthday|house|account|passport|salary|number|boss|name|kids?|children|alamat|nombor|akaun';

const named = (pattern: string, score: number): PatternRule => ({
  kind: 'name',
  pattern: new RegExp(pattern, 'dgu'),
  score,
  valid: isName,
  group: 'value',
});

/** One to three capitalized words. */
const short = `${word}(?: ${word}){0,2}`;

/** Names in small letters, as people type them: only where the words before leave no doubt. */
const small = "\\p{Ll}[\\p{L}'’-]{1,24}";
const traits =
  'reliable|kind|friendly|sympathetic|funny|smart|clever|stupid|angry|lazy|rude|polite|married|single|pregnant|divorced|impulsive|honest|shy|brave|jealous|generous|drunk|asleep|ill|sick|crying|late|my|our';

const findBeside = fromRules([
  named(
    `(?:[Mm]y name(?:['’]s| is)|[Nn]ama (?:penuh )?saya(?: ialah)?|(?:maiden|last|first|family|full) name(?: is|:)) (?<value>${small}(?: (?:\\p{L}\\.? )?${small}){0,2})(?=[.,;!?\\n]|$| (?:and|dan|from|dari)\\b)`,
    0.5,
  ),
  named(
    `(?:^|\\n)[> ]{0,3}(?:name|nama|customer|patient|pelanggan) ?: {0,6}(?<value>${small}(?: (?:\\p{L}\\.? )?${small}){1,2})(?=\\s*(?:\\n|$))`,
    0.5,
  ),
  named(`\\b(?:mr|mrs|ms|dr|prof)\\. ?(?<value>${small}|${word})`, 0.4),
  named(
    `\\b(?:[Gg]ave|[Gg]iven|[Tt]old|[Ss]ent|[Ss]howed|[Ll]ent|[Oo]wes|[Pp]aid) (?<value>${word}(?: ${word})?)(?= (?:his|her|their|my|our|the|a|an|that)\\b)`,
    0.35,
  ),
  named(`\\b(?:named|called|calls?|names) (?:him|her|them|me) (?<value>${word}(?: ${word})?)`, 0.4),
  named(
    `(?:^|[.!?\\n] ?|[Ww]hy is |[Tt]ell |[Tt]hat )(?<value>${word})(?= (?:is|was) (?:a )?(?:so |very |really |always |too )*(?:${traits})\\b)`,
    0.35,
  ),
  named(`\\b[Ww]hy (?:is|was|does|did) (?<value>${word})(?= (?:so|always|never|not|such)\\b)`, 0.35),
  named(
    `\\b(?:(?:change|changed|transfer|transferred|assign|assigned|switch) (?:it |this |that )?to|[Aa]dd|on behalf of|in the name of|features?|feat\\.?) (?<value>${word} (?:${initial} )?${word})(?= as\\b|[.,!?\\n]|$)`,
    0.35,
  ),

  named(
    `\\b(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir|[Yy]our) (?:\\w{1,10} )?(?:${kin}),? (?<value>${short})`,
    0.4,
  ),
  named(`(?<!\\p{L})(?<value>${short})(?=['’]s (?:${owned})\\b)`, 0.4),
  named(`\\b(?:${professions}) (?<value>${word} ${word})`, 0.35),
  named(`\\b(?:${fields}) ?: ?(?<value>${person})`, 0.45),
  named(
    `(?:[Mm]aiden|[Ll]ast|[Ff]irst|[Ff]amily|[Ff]ull|[Ss]ur)[ -]?name(?: is|:|\\?)? (?<value>${short})`,
    0.5,
  ),
  named(`\\b[Nn]ame\\? (?<value>${person})`, 0.5),
  named(
    `\\b(?:[Ff]ollow(?:ed)? up with|[Ss]p(?:eak|oke) (?:to|with)|[Tt]alk(?:ed)? (?:to|with)|[Mm]e?et(?:ing)? with|[Ss]hout(?:ed)? at|[Yy]ell(?:ed)? at|[Tt]ribute to|[Gg]reetings from|[Hh]ubungi|[Jj]umpa|[Bb]ercakap dengan) (?<value>${short})`,
    0.35,
  ),
  named(
    `(?:^|\\n) ?(?<value>${word})(?=,? (?:can|could|would|will) (?:you|I|we)\\b|, (?:please|boleh|tolong)\\b)`,
    0.35,
  ),
  named(`(?:^|\\n) ?(?<value>${word}(?: ${word})?) ?: ?(?=["“])`, 0.4),
  named(`["”],? (?:says|said|asks|asked|replied|kata|ujar) (?<value>${word})(?=[.,])`, 0.35),
  named(
    `(?:^|\\n)[> ?]{0,5}(?<value>${word} ${word}(?: ${word})?) {0,3}\\n(?=(?:[^\\n]{0,60}\\n){0,3}[> ?]{0,5}(?:\\d|[Pp]ersonal [Ii]nfo|[Pp]hone|[Tt]el|[Ee]-?mail|[Aa]ddress|[Cc]ontact))`,
    0.45,
  ),
  named(`\\b(?:Kak|Abang|Abg|Pak|Mak|Pak ?[Cc]ik|Mak ?[Cc]ik|Tok|YB|Cikgu) (?<value>${short})`, 0.4),
  named(
    `\\b(?:[Aa]nak|[Ii]steri|[Ss]uami|[Aa]dik|[Aa]bang|[Kk]akak|[Ii]bu|[Bb]apa|[Kk]awan|[Jj]iran|[Bb]os) (?:saya|aku|dia|kami),? (?:bernama |iaitu )?(?<value>${short})`,
    0.4,
  ),
  {
    kind: 'name',
    pattern: new RegExp(
      `(?:(?:老公|老婆|丈夫|妻子|儿子|女儿|朋友|同事|老板|妈妈|爸爸|哥哥|姐姐|弟弟|妹妹|同学)(?:叫|名叫|是)|收件人[:：]?|寄件人[:：]?|患者[:：]?|客户[:：]?|申请人[:：]?|经办人[:：]?|签名[:：])\\s{0,3}(?<value>${surname}\\p{Script=Han}{1,2})(?!\\p{Script=Han}{0,1}[国城市])`,
      'dgu',
    ),
    score: 0.5,
    valid: isChineseName,
    group: 'value',
  },
]);

/** Who speaks in a dialogue: heads of lines of which one is a given name. */
function findSpeakers(text: string): PiiMatch[] {
  const heads = [...text.matchAll(speaker)].filter(({ groups }) => isName(groups?.value ?? ''));
  const known = heads.some(({ groups }) => givenNames.has((groups?.value ?? '').toLowerCase()));
  if (heads.length < 2 || !known) return [];
  return heads.map(({ index, 0: found, groups }) => {
    const start = index + found.indexOf(groups?.value ?? '');
    return { kind: 'name' as const, start, end: start + (groups?.value ?? '').length, score: 0.35 };
  });
}

const speaker = /(?:^|\n) ?(?<value>\p{L}[\p{L}'’-]{1,24}) ?:(?= ?["“\p{Lu}])/gu;
const anyCase = "\\p{L}[\\p{L}'’-]{1,24}";
const list = new RegExp(`(?<!\\p{L})${anyCase}(?:, ${anyCase}){1,20},?(?: (?:and|dan|&) ${anyCase})?`, 'gu');

/** A list in which two words are given names is a list of names. */
function findLists(text: string): PiiMatch[] {
  return [...text.matchAll(list)].flatMap(({ index, 0: found }) => {
    const words = [...found.matchAll(new RegExp(anyCase, 'gu'))].filter(
      (part) => /^\p{Lu}/u.test(part[0]) || givenNames.has(part[0]),
    );
    if (words.filter((part) => givenNames.has(part[0].toLowerCase())).length < 2) return [];
    return words
      .filter((part) => isName(part[0]))
      .map((part) => ({
        kind: 'name' as const,
        start: index + part.index,
        end: index + part.index + part[0].length,
        score: 0.35,
      }));
  });
}

const MOST_REPEATED = 20;
const repeatedScore = 0.35;

/** Who was named once is meant wherever the name, or a part of it, stands again. */
export function findRepeated(text: string, names: readonly PiiMatch[]): PiiMatch[] {
  const parts = new Set(
    names.flatMap(({ start, end }) =>
      text
        .slice(start, end)
        .split(/\s+/u)
        .filter((part) => /^\p{Lu}[\p{L}'’-]{2,}$/u.test(part) && isName(part)),
    ),
  );
  return [...parts].slice(0, MOST_REPEATED).flatMap((part) =>
    [...text.matchAll(new RegExp(`(?<![\\p{L}'’-])${part}(?![\\p{L}-])`, 'gu'))].map(({ index }) => ({
      kind: 'name' as const,
      start: index,
      end: index + part.length,
      score: repeatedScore,
    })),
  );
}

export function findNamesBeside(text: string): PiiMatch[] {
  return [...findBeside(text), ...findLists(text), ...findSpeakers(text)];
}
