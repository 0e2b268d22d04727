/** Weights that choose fields among candidates: data of the parse pack, scoring.json, made by models/recipes/parse-starter. */

import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { EngineError } from '../../engine.ts';
import { rankerSchema } from './boosted-trees.ts';
import { knownFeatures } from './known-features.ts';

export const scoringFile = 'scoring.json';

const scoringSchema = Type.Object(
  {
    name: rankerSchema,
    /** Chooses among the likeliest names, by what their rivals are like. */
    nameAmong: rankerSchema,
    address: rankerSchema,
    /** Chooses among the likeliest addresses, by what their rivals are like, those below the other party's name too; weights without it choose by `address` alone. */
    addressAmong: Type.Optional(rankerSchema),
    buyerName: rankerSchema,
    buyerNameAmong: rankerSchema,
    buyerAddress: rankerSchema,
    buyerAddressAmong: Type.Optional(rankerSchema),
    total: rankerSchema,
  },
  { additionalProperties: false },
);
export type DocumentScoring = Static<typeof scoringSchema>;
/** Compiled: read node by node, the trees' hundred thousand numbers took most of the time until a host serves. */
const scoringCheck = Compile(scoringSchema);

const refuse = (what: string): EngineError =>
  new EngineError('internal_error', `The pack cannot be used: ${scoringFile}: ${what}`);

/** Trees of a feature that no candidate has would go the same way at each of its nodes, and nobody would know. */
function refuseUnknownFeatures(scoring: DocumentScoring): void {
  for (const [key, known] of Object.entries(knownFeatures)) {
    const ranker = scoring[key as keyof DocumentScoring];
    if (!ranker) continue;
    const { features, trees } = ranker;
    const unknown = features.find((name) => !known.has(name));
    if (unknown !== undefined) throw refuse(`${key} asks for a feature that is not known: ${unknown}`);
    if (trees.some(({ feature }) => feature.some((at) => at >= features.length)))
      throw refuse(`${key} asks for a feature beyond its list`);
  }
}

/** @throws EngineError internal_error for a text that is not as the schema asks, or asks for features that are not known */
export function toDocumentScoring(text: string): DocumentScoring {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (!scoringCheck.Check(value)) throw refuse('not as the schema asks');
  refuseUnknownFeatures(value);
  return value;
}
