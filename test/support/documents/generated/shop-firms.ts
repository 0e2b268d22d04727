/** Firms whose names are of many more kinds: persons, things, initials, numbers, with and without trade and legal form. */

import type { Chance } from '../specimens/chance.ts';
import { type Country, type Firm, inventFirm } from './parties.ts';

const persons: Partial<Record<Country, string[]>> = {
  my: [
    'Lim Ah Kow',
    'Siti Aminah',
    'Haji Salleh',
    'Muthu Raj',
    'Tan Bee Lan',
    'Azman Karim',
    'Mei Fong',
    'Chua Eng Soon',
  ],
  de: ['Petra Kunze', 'Hartmann', 'Wilhelm Raabe', 'Yildiz', 'Sommerfeld'],
  fr: ['Lefort', 'Marie Chauvin', 'Benali', 'Perrault'],
  nl: ['Van den Bosch', 'Visser', 'De Haan', 'Bakker'],
  pl: ['Jan Wilk', 'Sobczak', 'Anna Zając'],
  es: ['Hermanos Pardo', 'Quintana', 'Lola Prieto'],
  it: ['Fratelli Conti', 'Esposito', 'Gallo'],
};
const englishPersons = [
  'Harrison',
  'T. Whitlock',
  'Delaney',
  'Murphy & Daughters',
  'Carter',
  'O’Brien',
  'Singh',
];
const things = [
  ...[
    'Sunflower',
    'Twin Elephants',
    'Anchor',
    'Coral',
    'Silver Moon',
    'Bamboo',
    'Falcon',
    'Green Leaf',
    'Maple',
  ],
  ...[
    'Sri Intan',
    'Bunga Raya',
    'Kasih',
    'Setia',
    'Kelapa',
    'Pelita',
    'Tanjung',
    'Wira',
    'Seri Pagi',
    'Mesra',
  ],
  ...['Fu Xing', 'Hong Lim', 'Kah Seng', 'Loong Kee', 'Sin Wah', 'Teck Huat', 'Yik Mun', 'Poh Kwong'],
];
const activities: Partial<Record<Country, string[]>> = {
  my: [
    ...[
      'Bike Shop',
      'Seafood',
      'Ikan Bakar',
      'Auto Parts',
      'Photo & Frame',
      'Curtain',
      'Steamboat',
      'Durian',
      'Fashion',
    ],
    ...[
      'Mini Market',
      'Travel & Tours',
      'Dental Surgery',
      'Marketing',
      'Industries',
      'Resources',
      'Paint',
      'Aquarium',
    ],
    ...[
      'Cash & Carry',
      'One Stop',
      'Home Deco',
      'Bak Kut Teh',
      'Roti Canai',
      'Tomyam',
      'Cosmetics',
      'Kids',
      'Toys',
    ],
  ],
  de: ['Schuhhaus', 'Weinhandel', 'Gasthof', 'Autohaus', 'Buchhandlung', 'Eisdiele', 'Imbiss', 'Werkzeug'],
  fr: ['Fleurs', 'Bistrot', 'Menuiserie', 'Optique', 'Coiffure', 'Épicerie', 'Crêperie'],
  nl: ['Schoenen', 'Eetcafé', 'Wijnhandel', 'Installatie', 'Bloemen'],
  pl: ['Cukiernia', 'Restauracja', 'Księgarnia', 'Meble', 'Usługi Budowlane'],
  es: ['Zapatería', 'Taberna', 'Mercería', 'Pescadería', 'Autoescuela'],
  it: ['Enoteca', 'Pizzeria', 'Cartoleria', 'Macelleria', 'Gioielleria'],
  id: ['Bakso', 'Laundry', 'Percetakan', 'Depot', 'Toserba'],
};
const englishActivities = [
  'Shoes',
  'Fish Bar',
  'Tools',
  'Toys',
  'Antiques',
  'Wines',
  'Grill',
  'Coffee Roasters',
  'Outdoors',
  'Tea Rooms',
  'Books & Records',
  'Flooring',
];
const forms: Partial<Record<Country, string[]>> = {
  my: [
    'Sdn Bhd',
    'Sdn. Bhd.',
    'SDN.BHD',
    '(M) Sdn Bhd',
    'Enterprise',
    'Ent',
    'Trading',
    'Bhd',
    'Corporation Sdn Bhd',
    'PLT',
    '',
    '',
    '(Melaka) Sdn Bhd',
    '(Batu Caves) Sdn Bhd',
    'Enterprise (Kota Bharu) Sdn Bhd',
    '(KL) Sdn Bhd',
  ],
  sg: ['Pte Ltd', '(S) Pte Ltd', '', 'LLP'],
  gb: ['Ltd', 'Limited', '', '', '& Co'],
  us: ['Inc', 'LLC', '', '', 'Co.'],
  de: ['GmbH', 'KG', 'e.K.', '', '', 'GbR'],
  fr: ['SARL', 'SAS', '', '', 'EURL'],
  nl: ['BV', 'B.V.', '', 'VOF'],
  pl: ['Sp. z o.o.', 'S.C.', '', 'sp.j.'],
  es: ['S.L.', 'SL', '', 'S.A.'],
  it: ['S.r.l.', 'SRL', '', 'S.a.s.'],
  id: ['', '', 'PT'],
};

function inventName(country: Country, chance: Chance): { plain: string; stem: string } {
  const person = chance.pick(persons[country] ?? englishPersons);
  const activity = chance.pick(activities[country] ?? englishActivities);
  const thing = chance.pick(things);
  const initials = `${chance.pick([...'ABDGHJKLMST'])}${chance.pick(['.', ' ', '&', ' & ', ''])}${chance.pick([...'CEFKLPSTW'])}`;
  return chance.pick([
    { plain: `${person} ${activity}`, stem: person },
    { plain: `${activity} ${person}`, stem: person },
    { plain: thing, stem: thing },
    { plain: `The ${thing} ${activity}`, stem: thing },
    { plain: `${thing} ${activity}`, stem: thing },
    { plain: `${activity} ${thing} ${chance.pick(['II', '88', '2', 'Baru', 'Utama', 'Plus'])}`, stem: thing },
    { plain: `${initials} ${activity}`, stem: initials },
    { plain: `${thing} & ${chance.pick(things)}`, stem: thing },
    { plain: person, stem: person },
    {
      plain: `${thing} ${activity} ${chance.pick(['House', 'Centre', 'Point', 'World', 'Gallery', 'Avenue'])}`,
      stem: thing,
    },
  ]);
}

const roads = [
  'Jalan Kenari 18',
  'Jln SS 21/37',
  'Lorong Bukit 2A',
  'Jalan Raja Laut',
  'Jalan Wangsa Delima 6',
  'Persiaran Kayangan',
  'Jalan PJS 11/9',
  'Batu 4 1/2 Jalan Kelang',
];
const places = [
  'Taman Bukit Indah',
  'Kg. Baru',
  'Bandar Sri Damai',
  'Kepong Baru',
  'Desa Setapak',
  'Sek. 7',
  'Wangsa Maju',
  'Pusat Perdagangan Mutiara',
];
const buildings = ['Wisma Lim', 'Menara Selatan', 'Plaza Angsana', 'The Street Mall', 'Kompleks Karamunsing'];
const cities = [
  'Johor Bahru',
  'Kuala Lumpur',
  'Petaling Jaya',
  'Shah Alam',
  'Kuantan',
  'Alor Setar',
  'Kota Bharu',
  'Kluang',
  'Tangkak',
];
const ends = [
  'Selangor',
  'Johor',
  'W. Persekutuan',
  'Kedah Darul Aman',
  'Malaysia',
  'Kuala Lumpur',
  'Selangor D.E.',
  '',
];

function malaysianAddress(chance: Chance): string[] {
  const no = chance.pick([
    'No 3',
    'No.12A',
    '21-G',
    '8 & 10',
    'Lot 2.17',
    'LG-08',
    'PT 8821',
    'F-3-07',
    '117',
    'G/F 5',
    'KM 12',
    'No.1 & 3',
  ]);
  const [road, place, building, city, end] = [
    chance.pick(roads),
    chance.pick(places),
    chance.pick(buildings),
    chance.pick(cities),
    chance.pick(ends),
  ];
  const code = `${1 + chance.below(9)}${chance.digits(4)}`;
  const comma = end === '' ? '' : `, ${end}`;
  return chance.pick([
    [`${no}, ${road},`, `${place},`, `${code} ${city}${comma}.`],
    [`${no} ${road} ${place}`, `${code} ${city} ${end}`.trim()],
    [`${no}, ${building},`, `${road}, ${code} ${city}`, end === '' ? city : end],
    [`${no}, ${road}, ${place}, ${code}`, `${city}${comma}`],
    [`Level ${chance.below(9)}, ${building}, ${road}, ${code} ${city}${comma}`],
    [`${no}, ${road}`, place],
    [`${building}, ${no}`, `${road}, ${place}`, `${code}, ${city}${comma}.`],
    [`${no}, ${road}, ${place},`, `${code}`, `${city}${comma}`],
    [`${no},`, `${road},`, `${place},`, `${code} ${city},`, end === '' ? 'Malaysia.' : `${end}.`],
  ]);
}

export function inventShop(country: Country, chance: Chance): Firm {
  const firm = inventFirm(country, chance);
  if (country === 'cn' || chance.happens(0.3)) return firm;
  const { plain, stem } = inventName(country, chance);
  const form = chance.pick(forms[country] ?? ['']);
  return {
    ...firm,
    name: form === 'PT' ? `PT ${plain}` : `${plain} ${form}`.trim(),
    sign: chance.pick([
      stem,
      plain,
      stem.split(' ')[0]!,
      `${stem} ${chance.pick(['Cafe', 'Grocer', 'Hub', 'Store'])}`,
    ]),
    address: country === 'my' && chance.happens(0.7) ? malaysianAddress(chance) : firm.address,
    domain: `${stem.toLowerCase().replace(/[^a-z0-9]/g, '') || 'shop'}.${firm.domain.split('.').slice(1).join('.')}`,
  };
}
