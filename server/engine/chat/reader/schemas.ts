/** Kinds of the schemas that fields have. */
import type { Json } from '../../pack-files.ts';

export const isPlain = (schema: unknown): schema is Json => typeof schema === 'object' && schema !== null;

/** True for a schema of numbers. */
export const asksNumber = (schema: unknown): boolean =>
  isPlain(schema) && ['integer', 'number'].some((type) => [schema.type].flat().includes(type));

/** True for a schema of texts. */
export const asksText = ({ type }: Json): boolean => [type].flat().includes('string');
