import type { PackSummary } from '../../../server/api/console/packs.ts';

/** Tells one pack from another: a model imported by two presets has one name. */
export const titleOf = ({ name, version }: PackSummary): string => `${name} ${version}`;

/** As one of several to choose from. */
export const toOption = (pack: PackSummary) => ({ value: pack.ref, label: titleOf(pack) });
