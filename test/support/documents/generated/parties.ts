/** Invented firms with addresses and numbers, country by country. */

import type { Chance } from '../specimens/chance.ts';

export type Country = 'my' | 'sg' | 'gb' | 'us' | 'de' | 'fr' | 'nl' | 'pl' | 'es' | 'it' | 'cn' | 'id';

export interface Firm {
  name: string;
  /** The sign over the shop, where it is not the firm's name. */
  sign: string;
  address: string[];
  place: string;
  phone: string;
  registration: string;
  taxId: string;
  domain: string;
}

const stems = [
  ...[
    'Sinar',
    'Harmoni',
    'Bayu',
    'Teguh',
    'Mutiara',
    'Gemilang',
    'Kencana',
    'Lestari',
    'Perdana',
    'Cahaya',
    'Wawasan',
  ],
  ...[
    'Golden Lotus',
    'Blue Heron',
    'Northgate',
    'Old Mill',
    'Kestrel',
    'Larkspur',
    'Three Pines',
    'Redwood',
    'Orchid',
  ],
  ...[
    'Hup Seng Lee',
    'Kim Tat',
    'Yong Fatt',
    'Chop Guan Hin',
    'Lian Soon',
    'Ban Heng',
    'Tong Aik',
    'Swee Kee',
    'Wah Lok',
  ],
  ...[
    'Brenner',
    'Lindner',
    'Voss',
    'Morel',
    'Dubois',
    'Vermeer',
    'Kowal',
    'Nowicki',
    'Ibarra',
    'Serrano',
    'Rinaldi',
    'Bellini',
  ],
  ...[
    'S & J',
    'A1',
    'Zen',
    'Unik',
    'Pop',
    '99 Corner',
    'MR. D',
    'D.I.N',
    'Ohana',
    'Oasis',
    'Index',
    'Ivory',
    'B & G',
  ],
];
const trades: Record<string, string[]> = {
  malay: [
    'Restoran',
    'Kedai',
    'Perniagaan',
    'Pasaraya',
    'Farmasi',
    'Klinik',
    'Bengkel',
    'Kedai Runcit',
    'Syarikat',
  ],
  english: [
    ...[
      'Trading',
      'Enterprise',
      'Hardware',
      'Mart',
      'Bakery',
      'Stationery',
      'Electrical',
      'Motors',
      'Books',
      'Cafe',
    ],
    ...[
      'Foods',
      'Grocer',
      'Pharmacy',
      'Florist',
      'Supplies',
      'Optical',
      'Tyre & Battery',
      'Music',
      'Garden',
      'Holdings',
    ],
  ],
  german: ['Bäckerei', 'Getränke', 'Apotheke', 'Metzgerei', 'Baumarkt', 'Druckerei', 'Elektro'],
  french: ['Boulangerie', 'Librairie', 'Brasserie', 'Pharmacie', 'Imprimerie', 'Quincaillerie'],
  dutch: ['Bakkerij', 'Drukkerij', 'Slagerij', 'Bouwmarkt', 'Apotheek'],
  polish: ['Piekarnia', 'Drukarnia', 'Apteka', 'Sklep', 'Hurtownia'],
  spanish: ['Panadería', 'Ferretería', 'Farmacia', 'Librería', 'Talleres'],
  italian: ['Panificio', 'Ferramenta', 'Farmacia', 'Libreria', 'Officina', 'Trattoria'],
  indonesian: ['Toko', 'Warung', 'Apotek', 'Rumah Makan', 'Bengkel'],
};
const digitsOf = (chance: Chance, count: number): string =>
  `${1 + chance.below(9)}${chance.digits(count - 1)}`;
const capital = 'ABCDEFGHKLMPTUVWX';
const letter = (chance: Chance): string => chance.pick([...capital]);

interface Style {
  trades: string;
  forms: string[];
  /** The trade stands before the name. */
  before: boolean;
  address(chance: Chance): string[][];
  place(chance: Chance): string;
  phone(chance: Chance): string;
  taxId(chance: Chance): string;
  tld: string;
}

const malaysian = [
  'Klang',
  'Ipoh',
  'Batu Pahat',
  'Muar',
  'Kajang',
  'Seremban',
  'Taiping',
  'Sungai Petani',
  'Segamat',
  'Puchong',
];
const states = [
  'Selangor',
  'Perak',
  'Johor',
  'Kedah',
  'Melaka',
  'Selangor Darul Ehsan',
  'Negeri Sembilan',
  'Pulau Pinang',
];
const roads = [
  'Jalan Besar',
  'Jalan SS 2/24',
  'Lorong Haji Ali',
  'Jalan Meranti 3',
  'Persiaran Utama',
  'Jln Kota',
  'Jalan Pasar Baru',
];
const gardens = [
  'Taman Melati',
  'Taman Sri Muda',
  'Bandar Baru Bangi',
  'Seksyen 15',
  'Kawasan Perindustrian Ringan',
  'Pusat Bandar',
  'Desa Jaya',
];
const house = (chance: Chance): string =>
  chance.pick([
    () => `No. ${chance.below(200) + 1}`,
    () => `Lot ${digitsOf(chance, 4)}`,
    () => `${chance.below(90) + 1}-G`,
    () => `${chance.below(90) + 1} & ${chance.below(90) + 1}`,
    () => `${chance.below(300) + 1}`,
    () => `${letter(chance)}-${chance.below(9)}-${chance.below(30)}`,
    () => `Unit ${letter(chance)}${chance.below(40)}, Ground Floor`,
  ])();

const joined = (...parts: string[]): string => parts.join(', ');

const styles: Record<Country, Style> = {
  my: {
    trades: 'english',
    forms: ['Sdn Bhd', 'Sdn. Bhd.', 'SDN BHD', 'Enterprise', 'PLT', 'Berhad', '', '(M) Sdn Bhd', 'Sdn Bhd'],
    before: false,
    address: (chance) => {
      const [road, garden, town, state] = [
        chance.pick(roads),
        chance.pick(gardens),
        chance.pick(malaysian),
        chance.pick(states),
      ];
      const code = digitsOf(chance, 5);
      const no = house(chance);
      return [
        [joined(no, road), garden, `${code} ${town}`, state],
        [joined(no, road, garden), joined(`${code} ${town}`, state)],
        [joined(no, `${road},`).replace(/,$/, ','), `${garden}, ${code}`, `${town}, ${state}.`],
        [joined(no, road, garden, `${code} ${town}`, state)],
        [`${no} ${road}`, `${garden},`, `${code} ${town}`],
      ];
    },
    place: (chance) => chance.pick(malaysian),
    phone: (chance) => `0${chance.below(8) + 2}-${digitsOf(chance, 4)} ${chance.digits(4)}`,
    taxId: (chance) => `00${digitsOf(chance, 10)}`,
    tld: 'com.my',
  },
  sg: {
    trades: 'english',
    forms: ['Pte Ltd', 'Pte. Ltd.', 'LLP', ''],
    before: false,
    address: (chance) => {
      const no = chance.below(400) + 1;
      const road = chance.pick([
        'Geylang Road',
        'Tanjong Pagar Rd',
        'Bukit Merah Central',
        'Ubi Avenue 1',
        'Serangoon North Ave 5',
      ]);
      const unit = `#0${chance.below(9)}-${chance.digits(2)}`;
      return [
        [`${no} ${road} ${unit}`, `Singapore ${digitsOf(chance, 6)}`],
        [`Blk ${no} ${road}`, unit, `S(${digitsOf(chance, 6)})`],
      ];
    },
    place: (chance) => chance.pick(['Bedok', 'Tampines', 'Orchard', 'Jurong']),
    phone: (chance) => `6${chance.digits(3)} ${chance.digits(4)}`,
    taxId: (chance) => `M2-${chance.digits(7)}-${chance.below(9)}`,
    tld: 'com.sg',
  },
  gb: {
    trades: 'english',
    forms: ['Ltd', 'Limited', 'PLC', '', 'LLP'],
    before: false,
    address: (chance) => {
      const no = chance.below(150) + 1;
      const road = chance.pick([
        'High Street',
        'Station Road',
        'Mill Lane',
        'Church Row',
        'Dock Green',
        'King’s Parade',
      ]);
      const town = chance.pick(['Ludlow', 'Whitby', 'Falmouth', 'Kendal', 'Hexham', 'Bristol']);
      const code = `${letter(chance)}${letter(chance)}${chance.below(20) + 1} ${chance.below(9)}${letter(chance)}${letter(chance)}`;
      return [
        [`${no} ${road}`, town, code],
        [`${no} ${road}, ${town}`, code],
        [`Unit ${chance.below(20) + 1}, ${road}`, `${town} ${code}`],
      ];
    },
    place: (chance) => chance.pick(['Ludlow', 'Whitby', 'Kendal']),
    phone: (chance) => `01${chance.digits(3)} ${chance.digits(6)}`,
    taxId: (chance) => `GB ${chance.digits(3)} ${chance.digits(4)} ${chance.digits(2)}`,
    tld: 'co.uk',
  },
  us: {
    trades: 'english',
    forms: ['Inc.', 'LLC', '', 'Corp.', 'Co.'],
    before: false,
    address: (chance) => {
      const no = digitsOf(chance, 4);
      const road = chance.pick([
        'Maple Ave',
        'W 3rd Street',
        'Harbor Blvd',
        'Elm St',
        'Route 9',
        'Pine Ridge Rd',
      ]);
      const town = chance.pick(['Astoria, OR', 'Salem, MA', 'Boise, ID', 'Duluth, MN', 'Tulsa, OK']);
      return [
        [`${no} ${road}`, `${town} ${digitsOf(chance, 5)}`],
        [`${no} ${road}, Suite ${chance.digits(3)}`, `${town} ${digitsOf(chance, 5)}`],
      ];
    },
    place: (chance) => chance.pick(['Astoria', 'Salem', 'Boise']),
    phone: (chance) => `(${digitsOf(chance, 3)}) ${chance.digits(3)}-${chance.digits(4)}`,
    taxId: (chance) => `${chance.digits(2)}-${chance.digits(7)}`,
    tld: 'com',
  },
  de: {
    trades: 'german',
    forms: ['GmbH', 'GmbH & Co. KG', 'AG', 'e.K.', 'OHG'],
    before: true,
    address: (chance) => {
      const road = `${chance.pick(['Lindenstraße', 'Am Markt', 'Hafenweg', 'Gartenstr.', 'Mühlgasse', 'Kölner Allee'])} ${chance.below(120) + 1}`;
      const town = `${digitsOf(chance, 5)} ${chance.pick(['Celle', 'Husum', 'Bamberg', 'Görlitz', 'Aalen', 'Weimar'])}`;
      return [[road, town], [`${road}, ${town}`], [road, town, 'Deutschland']];
    },
    place: (chance) => chance.pick(['Celle', 'Husum', 'Weimar']),
    phone: (chance) => `0${digitsOf(chance, 3)} / ${chance.digits(6)}`,
    taxId: (chance) => `DE${chance.digits(9)}`,
    tld: 'de',
  },
  fr: {
    trades: 'french',
    forms: ['SARL', 'SAS', 'S.A.', 'EURL', ''],
    before: true,
    address: (chance) => {
      const road = `${chance.below(90) + 1}${chance.happens(0.2) ? ' bis' : ''}, ${chance.pick(['rue des Lilas', 'avenue de la Gare', 'place du Marché', 'quai Sud', 'bd Voltaire'])}`;
      const town = `${digitsOf(chance, 5)} ${chance.pick(['Nevers', 'Cahors', 'Vannes', 'Annecy', 'Dole'])}`;
      return [[road, town], [`${road} - ${town}`], [road, town, 'France']];
    },
    place: (chance) => chance.pick(['Nevers', 'Vannes']),
    phone: (chance) =>
      `0${chance.below(5) + 1} ${chance.digits(2)} ${chance.digits(2)} ${chance.digits(2)} ${chance.digits(2)}`,
    taxId: (chance) => `FR${chance.digits(11)}`,
    tld: 'fr',
  },
  nl: {
    trades: 'dutch',
    forms: ['B.V.', 'BV', 'V.O.F.', ''],
    before: true,
    address: (chance) => {
      const road = `${chance.pick(['Kerkstraat', 'Havenkade', 'Dorpsweg', 'Lange Gracht'])} ${chance.below(90) + 1}`;
      const town = `${digitsOf(chance, 4)} ${letter(chance)}${letter(chance)} ${chance.pick(['Zwolle', 'Delft', 'Hoorn', 'Breda'])}`;
      return [
        [road, town],
        [road, town, 'Nederland'],
      ];
    },
    place: (chance) => chance.pick(['Zwolle', 'Delft']),
    phone: (chance) => `0${digitsOf(chance, 2)}-${chance.digits(7)}`,
    taxId: (chance) => `NL${chance.digits(9)}B01`,
    tld: 'nl',
  },
  pl: {
    trades: 'polish',
    forms: ['Sp. z o.o.', 'S.A.', 'Sp. j.', ''],
    before: true,
    address: (chance) => [
      [
        `ul. ${chance.pick(['Lipowa', 'Długa', 'Portowa', 'Leśna'])} ${chance.below(90) + 1}`,
        `${chance.digits(2)}-${chance.digits(3)} ${chance.pick(['Toruń', 'Opole', 'Gdynia', 'Kielce'])}`,
      ],
    ],
    place: (chance) => chance.pick(['Toruń', 'Opole']),
    phone: (chance) => `+48 ${digitsOf(chance, 3)} ${chance.digits(3)} ${chance.digits(3)}`,
    taxId: (chance) => `${digitsOf(chance, 3)}-${chance.digits(3)}-${chance.digits(2)}-${chance.digits(2)}`,
    tld: 'pl',
  },
  es: {
    trades: 'spanish',
    forms: ['S.L.', 'S.A.', 'SLU', ''],
    before: true,
    address: (chance) => [
      [
        `${chance.pick(['C/ Mayor', 'Calle del Pozo', 'Avda. de Andalucía', 'Plaza Nueva'])}, ${chance.below(90) + 1}`,
        `${digitsOf(chance, 5)} ${chance.pick(['Teruel', 'Cádiz', 'Lugo', 'Cuenca'])}`,
      ],
    ],
    place: (chance) => chance.pick(['Teruel', 'Lugo']),
    phone: (chance) => `9${chance.digits(2)} ${chance.digits(3)} ${chance.digits(3)}`,
    taxId: (chance) => `B${chance.digits(8)}`,
    tld: 'es',
  },
  it: {
    trades: 'italian',
    forms: ['S.r.l.', 'S.p.A.', 'S.n.c.', ''],
    before: true,
    address: (chance) => [
      [
        `${chance.pick(['Via Garibaldi', 'Corso Italia', 'Piazza San Marco', 'Viale dei Pini'])} ${chance.below(90) + 1}`,
        `${digitsOf(chance, 5)} ${chance.pick(['Siena (SI)', 'Lecce (LE)', 'Udine', 'Cuneo'])}`,
      ],
    ],
    place: (chance) => chance.pick(['Siena', 'Lecce']),
    phone: (chance) => `0${digitsOf(chance, 3)} ${chance.digits(6)}`,
    taxId: (chance) => `IT${chance.digits(11)}`,
    tld: 'it',
  },
  cn: {
    trades: 'english',
    forms: ['有限公司'],
    before: false,
    address: (chance) => [
      [
        `${chance.pick(['杭州市', '苏州市', '厦门市', '成都市'])}${chance.pick(['西湖区', '思明区', '锦江区'])}${chance.pick(['人民路', '中山路', '文化街'])}${chance.below(300) + 1}号`,
      ],
    ],
    place: (chance) => chance.pick(['杭州', '厦门']),
    phone: (chance) => `0${digitsOf(chance, 3)}-${chance.digits(8)}`,
    taxId: (chance) => `91${chance.digits(15)}X`,
    tld: 'cn',
  },
  id: {
    trades: 'indonesian',
    forms: ['', 'PT', 'CV'],
    before: true,
    address: (chance) => [
      [
        `${chance.pick(['Jl. Merdeka', 'Jl. Sudirman', 'Jl. Diponegoro'])} No. ${chance.below(200) + 1}`,
        `${chance.pick(['Bandung', 'Malang', 'Medan', 'Solo'])} ${digitsOf(chance, 5)}`,
      ],
    ],
    place: (chance) => chance.pick(['Bandung', 'Malang']),
    phone: (chance) => `0${digitsOf(chance, 2)} ${chance.digits(7)}`,
    taxId: (chance) =>
      `${chance.digits(2)}.${chance.digits(3)}.${chance.digits(3)}.${chance.below(9)}-${chance.digits(3)}.000`,
    tld: 'co.id',
  },
};

const chineseNames = ['金龙', '东方', '华美', '永信', '新星', '天和', '福临'];
const chineseTrades = ['餐饮', '商贸', '电子', '文具', '食品'];

export function inventFirm(country: Country, chance: Chance): Firm {
  const style = styles[country];
  const stem = chance.pick(stems);
  const trade = chance.pick(trades[country === 'my' && chance.happens(0.4) ? 'malay' : style.trades]!);
  const form = chance.pick(style.forms);
  const before = style.before || trades.malay!.includes(trade);
  const plain = before ? `${trade} ${stem}` : chance.happens(0.12) ? stem : `${stem} ${trade}`;
  const name =
    country === 'cn'
      ? `${chance.pick(['杭州', '厦门', '成都'])}${chance.pick(chineseNames)}${chance.pick(chineseTrades)}有限公司`
      : form === 'PT' || form === 'CV'
        ? `${form} ${plain}`
        : `${plain} ${form}`.trim();
  return {
    name,
    sign: chance.pick([
      stem,
      plain,
      `${stem} ${chance.pick(['Express', 'Corner', 'House', '2 Go', 'Place'])}`,
    ]),
    address: chance.pick(style.address(chance)),
    place: style.place(chance),
    phone: style.phone(chance),
    registration: chance.pick([
      `${digitsOf(chance, 6)}-${letter(chance)}`,
      `20${chance.digits(10)}`,
      `20${chance.digits(10)} (${digitsOf(chance, 6)}-${letter(chance)})`,
      `SA0${chance.digits(6)}-${letter(chance)}`,
    ]),
    taxId: style.taxId(chance),
    domain: `${stem.toLowerCase().replace(/[^a-z0-9]/g, '')}.${style.tld}`,
  };
}
