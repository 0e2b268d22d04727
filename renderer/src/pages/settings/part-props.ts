import type { Settings } from '../../../../server/api/console/console.ts';

/** The whole form goes to each panel, which shows and changes its own part. */
export interface SettingsPartProps {
  form: Settings;
  set: (change: Partial<Settings>) => void;
  /** The message for a field by its path, e.g. `limits.free.concurrent`. */
  errorOf: (path: string) => string | null;
}
