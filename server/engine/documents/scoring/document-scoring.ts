/** Weights that choose fields among candidates: data of the parse pack, scoring.json, made by models/recipes/parse-starter. */

import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { EngineError } from '../../engine.ts';
import { rankerSchema } from './boosted-trees.ts';

export const scoringFile = 'scoring.json';

const scoringSchema = Type.Object(
  {
    name: rankerSchema,
    /** Chooses among the likeliest names, by what their rivals are like. */
    nameAmong: rankerSchema,
    address: rankerSchema,
    /** Chooses among the likeliest addresses, by what their rivals are like, those below the other party's name too. */
    addressAmong: rankerSchema,
    buyerName: rankerSchema,
    buyerNameAmong: rankerSchema,
    buyerAddress: rankerSchema,
    buyerAddressAmong: rankerSchema,
    total: rankerSchema,
  },
  { additionalProperties: false },
);
export type DocumentScoring = Static<typeof scoringSchema>;

/** @throws EngineError internal_error for a text that is not as the schema asks */
export function toDocumentScoring(text: string): DocumentScoring {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (Check(scoringSchema, value)) return value;
  throw new EngineError('internal_error', `The pack cannot be used: ${scoringFile}: not as the schema asks`);
}
