import { moderationCategories } from '../../api/services/moderations.ts';
import { EngineError } from '../engine.ts';

/** The fourteen categories of the contract, in the order of the starter's outputs. */
export const categories = moderationCategories;

export type Category = (typeof categories)[number];

export type Scores = Record<Category, number>;

export function isCategory(name: string): name is Category {
  return (categories as readonly string[]).includes(name);
}

export function zeroScores(): Scores {
  return Object.fromEntries(categories.map((category) => [category, 0])) as Scores;
}

/** The categories asked for, in the fixed order; all of them when none is named. @throws EngineError invalid_value for other names */
export function chosenCategories(asked: readonly string[] | undefined): Category[] {
  const unknown = asked?.find((name) => !isCategory(name));
  if (unknown !== undefined) {
    throw new EngineError(
      'invalid_value',
      `There is no category named ${JSON.stringify(unknown)}.`,
      'categories',
    );
  }
  return asked?.length ? categories.filter((category) => asked.includes(category)) : [...categories];
}

/** The thresholds in force: the pack's, replaced where the caller names one. @throws EngineError invalid_value for what is no threshold */
export function chosenThresholds(
  defaults: Scores,
  asked: Readonly<Record<string, number>> | undefined,
): Scores {
  const thresholds = { ...defaults };
  for (const [name, value] of Object.entries(asked ?? {})) {
    if (!isCategory(name)) {
      throw new EngineError(
        'invalid_value',
        `There is no category named ${JSON.stringify(name)}.`,
        'thresholds',
      );
    }
    if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
      throw new EngineError('invalid_value', 'A threshold is a number from 0 to 1.', `thresholds.${name}`);
    }
    thresholds[name] = value;
  }
  return thresholds;
}
