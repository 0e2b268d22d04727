/** Firms of the second families held back: names, roads and towns that no other family has, half of them without any trade. */

import type { Chance } from '../../specimens/chance.ts';
import { type Country, type Firm, inventFirm } from '../parties.ts';

const malaysian = {
  names: [
    'Dobi Segar Wangi',
    'Kek & Kraf Ros',
    'Optik Pandang',
    'Nyonya Su Ling',
    'Air-Cond Specialist Chuan',
    'The Barber Loft',
    'Ayam Gepuk Pak Mat',
    'Kam Fook Dim Sum',
    'Tukang Jahit Sutera',
    'Spa Melor',
    'Aneka Tani',
    'Wong Kok Char Chan Teng',
    'Pet Lovers’ Den',
    'Bihun Sup Utara',
    'Gas & Dapur Seri Iskandar',
    'Jaya Makmur Hasil Laut',
    'Speedy Print Copy',
    'D’Kebun',
  ],
  forms: ['Sdn Bhd', 'Sdn. Bhd.', 'Ent.', 'PLT', '', '', 'Venture', '& Sons', 'Global Sdn Bhd'],
  roads: [
    'Jalan Dato Onn',
    'Lebuh Ampang',
    'Lrg Kiri 5',
    'Jalan PJU 5/6',
    'Lebuhraya Utara',
    'Jln Tun Razak',
  ],
  areas: ['Dataran Sunway', 'Kota Kemuning', 'Tmn Universiti', 'Medan Gopeng', 'Pekan Lama', 'Bayan Baru'],
  towns: ['Kuala Kangsar', 'Kulim', 'Kota Tinggi', 'Temerloh', 'Sitiawan', 'Marang'],
  states: ['Pahang', 'Kedah D.A.', 'Terengganu', 'Perak D.R.', 'W.P. Kuala Lumpur', ''],
};
const names: Partial<Record<Country, string[]>> = {
  de: [
    'Zweirad Holtkamp GmbH',
    'Café Sonnenschein',
    'Reinigung Öztürk e.K.',
    'Farben Wittig KG',
    'Blumen Ahlers',
  ],
  fr: ['Au Pain Doré', 'Garage Lemaire SARL', 'Pressing du Port', 'Cave Saint-Éloi SAS', 'Chez Odile'],
  nl: ['Fietsenhuis Dijkstra', 'De Gouden Krakeling B.V.', 'Kapsalon Loes', 'Tuincentrum Overvecht BV'],
  gb: [
    'Fox & Anchor',
    'Tamar Valley Plumbing Ltd',
    'Bramble & Thyme',
    'Ridgeway Cycles Limited',
    'The Copper Kettle',
  ],
  us: ['Joe’s Auto Body', 'Sunrise Diner', 'Pacific Dental Group LLC', 'Hometown Hardware Inc.', 'Luna Yoga'],
  es: ['Bar Los Olivos', 'Peluquería Carmen', 'Suministros Hidalgo S.L.', 'Óptica Vega SLU'],
  it: ['Bar Centrale', 'Gelateria Da Nino', 'Autofficina Greco S.n.c.', 'Pasticceria Fiore S.r.l.'],
  pl: ['Kwiaciarnia Róża', 'Auto-Serwis Malec Sp. j.', 'Zakład Krawiecki Irena', 'Bud-Mat Sp. z o.o.'],
  sg: ['Ah Huat Fishball Noodle', 'Lim Bee Huat Pte Ltd', 'Kopi & Toast', 'Skin Inc Lab Pte. Ltd.'],
  id: ['Ayam Bakar Bu Tini', 'PT Sumber Rejeki Abadi', 'Kopi Tuku Pagi', 'CV Karya Mandiri'],
};

export function inventStranger(country: Country, chance: Chance): Firm {
  const firm = inventFirm(country, chance);
  const own = names[country];
  if (own) {
    const name = chance.pick(own);
    return {
      ...firm,
      name,
      sign: name.split(' ').slice(0, 2).join(' '),
      domain: domainOf(name, firm.domain),
    };
  }
  if (country !== 'my') return firm;
  const { roads, areas, towns, states, forms } = malaysian;
  const plain = chance.pick(malaysian.names);
  const [road, area, town, state] = [
    chance.pick(roads),
    chance.pick(areas),
    chance.pick(towns),
    chance.pick(states),
  ];
  const [no, code] = [
    chance.pick(['G-12', '7A', 'No 18-1', 'Lot PT 4471', '102, 104', 'B-01-03A']),
    `${1 + chance.below(9)}${chance.digits(4)}`,
  ];
  const tail = state === '' ? town : `${town}, ${state}`;
  return {
    ...firm,
    name: `${plain} ${chance.pick(forms)}`.trim(),
    sign: plain.split(' ').slice(0, 2).join(' '),
    address: chance.pick([
      [`${no} ${road}`, area, `${code} ${tail}`],
      [`${no}, ${road}, ${area},`, `${code}, ${tail}.`],
      [`${no}, ${road}`, `${area}, ${code} ${tail}`],
      [`${no}, ${road},`, `${area},`, `${code} ${town},`, state === '' ? 'Malaysia.' : `${state}.`],
    ]),
    place: town,
    domain: domainOf(plain, firm.domain),
  };
}

const domainOf = (name: string, domain: string): string =>
  `${name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 12)}.${domain.split('.').slice(1).join('.')}`;
