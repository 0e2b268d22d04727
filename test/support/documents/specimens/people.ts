/** Invented people. Numbers are made impossible (place codes that are never given), so that they belong to nobody. */

import type { Chance } from './chance.ts';

const malay = {
  male: ['AHMAD', 'MUHAMMAD', 'AZLAN', 'FAIZAL', 'HAFIZ', 'ZULKIFLI', 'RAZIF', 'SYAHMI', 'IZZAT', 'KHAIRUL'],
  female: ['NUR', 'SITI', 'AISYAH', 'FARIDAH', 'NORLIZA', 'ZALEHA', 'HASLINA', 'PUTERI', 'WAN', 'ROSNAH'],
  second: [
    'DANIAL',
    'HAKIMI',
    'AMIRAH',
    'SAFIYA',
    'IMAN',
    'QISTINA',
    'RAYYAN',
    'YUSRI',
    'MELUR',
    'BATRISYIA',
  ],
  father: [
    'ABDUL RAHMAN',
    'ISMAIL',
    'OTHMAN',
    'MOHD YUSOF',
    'HARUN',
    'KASSIM',
    'ABDULLAH',
    'SULAIMAN',
    'DAUD',
  ],
};
const chinese = {
  family: ['TAN', 'LIM', 'LEE', 'WONG', 'CHONG', 'NG', 'GOH', 'YEOH', 'TEOH', 'KHOO', 'OOI', 'CHEAH'],
  given: [
    'WEI',
    'MEI',
    'SIEW',
    'KAH',
    'JIA',
    'HUI',
    'BOON',
    'CHEE',
    'SOO',
    'LING',
    'YIN',
    'HOCK',
    'XIN',
    'KIAT',
  ],
};
const tamil = {
  male: ['ARVIND', 'KUMARAN', 'SURESH', 'VIGNESH', 'PRAKASH', 'GANESAN', 'RAVINDRAN'],
  female: ['KAVITHA', 'LETCHUMI', 'PRIYA', 'SHARMILA', 'VASANTHI', 'DEEPA', 'YOGESWARI'],
  father: ['SUBRAMANIAM', 'KRISHNAN', 'MUNIANDY', 'PERUMAL', 'RAMASAMY', 'NADARAJAH'],
};
const eastern = {
  male: ['JAMES', 'RICHARD', 'ALEXANDER', 'GABRIEL', 'DOMINIC'],
  female: ['ANGELA', 'CATHERINE', 'JULIANA', 'STELLA', 'VERONICA'],
  father: ['JUGAH', 'NYIPA', 'UNGGAT', 'SAGING', 'LASUNG', 'MIKOD'],
};

const streets = [
  'JALAN MAWAR',
  'JALAN SETIA 3/8',
  'LORONG CEMPAKA 2',
  'JLN TUN REKA',
  'JALAN BUNGA RAYA 12/4B',
];
const areas = [
  'TAMAN CONTOH INDAH',
  'TAMAN SRI REKAAN',
  'KAMPUNG TIADA',
  'BANDAR BARU REKA',
  'TMN DESA CIPTA',
];
const towns: [postcode: string, city: string, state: string][] = [
  ['43000', 'KAJANG', 'SELANGOR'],
  ['81100', 'JOHOR BAHRU', 'JOHOR'],
  ['11900', 'BAYAN LEPAS', 'PULAU PINANG'],
  ['30250', 'IPOH', 'PERAK'],
  ['05150', 'ALOR SETAR', 'KEDAH'],
  ['16150', 'KOTA BHARU', 'KELANTAN'],
  ['20200', 'KUALA TERENGGANU', 'TERENGGANU'],
  ['75350', 'MELAKA', 'MELAKA'],
  ['70300', 'SEREMBAN', 'NEGERI SEMBILAN'],
  ['25200', 'KUANTAN', 'PAHANG'],
  ['01000', 'KANGAR', 'PERLIS'],
  ['88300', 'KOTA KINABALU', 'SABAH'],
  ['93350', 'KUCHING', 'SARAWAK'],
  ['53100', 'KUALA LUMPUR', 'W. PERSEKUTUAN(KL)'],
];

export type Sex = 'male' | 'female';

function malaysianName(chance: Chance, sex: Sex): string {
  const kind = chance.below(10);
  const female = sex === 'female';
  if (kind < 5) {
    const first = chance.pick(malay[sex]);
    const second = chance.happens(0.7) ? ` ${chance.pick(malay.second)}` : '';
    return `${first}${second} ${female ? 'BINTI' : 'BIN'} ${chance.pick(malay.father)}`;
  }
  if (kind < 8)
    return `${chance.pick(chinese.family)} ${chance.pick(chinese.given)} ${chance.pick(chinese.given)}`;
  if (kind < 9) return `${chance.pick(tamil[sex])} A/${female ? 'P' : 'L'} ${chance.pick(tamil.father)}`;
  return `${chance.pick(eastern[sex])} ANAK ${chance.pick(eastern.father)}`;
}

/** Codes that are never given as a place of birth. */
const impossiblePlaces = ['00', '17', '18', '19', '20', '69', '80', '81', '94', '95', '96', '97'];

export interface CardHolder {
  name: string;
  /** With hyphens. */
  number: string;
  birthDate: string;
  sex: Sex;
  street: string[];
  postcode: string;
  city: string;
  state: string;
  muslim: boolean;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A Malaysian born in the years given. */
export function inventCardHolder(chance: Chance, [from, to]: [number, number]): CardHolder {
  const sex: Sex = chance.happens(0.5) ? 'male' : 'female';
  const name = malaysianName(chance, sex);
  const year = from + chance.below(to - from + 1);
  const [month, day] = [two(1 + chance.below(12)), two(1 + chance.below(28))];
  const last = 2 * chance.below(5) + (sex === 'male' ? 1 : 0);
  const [postcode, city, state] = chance.pick(towns);
  const house = chance.pick(['NO ', 'LOT ', '', 'A-']) + String(1 + chance.below(300));
  const street = [`${house} ${chance.pick(streets)}`, ...(chance.happens(0.8) ? [chance.pick(areas)] : [])];
  return {
    name,
    number: `${two(year % 100)}${month}${day}-${chance.pick(impossiblePlaces)}-${chance.digits(3)}${last}`,
    birthDate: `${year}-${month}-${day}`,
    sex,
    street,
    postcode,
    city,
    state,
    muslim: /BINT?I?\b/.test(name),
  };
}

const surnames = [
  'ERIKSSON',
  'OBRIEN',
  'VAN DER BERG',
  'SILVA SANTOS',
  'NAKAMURA',
  'OKONKWO',
  'KOWALSKI',
  'DUBOIS',
  'ZHAO',
];
const givenNames = [
  'ANNA MARIA',
  'LUIS',
  'OLUWASEUN',
  'KEIKO',
  'JEAN PIERRE',
  'MAGDA',
  'QUENTIN',
  'BIXIA',
  'IDA',
];

export interface Traveller {
  surname: string;
  givenNames: string;
  sex: 'M' | 'F';
}

/** A person of anywhere, or a Malaysian, whose whole name stands before the filler. */
export function inventTraveller(chance: Chance): Traveller {
  const sex = chance.happens(0.5) ? 'M' : 'F';
  if (chance.happens(0.4)) {
    const name = malaysianName(chance, sex === 'M' ? 'male' : 'female').replace('/', ' ');
    return { surname: name, givenNames: '', sex };
  }
  return { surname: chance.pick(surnames), givenNames: chance.pick(givenNames), sex };
}
