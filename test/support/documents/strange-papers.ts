/** Papers of the third set held back: layouts written by hand, filled with firms and addressees that are in no other set. */

import { readFileSync } from 'node:fs';
import { createChance } from './specimens/chance.ts';
import { type WrittenForm, type WrittenPaper, writtenForms } from './written-papers.ts';

const folder = new URL('../../fixtures/documents/strange/', import.meta.url);

interface Party {
  role: string;
  country: string;
  name: string;
  sign: string;
  address: string[];
  phone: string;
  register: string;
  tax: string;
  domain: string;
}

function readParties(): Party[] {
  const lines = readFileSync(new URL('firms.tsv', folder), 'utf8').trim().split('\n');
  return lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const [role, country, name, sign, address, phone, register, tax, domain] = line.split('\t') as string[];
      return {
        role,
        country,
        name,
        sign,
        address: address!.split('|'),
        phone,
        register,
        tax,
        domain,
      } as Party;
    });
}

/** Fills the blanks of a run; what a blank without a value leaves behind goes too. */
function filling(firm: Party, buyer: Party): (text: string) => string {
  const values: Record<string, string> = {
    ...Object.fromEntries(['a1', 'a2', 'a3', 'a4'].map((key, at) => [key, firm.address[at] ?? ''])),
    ...Object.fromEntries(['b1', 'b2', 'b3'].map((key, at) => [key, buyer.address[at] ?? ''])),
    name: firm.name,
    sign: firm.sign,
    address: firm.address.join(' '),
    line: firm.address.join(', '),
    phone: firm.phone,
    register: firm.register,
    tax: firm.tax,
    domain: firm.domain,
    bname: buyer.name,
    baddress: buyer.address.join(' '),
  };
  return (text) => {
    const filled = text.replace(/\{(\w+)\}/gu, (_, key: string) => {
      const value = values[key.toLowerCase()] ?? '';
      return key === key.toUpperCase() ? value.toUpperCase() : value;
    });
    return filled === text ? text : filled.replace(/(?:\s*[,-])+\s*$/u, '').trim();
  };
}

/** Papers of each layout with so many pairs of firm and addressee. */
export function strangePapers(kind: 'invoices' | 'receipts', each: number): WrittenPaper[] {
  const parties = readParties();
  const ofCountry = (role: string, { country }: WrittenForm): Party[] =>
    parties.filter((party) => party.role === role && party.country === country);
  return writtenForms(new URL(`${kind}.txt`, folder)).flatMap((form, at) => {
    const [firms, buyers] = [ofCountry('firm', form), ofCountry('buyer', form)];
    const chance = createChance(at);
    const first = chance.below(firms.length);
    return Array.from({ length: each }, (_, seed) =>
      form.paper(filling(firms[(first + seed) % firms.length]!, chance.pick(buyers))),
    );
  });
}
