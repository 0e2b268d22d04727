/** The shell's memory between starts, in a file of its own inside the data folder. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Preferences {
  /** Of the window when it is neither maximized nor full screen. */
  bounds?: Bounds;
  maximized: boolean;
  /** The API goes on when the window is closed; the tray brings it back. */
  closeToTray: boolean;
  /** The person was told so once. */
  hintShown: boolean;
}

export interface PreferencesFile {
  readonly value: Readonly<Preferences>;
  change(part: Partial<Preferences>): void;
}

/** A file that is missing or damaged gives the defaults; many Linux desktops show no tray to come back from. */
export function openPreferences(file: string, platform: NodeJS.Platform): PreferencesFile {
  const defaults: Preferences = { maximized: false, closeToTray: platform !== 'linux', hintShown: false };
  let value: Preferences = { ...defaults, ...read(file) };
  return {
    get value() {
      return value;
    },
    change: (part) => {
      value = { ...value, ...part };
      write(file, value);
    },
  };
}

function read(file: string): Partial<Preferences> {
  try {
    const { bounds, maximized, closeToTray, hintShown } = JSON.parse(readFileSync(file, 'utf8'));
    const flags = Object.entries({ maximized, closeToTray, hintShown });
    return {
      ...Object.fromEntries(flags.filter(([, flag]) => typeof flag === 'boolean')),
      ...(isBounds(bounds) ? { bounds } : {}),
    };
  } catch {
    return {};
  }
}

const isBounds = (value: unknown): value is Bounds =>
  typeof value === 'object' &&
  value !== null &&
  ['x', 'y', 'width', 'height'].every((name) =>
    Number.isSafeInteger((value as Record<string, unknown>)[name]),
  );

/** A place that cannot be kept keeps nobody from working. */
function write(file: string, value: Preferences): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {}
}

/** The part of a window that can be got hold of: this much of it must lie on a display that is there. */
const leastVisiblePx = 100;

/** The kept bounds, or undefined when their display is gone. @param displays work areas */
export function visibleBounds(bounds: Bounds | undefined, displays: Bounds[]): Bounds | undefined {
  if (!bounds) return undefined;
  const overlap = (from: number, size: number, start: number, length: number) =>
    Math.min(from + size, start + length) - Math.max(from, start);
  const visible = displays.some(
    ({ x, y, width, height }) =>
      overlap(bounds.x, bounds.width, x, width) >= leastVisiblePx &&
      overlap(bounds.y, bounds.height, y, height) >= leastVisiblePx &&
      // A title bar above the display cannot be dragged.
      bounds.y >= y,
  );
  return visible ? bounds : undefined;
}
