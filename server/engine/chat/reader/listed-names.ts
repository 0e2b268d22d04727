/** All names of a kind in a text, by the tagger of persons, organizations, places and job titles. */
import { type EntityKind, type EntityModel, isSure, tagEntities } from '../../entities/entity-tagger.ts';
import { inTurns } from '../../steps.ts';

export interface ListedNameWords {
  /** Asks for all names of a kind, which a group holds: “which companies are mentioned?” */
  mentioned: RegExp;
  /** A kind in the plural. */
  plural: RegExp;
  /** Words by which people and schemas call a kind of the tagger's. */
  kinds: { kind: EntityKind; key: RegExp }[];
  /** Things that are told by their form where all of them are asked for: amounts of money. */
  forms: { key: RegExp; value: RegExp }[];
}

/** The kind that is called so; undefined where the tagger knows none. */
export const kindCalled = (name: string, { kinds }: ListedNameWords): EntityKind | undefined =>
  kinds.find(({ key }) => key.test(name.trim()))?.kind;

const mostNames = 100;

/**
 * Reads a text once for its names of every kind: distinct ones in order, those that are sure where any is; a person's first or last
 * name alone is nobody else. Nothing without a tagger. @throws the signal's reason
 */
export async function namesIn(
  text: string,
  { entities, signal }: { entities?: Entities; signal: AbortSignal },
): Promise<(kind: EntityKind) => string[]> {
  if (!entities) return () => [];
  const found = await inTurns(tagEntities(text, entities), signal);
  return (wanted) => {
    const ofKind = found.filter(({ kind }) => kind === wanted);
    const sure = ofKind.filter((match) => isSure(match, entities));
    const names = (sure.length > 0 ? sure : ofKind).map(({ end, start }) => text.slice(start, end));
    const distinct = [...new Set(names)].slice(0, mostNames);
    return wanted === 'name' ? distinct.filter((each) => !isPartOfAnother(each, distinct)) : distinct;
  };
}

const isPartOfAnother = (name: string, names: readonly string[]): boolean =>
  names.some((other) => other !== name && other.split(/\s+/u).includes(name));

/** The model of the tagger, where the pack brings one. */
export type Entities = EntityModel | null;
