/** All names of a kind in a text, by the tagger of persons, organizations, places and job titles. */
import { type EntityKind, type EntityModel, tagEntities } from '../../entities/entity-tagger.ts';
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

interface Given {
  entities?: Entities;
  settings: { entities: ListedNameWords };
  signal: AbortSignal;
}

const mostNames = 100;

/** Distinct names in order, those that are sure where any is; a person's first or last name alone is nobody else. @throws the signal's reason */
export async function namesOfKind(
  name: string,
  text: string,
  { entities, settings, signal }: Given,
): Promise<string[]> {
  const kind = settings.entities.kinds.find(({ key }) => key.test(name.trim()))?.kind;
  if (!kind || !entities) return [];
  const found = (await inTurns(tagEntities(text, entities), signal)).filter((each) => each.kind === kind);
  const sure = found.filter(({ certainty, script }) => certainty >= entities.thresholds[script][kind]);
  const names = (sure.length > 0 ? sure : found).map(({ end, start }) => text.slice(start, end));
  const distinct = [...new Set(names)].slice(0, mostNames);
  return kind === 'name' ? distinct.filter((each) => !isPartOfAnother(each, distinct)) : distinct;
}

const isPartOfAnother = (name: string, names: readonly string[]): boolean =>
  names.some((other) => other !== name && other.split(/\s+/u).includes(name));

/** The model of the tagger, where the pack brings one. */
export type Entities = EntityModel | null;
