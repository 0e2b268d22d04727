/** Lines that stand between a name and its street: departments and trades, which are no address, and houses with a name, which are. */

import type { Chance } from '../../specimens/chance.ts';
import { languageOf, personOf } from '../letter-firms.ts';
import type { Country, Firm } from '../parties.ts';

interface PartyDetails {
  /** Those in a house that read the paper. */
  departments: string[];
  /** Trades of persons and small firms, below their names. */
  trades: string[];
  /** `~` is a word of the town's. */
  houses: string[];
}

const english: PartyDetails = {
  departments: ['Accounts Payable', 'Finance Department', 'Purchasing', 'The Secretary', 'Maintenance'],
  trades: [
    'Garden design',
    'Tree surgery & fencing',
    'Bookkeeping',
    'Piano tuition',
    'Decorators',
    'P A I N T E R',
  ],
  houses: [
    'The Old Mill',
    'Rose Cottage',
    'Marlow House',
    'Beacon Hall',
    'c/o Finch & Partners',
    'Holly Farm',
  ],
};

const details: Record<ReturnType<typeof languageOf>, PartyDetails> = {
  en: english,
  ms: {
    departments: ['Jabatan Kewangan', 'Bahagian Akaun', 'Accounts Department', 'Unit Perolehan'],
    trades: ['Kontraktor am', 'Jahitan & langsir', 'Pelukis pelan', 'Katering'],
    houses: ['Wisma Cempaka', 'Menara Tiara', 'Pangsapuri Seri Bunga', 'Kompleks Niaga Utama'],
  },
  de: {
    departments: ['Buchhaltung', 'Rechnungswesen', 'Einkauf', 'Verwaltung', 'Finanzabteilung'],
    trades: ['Gartenpflege', 'Texte und Konzepte', 'Klavierbau', 'Fotografin', 'Hausmeisterservice'],
    houses: ['Haus Sonnenberg', 'Gut Lindenhof', 'Technologiezentrum Nord', 'c/o Hausverwaltung Brandt'],
  },
  fr: {
    departments: ['Service comptabilité', 'Comptes fournisseurs', 'Secrétariat', 'Direction des achats'],
    trades: ['ébéniste', 'Photographe', 'Travaux de jardin', 'graphiste indépendante'],
    houses: [
      'Résidence Les Tilleuls',
      'Maison du Parc',
      'Immeuble Le Phare',
      'Le Vieux Moulin',
      'Espace Voltaire',
    ],
  },
  nl: {
    departments: ['Crediteurenadministratie', 'Afdeling Inkoop', 'Financiën', 'Secretariaat'],
    trades: ['Fotografie', 'tuinontwerp', 'Teksten', 'loopbaanadvies'],
    houses: ['Huize Berkenrode', 'De Oude Fabriek', 'Kantoorgebouw Atlas', 'Hoeve Zonneveld'],
  },
  pl: {
    departments: ['Dział Księgowości', 'Księgowość', 'Dział Zakupów'],
    trades: ['Usługi stolarskie', 'Fotografia ślubna', 'tłumaczenia'],
    houses: ['Biurowiec Atlas', 'Dom Pod Lipami', 'Centrum Handlowe Wisła'],
  },
  zh: {
    departments: ['财务部', '采购部', '行政部'],
    trades: ['装修设计', '家电维修'],
    houses: ['金龙大厦', '创业园'],
  },
};

const wide = /[\u2e80-\u9fff]/;

/** The same party in a house that has a name. */
export function housed(firm: Firm, country: Country, chance: Chance): Firm {
  const house = chance.pick(details[languageOf(country)].houses);
  return wide.test(firm.address.join('')) ? firm : { ...firm, address: [house, ...firm.address] };
}

/** A person whose trade is part of the name, as `Femke Mulder Teksten`. */
export const traded = (firm: Firm, country: Country, chance: Chance): Firm =>
  wide.test(firm.name) ? firm : { ...firm, name: `${personOf(country, chance)} ${tradeOf(country, chance)}` };

export const departmentOf = (country: Country, chance: Chance): string =>
  chance.pick(details[languageOf(country)].departments);
export const tradeOf = (country: Country, chance: Chance): string =>
  chance.pick(details[languageOf(country)].trades);
