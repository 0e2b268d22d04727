/**
 * Upper parts and feet of invoices whose blocks stand anywhere: each paper draws its own places, labels and order, so that
 * nothing but what a block says and what stands around it tells whose it is.
 */

import type { Chance } from '../../specimens/chance.ts';
import type { InvoiceHead } from '../invoice-heads.ts';
import { languageOf } from '../letter-firms.ts';
import { type Draw, tellings } from './invoice-blocks.ts';
import { drawFoot } from './invoice-feet.ts';
import { drawHead } from './invoice-plans.ts';
import { partyWords } from './scattered-words.ts';

export function scatteredInvoiceHead(chance: Chance): InvoiceHead {
  return (sheet, parts) => {
    const telling = chance.pick(tellings);
    const draw: Draw = { ...parts, chance, sheet, telling, words: partyWords[languageOf(parts.country)] };
    drawHead(draw, chance);
    return () => drawFoot(draw);
  };
}
