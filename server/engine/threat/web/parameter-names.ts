/** Uses of a parameter, told by its name. */
export const PARAMETERS = [
  'commands',
  'files',
  'classes',
  'server_variables',
  'searches',
  'texts',
  'editors',
  'passwords',
  'guarded',
  'filters',
  'steps',
  'step_code',
  'data_files',
] as const;

/** Names of parameters by what they are for. */
export type ParameterNames = Readonly<Record<(typeof PARAMETERS)[number], RegExp>>;
