/** Who letters are from and to: persons, schools, councils, clubs and firms, at addresses of many forms. */

import type { Chance } from '../specimens/chance.ts';
import type { Country, Firm } from './parties.ts';
import { inventShop } from './shop-firms.ts';

type Language = 'en' | 'de' | 'fr' | 'nl' | 'pl' | 'ms' | 'zh';
const languages: Partial<Record<Country, Language>> = {
  de: 'de',
  fr: 'fr',
  nl: 'nl',
  pl: 'pl',
  my: 'ms',
  cn: 'zh',
};
export const languageOf = (country: Country): Language => languages[country] ?? 'en';

/** First words and last words of names of persons, and what bodies that are no firms call themselves; `~` is a place. */
interface Names {
  first: string[];
  last: string[];
  bodies: string[];
  towns: string[];
  roads: string[];
}

const names: Record<Language, Names> = {
  en: {
    first: ['Dana', 'P.', 'Mr T', 'Ms Ruth', 'Oliver', 'Mrs A.', 'Dr Priya', 'J & M', 'Hannah'],
    last: ['Whitlow', 'Ashdown', 'Okoro', 'van Dyke', 'Marsh', 'Fairweather-Lee', 'Nair', 'Quill'],
    bodies: [
      ...['~ Primary School', 'University of ~', '~ Parish Council', 'The ~ Arms', '~ Community Centre'],
      ...['Friends of ~ Library', '~ & District Rugby Club', 'St. Anne’s Church', '~ General Hospital'],
      ...['~ City Council, Parks Department', 'Ministry of Fisheries', '~ Museum Trust', '~ Law'],
    ],
    towns: ['Thirsk', 'Ambleside', 'Penryn', 'Oswestry', 'Cupar', 'Bideford', 'Newry', 'Frome'],
    roads: ['Mill Lane', 'Station Road', 'Castle Hill', 'The Green', 'Victoria Terrace', 'Wharf Street'],
  },
  de: {
    first: ['Lena', 'Herr Jonas', 'Frau Dr. Ute', 'Familie', 'H.-P.', 'Katrin', 'Frau Sabine'],
    last: ['Vogt', 'Petersen', 'Schulze-Nord', 'Krämer', 'Öztürk', 'Zimmermann', 'Lang'],
    bodies: [
      ...['Gemeinde ~', 'Stadtwerke ~', 'Förderverein Grundschule ~ e.V.', 'Praxis Dr. Lang', 'TSV ~ 1898'],
      ...['Evangelische Kirchengemeinde ~', 'Klinikum ~', 'Ingenieurbüro Brandt + Partner', 'Kanzlei Wolff'],
    ],
    towns: ['Husum', 'Weimar', 'Bad Tölz', 'Wismar', 'St. Gallen', 'Retz', 'Aalen', 'Halle (Saale)'],
    roads: [
      'Am Hafen',
      'Süderstraße',
      'Markt',
      'Zum Alten Gaswerk',
      'Lindenallee',
      'Kellergasse',
      'Hauptstr.',
    ],
  },
  fr: {
    first: ['Claire', 'M. Karim', 'Mme Odile', 'Jean-Luc', 'Madame Inès', 'M. et Mme'],
    last: ['Duval', 'Belkacem', 'Roche', 'de la Tour', 'Nguyen', 'Pelletier'],
    bodies: [
      ...[
        'Mairie de ~',
        'Lycée Jean Moulin',
        'Association Les Amis du ~',
        'Cabinet Rousseau',
        'Hôtel du Lac',
      ],
      ...['Syndicat des copropriétaires Les Pins', 'Clinique de ~', 'Étude de Me Faure', 'Ets Garnier'],
    ],
    towns: ['Nancy', 'La Brède', 'Saint-Malo', 'Bayonne', 'Évreux', 'Le Mans', 'Aix-en-Provence'],
    roads: ['rue du Marché', 'chemin des Vignes', 'avenue Foch', 'place de l’Église', 'impasse du Moulin'],
  },
  nl: {
    first: ['Dhr. P.', 'Mevr. A.', 'Joost', 'Fam.', 'Sanne', 'De heer W.'],
    last: ['Jansen', 'de Wit', 'Verhoef', 'van der Laan', 'Mulder'],
    bodies: [
      ...['Stichting Buurthuis ~', 'Gemeente ~', 'Basisschool De Regenboog', 'VV ~', 'Café De Zwaan'],
      ...['Huisartsenpraktijk ~', 'Vereniging van Eigenaars Parkzicht', 'Museum ~'],
    ],
    towns: ['Utrecht', 'Zutphen', 'Roeselare', 'Oldenzaal', "'s-Hertogenbosch", 'Goes'],
    roads: ['Vismarkt', 'Adelaarstraat', 'Industrielaan', 'Markt', 'Oude Gracht', 'Burg. Smitweg'],
  },
  pl: {
    first: ['Anna', 'Pan Marek', 'Jan', 'Pani Ewa', 'Tomasz'],
    last: ['Nowak', 'Zielińska', 'Wójcik', 'Lis', 'Kowalczyk-Maj'],
    bodies: [
      'Urząd Gminy ~',
      'Szkoła Podstawowa nr 4',
      'Fundacja Nasz Dom',
      'Wspólnota Mieszkaniowa',
      'Parafia ~',
    ],
    towns: ['Lublin', 'Komorów', 'Zielona Góra', 'Sopot', 'Nowy Sącz'],
    roads: ['ul. Fabryczna', 'ul. 3 Maja', 'al. Jana Pawła II', 'os. Parkowe', 'Rynek', 'pl. Wolności'],
  },
  ms: {
    first: ['Encik Rosli bin', 'Puan Halimah', 'Tan Mei', 'Dato’ Azlan', 'S.', 'Cik Nurul', 'Lee Chong'],
    last: ['Hamid', 'Osman', 'Ling', 'Subramaniam', 'Yusoff', 'Wei'],
    bodies: [
      ...['SK Taman ~', 'Majlis Perbandaran ~', 'Hotel Seri ~', 'Persatuan Penduduk ~', 'Universiti ~'],
      ...['Klinik Kesihatan ~', 'Lim & Associates', 'Kilang Getah Maju Berhad', 'Koperasi Guru ~ Berhad'],
    ],
    towns: ['Muar', 'Kulim', 'Kapar', 'Bayan Lepas', 'Kota Kinabalu', 'Sibu', 'Temerloh'],
    roads: ['Jalan Perusahaan 3', 'Lebuh Pasar', 'Jalan Ampang', 'Lorong Mesra 5', 'Jalan Kilang Lama'],
  },
  zh: {
    first: ['王', '李', '陈', '赵'],
    last: ['小明', '丽华', '建国', '婷'],
    bodies: ['~第一中学', '~人民医院', '明华机械厂', '老街面馆', '~市图书馆', '青山软件有限公司'],
    towns: ['苏州', '厦门', '成都', '宁波'],
    roads: ['文三路', '东山大道', '中山北路', '解放街'],
  },
};

const letters = [...'ABCDEFGHJKLMNPRSTVWXY'];

/** Street, town and country in the ways of English-speaking lands and Singapore. */
function englishAddress(country: Country, chance: Chance): string[] {
  const { towns, roads } = names.en;
  const [town, road, number] = [chance.pick(towns), chance.pick(roads), 1 + chance.below(140)];
  const letter = (): string => chance.pick(letters);
  const code = `${letter()}${letter()}${1 + chance.below(19)} ${chance.below(10)}${letter()}${letter()}`;
  if (country === 'sg')
    return chance.pick([
      [`${number} ${road} #0${chance.below(9)}-${chance.digits(2)}`, `Singapore ${chance.digits(6)}`],
      [
        `Blk ${number} ${road}`,
        `#${chance.digits(2)}-${chance.digits(2)} Tech Centre`,
        `Singapore ${chance.digits(6)}`,
      ],
      [`${number} ${road}, #${chance.digits(2)}-01, Singapore ${chance.digits(6)}`],
    ]);
  if (country === 'us') {
    const state = chance.pick(['OR', 'NY', 'CA', 'Texas', 'California', 'CO', 'VT']);
    const zip = `${state} ${1 + chance.below(9)}${chance.digits(4)}`;
    return chance.pick([
      [`${number} ${road}`, `${town}, ${zip}`],
      [`${10 * number} ${road}`, `Suite ${chance.digits(3)}`, `${town}, ${zip}`, 'United States'],
      [`PO Box ${chance.digits(4)}`, `${town}, ${zip}`],
      [`${number} ${road}, Floor ${1 + chance.below(9)}`, `${town}, ${zip}`, 'USA'],
      [`${number} ${road}, ${town}, ${zip}-${chance.digits(4)}`],
      [`${10 * number} ${road} PMB ${chance.digits(4)}`, `${town}, ${zip}`, 'United States'],
      [`${10 * number} ${road}, Ste ${1 + chance.below(40)}`, `${town}, ${zip}`],
    ]);
  }
  return chance.pick([
    [`${number} ${road}`, town, code],
    [
      `Unit ${1 + chance.below(20)} ${chance.pick(['Heron', 'Kingfisher', 'Mill'])} Retail Park`,
      road,
      `${town} ${code}`,
    ],
    [`${1 + chance.below(9)}th Floor, ${number} ${road}`, `${town} ${code}`],
    [`${chance.pick(['The Granary', 'The Old Bank', 'Fern Barn'])}, ${road}`, `${town} ${code}`],
    [road, town, chance.pick(['Durham', 'Powys']), code],
    [`${number} ${road}`, `${town} ${code}`],
    [`Unit ${1 + chance.below(20)}, ${chance.pick(['Tern', 'Abbey', 'Riverside'])} Works`, road, town, code],
    [
      `Flat ${1 + chance.below(9)}`,
      `${number} ${road}`,
      town,
      chance.pick(['Devon', 'Fife', 'Co. Down']),
      code,
    ],
    [`${chance.pick(['Quay', 'Harbour', 'Larch'])} House, ${road}, ${town} ${code}`],
    [`${number} ${road}, ${town}, ${chance.pick(['Cumbria', 'Kent'])} ${code}`],
    [`${chance.pick(['Rose Cottage', 'The Old Forge', 'Reservoir House'])}`, road, `${town} ${code}`],
    [
      `${1 + chance.below(9)}/${number} ${road}`,
      `${town} ${chance.pick(['VIC', 'NSW', 'QLD'])} ${3 + chance.below(4)}${chance.digits(3)}`,
    ],
    [
      `${number} ${road} W`,
      `${town} ON ${letter()}${chance.below(9)}${letter()} ${chance.below(9)}${letter()}${chance.below(9)}`,
    ],
    [
      `${number}/1, ${road}, ${chance.pick(['Chickpet', 'Andheri East'])}`,
      `Bengaluru - 56${chance.digits(4)}`,
    ],
    [
      `Flat ${letter()}, ${1 + chance.below(20)}/F, ${chance.pick(['Wing Fat', 'Kai Tak'])} Building`,
      `${number} ${road}, Kowloon, Hong Kong`,
    ],
    [`PO Box ${chance.digits(3)}`, town, code, 'United Kingdom'],
    [
      `${chance.pick(['Liosban', 'Parkmore'])} Business Park`,
      road,
      `Galway H91 ${letter()}${letter()}${chance.digits(2)}`,
      'Ireland',
    ],
  ]);
}

function addressOf(country: Country, chance: Chance): string[] {
  const language = languageOf(country);
  const { towns, roads } = names[language];
  const [town, road, number] = [chance.pick(towns), chance.pick(roads), 1 + chance.below(140)];
  const code = (count: number): string => `${1 + chance.below(9)}${chance.digits(count - 1)}`;
  const letter = (): string => chance.pick(letters);
  switch (language) {
    case 'en':
      return englishAddress(country, chance);
    case 'de': {
      const where = `${code(chance.happens(0.75) ? 5 : 4)} ${town}`;
      return chance.pick([
        [`${road} ${number}`, where],
        [
          `${road} ${number}${chance.pick(['a', 'b', '-12'])}`,
          where,
          chance.pick(['Deutschland', 'Österreich', 'Schweiz']),
        ],
        [`Postfach ${chance.digits(4)}`, where],
        [`Gewerbepark ${chance.pick(['Nord', 'Süd'])} ${number}`, `D-${code(5)} ${town}`],
        [`Haus ${letter()}, 2. OG`, `${road} ${number}`, where],
        [`${road} ${number}, ${where}`],
        [`OT ${chance.pick(names.de.towns)}`, `${road} ${number}`, where],
        [`${road} ${number}${chance.pick([' (Hinterhaus)', '/III', 'b'])}`, where],
      ]);
    }
    case 'fr': {
      const where = `${code(5)} ${chance.happens(0.3) ? town.toUpperCase() : town}`;
      return chance.pick([
        [`${number} ${road}`, where],
        [`${number} bis ${road}`, where, 'France'],
        [
          `${chance.pick(['ZA', 'ZI', 'Parc'])} ${chance.pick(['des Quatre Chemins', 'de la Plaine', 'du Pré Vert'])}`,
          `${number} ${road}`,
          where,
        ],
        [
          `${chance.pick(['Tour', 'Immeuble', 'Le'])} ${chance.pick(['Horizon', 'Lumen', 'Cèdre'])}, ${number} ${road}`,
          where,
        ],
        [chance.pick(['Le Bourg', 'Domaine de la Roche', 'Lieu-dit Le Moulin']), where],
        [`Appt ${number}`, 'Résidence Les Tilleuls', `${number} ${road}`, where],
        [`ZA des Landes - BP ${chance.digits(5)}`, `${where} Cedex ${1 + chance.below(9)}`],
        [`TSA ${chance.digits(5)}`, `${where} Cedex`],
        [`Bâtiment ${letter()}`, `${number}, ${road}`, where],
      ]);
    }
    case 'nl': {
      const where = chance.happens(0.7) ? `${code(4)} ${letter()}${letter()} ${town}` : `${code(4)} ${town}`;
      return chance.pick([
        [`${road} ${number}`, where],
        [`${road} ${number} ${chance.pick(['bis', 'A', 'hs'])}`, where],
        [`${road} ${number}-${chance.below(9)}`, where, chance.pick(['Nederland', 'België'])],
        [`Postbus ${number}`, where],
        [`Bedrijvenpark Oost, unit ${number}`, `${road} ${number}`, where],
      ]);
    }
    case 'pl': {
      const where = `${chance.digits(2)}-${chance.digits(3)} ${town}`;
      return chance.pick([
        [`${road} ${number}`, where],
        [`${road} ${number}/${1 + chance.below(30)}`, where],
        [`${road} ${number} m. ${1 + chance.below(30)}`, where, 'Polska'],
        [`Nowa Wieś ${number}`, where],
      ]);
    }
    case 'ms': {
      const where = `${code(5)} ${town}`;
      return chance.pick([
        [`No. ${number}, ${road}, ${where}`],
        [`Lot ${chance.digits(3)}, ${road},`, `${where}.`],
        [`Suite ${number}-3, Menara Sentosa,`, `${road}, ${where}`],
        [`${chance.pick(['Kompleks Seri Maju', 'Medan Niaga Utama', 'Plaza Damai'])}`, road, where],
        [`PTD ${chance.digits(4)}, ${road}`, `${where}, Johor`],
        [`${number} & ${number + 2}, ${road}`, where, chance.pick(['Perak', 'Selangor Darul Ehsan'])],
        [`Batu ${1 + chance.below(9)}, ${road},`, `${where}, Johor`],
        [
          `Tingkat ${1 + chance.below(9)}, Blok ${letter()},`,
          'Kompleks Pejabat Kerajaan,',
          road,
          where,
          'Malaysia',
        ],
        [`P.O. Box ${chance.digits(4)}`, where, 'Sabah'],
        [`${number}-G ${road}`, `Taman Mesra ${where}`],
      ]);
    }
    case 'zh':
      return chance.pick([
        [`${town}市${chance.pick(['西湖区', '吴中区'])}${road}${number}号`],
        [
          `${town}市${chance.pick(['高新区', '南山区'])}${road}${number}号${chance.pick(['科技园', '创业园'])}B栋${1 + chance.below(9)}楼`,
        ],
        [`${town}市${road}${number}号`, `金茂大厦${chance.digits(3)}室`],
      ]);
  }
}

/** Names as signs have them: years, numbers, places, apostrophes and small letters. */
function signName(name: string, { place }: Firm, chance: Chance): string {
  const word = name.split(' ')[0]!;
  return chance.pick([
    `${word}'s`,
    `${word} & Sons`,
    `The ${word} Company`,
    `${name} ${chance.pick(['1957', '88', '24 Jam', '24/7', 'No. 1'])}`,
    `${name} @ ${place}`,
    `${name} (${place})`,
    name.toLowerCase(),
    `${word} ${place}`,
    `${word}+`,
    `${name} Group of Companies`,
  ]);
}

/** A shop at an address of many more forms. */
export function inventTrader(country: Country, chance: Chance): Firm {
  const made = inventShop(country, chance);
  const signed = country !== 'cn' && chance.happens(0.3);
  const firm = signed ? { ...made, name: signName(made.name, made, chance) } : made;
  return chance.happens(0.7) ? { ...firm, address: addressOf(country, chance) } : firm;
}

/** The name of a person of the country. */
export function personOf(country: Country, chance: Chance): string {
  const { first, last } = names[languageOf(country)];
  return `${chance.pick(first)}${country === 'cn' ? '' : ' '}${chance.pick(last)}`;
}

/** Somebody who writes or gets letters: half of them firms. */
export function inventCorrespondent(country: Country, chance: Chance): Firm {
  const firm = inventTrader(country, chance);
  const { bodies, towns } = names[languageOf(country)];
  const person = personOf(country, chance);
  const body = chance.pick(bodies).replace('~', chance.pick(towns));
  const name = chance.pick([firm.name, firm.name, firm.name, body, body, person]);
  const isFirm = name === firm.name;
  return { ...firm, name, sign: isFirm || chance.happens(0.5) ? firm.sign : name.split(/[ ,]/)[0]! };
}
