/**
 * JSON under a schema, as an acceptor: the grammar of RFC 8259 feeds the schema's formula with events and refuses what
 * would lead it to `never`. Keys are unique. Between two parts stands one space at most, or one line break and an indentation
 * that the depth explains; none comes before the value or a colon: a model cannot idle in blanks. Escapes for halves of
 * surrogate pairs are refused: the character itself can be written.
 */
import type { Acceptor } from './acceptor.ts';
import {
  codesOf,
  escapes,
  isControlPrefix,
  isFinitePrefix,
  isNumberPrefix,
  isSpace,
  isUtf8Prefix,
  isWholeNumber,
  utf8Length,
} from './json-characters.ts';
import type { Event, Hints, SchemaState, StateInterner, ValueKind } from './schema/schema-state.ts';
import { bytes, stringEndings } from './string-completion.ts';

type Mode =
  /** A value is due; `first`: or the end of an empty array. */
  | { at: 'value'; first: boolean }
  | { at: 'string'; isKey: boolean; text: string; escape: string | null; pending: readonly number[] }
  | { at: 'number'; text: string }
  | { at: 'word'; rest: string }
  /** A key is due; `first`: or the end of an empty object. */
  | { at: 'key'; first: boolean }
  | { at: 'colon' }
  /** A value has ended inside a container: a comma, or its end. */
  | { at: 'after' }
  | { at: 'end' };

interface Frame {
  kind: 'object' | 'array';
  /** Keys so far. */
  keys: readonly string[];
  parent: Frame | null;
  depth: number;
  id: string;
  /** Of it, what matters for an end: keys that no schema knows are alike. */
  liveId: string;
}

/** Spaces behind a line break, for each level. */
const widestIndent = 4;
const deepest = 64;
const mostDigits = 40;
/** Kept for their memory of steps; they can be made again. */
const mostStates = 50_000;
const kinds: ValueKind[] = ['string', 'number', 'object', 'array', 'true', 'false', 'null'];
const words: Record<string, ValueKind> = { t: 'true', f: 'false', n: 'null' };

export interface JsonContext {
  pool: StateInterner;
  states: Map<string, JsonState>;
}

export function jsonAcceptor(pool: StateInterner, start: SchemaState): Acceptor {
  return stateOf(
    { pool, states: new Map() },
    { mode: { at: 'value', first: false }, formula: start, frame: null, spaces: 0 },
  );
}

interface Parts {
  mode: Mode;
  formula: SchemaState;
  frame: Frame | null;
  spaces: number;
}

const idOf = ({ mode, formula, frame, spaces }: Parts): string =>
  `${idOfMode(mode)} ${formula.id} ${frame?.id ?? ''} ${spaces}`;

const idOfMode = (mode: Mode): string => JSON.stringify(mode);

function stateOf(context: JsonContext, parts: Parts): JsonState {
  // Keys are part of the state, and a walk over the vocabulary sees as many as there are tokens: none of them is kept.
  if (isInKey(parts.mode)) return new JsonState(context, parts);
  const id = idOf(parts);
  context.pool.budget.spend(1 + (id.length >> 6));
  let state = context.states.get(id);
  if (!state) {
    if (context.states.size >= mostStates) context.states.clear();
    state = new JsonState(context, parts);
    context.states.set(id, state);
  }
  return state;
}

const isInKey = (mode: Mode): boolean => mode.at === 'string' && mode.isKey;

class JsonState implements Acceptor {
  private readonly context: JsonContext;
  private readonly parts: Parts;
  private readonly memo = new Map<number, JsonState | null>();
  private madeId: string | null = null;

  constructor(context: JsonContext, parts: Parts) {
    this.context = context;
    this.parts = parts;
  }

  /** Made when it is asked for: most states of a walk over the vocabulary never are. */
  get id(): string {
    this.madeId ??= idOf(this.parts);
    return this.madeId;
  }

  /** A key that begins like none before it, and like none that is waited for, may go on as any other such key. */
  get maskId(): string {
    const { formula, frame, mode, spaces } = this.parts;
    const like = formula.likeId('mask');
    const isKey = mode.at === 'string' && mode.isKey;
    if (!isKey && like === formula.id) return this.id;
    const isBegun = (key: string) => isKey && key.startsWith(mode.text);
    const matters = !isKey || frame?.keys.some(isBegun) || [...this.context.pool.names].some(isBegun);
    return `${idOfMode(matters ? mode : { ...mode, text: '\uffff' })} ${like} ${frame?.id ?? ''} ${spaces}`;
  }

  step(byte: number): JsonState | null {
    let next = this.memo.get(byte);
    if (next === undefined) {
      next = this.advance(byte);
      if (!isInKey(this.parts.mode)) this.memo.set(byte, next);
    }
    return next;
  }

  get canEnd(): boolean {
    const { mode, frame } = this.parts;
    if (mode.at === 'end') return true;
    return mode.at === 'number' && frame === null && isWholeNumber(mode.text) && this.endValue() !== null;
  }

  get stringRoom(): number | null {
    const { mode, formula } = this.parts;
    if (mode.at !== 'string' || mode.escape !== null || mode.pending.length > 0) return null;
    return formula.stringRoom();
  }

  get undecided(): this {
    return this;
  }

  /**
   * Blanks change nothing, nor do the digits of a whole number that the schema does not look at. A key
   * matters as far as it begins like one that is known. A character that is half written is bound to what the formula takes
   * right here: alike in the long run is not alike there.
   */
  get liveId(): string {
    const { formula, mode } = this.parts;
    const isHalfWritten = mode.at === 'string' && (mode.escape !== null || mode.pending.length > 0);
    return this.reduced(isHalfWritten ? formula.id : formula.likeId('live'));
  }

  get searchId(): string {
    return this.reduced(this.parts.formula.id);
  }

  private reduced(formula: number | string): string {
    const { frame, mode } = this.parts;
    const place = mode.at === 'string' || mode.at === 'number' ? this.livePlace(mode) : idOfMode(mode);
    return `${place} ${formula} ${frame?.liveId ?? ''}`;
  }

  private livePlace(mode: Extract<Mode, { at: 'string' | 'number' }>): string {
    const { frame, formula } = this.parts;
    if (mode.at === 'number') {
      const isFree = formula.step({ type: 'digit', char: '0' }) === formula;
      return isFree && isWholeNumber(mode.text) ? 'number' : idOfMode(mode);
    }
    if (!mode.isKey) return idOfMode(mode);
    const isBegun = (key: string) => key.startsWith(mode.text);
    const { known } = this.context.pool;
    this.context.pool.budget.spend(1 + (known.size >> 4));
    const matters = frame?.keys.some(isBegun) || [...known].some(isBegun);
    return idOfMode(matters ? mode : { ...mode, text: '\uffff' });
  }

  private advance(byte: number): JsonState | null {
    const { mode } = this.parts;
    switch (mode.at) {
      case 'string':
        return this.inString(mode, byte);
      case 'number':
        return this.inNumber(mode.text, byte);
      case 'word':
        return mode.rest.charCodeAt(0) === byte ? this.inWord(mode.rest.slice(1)) : null;
      case 'end':
        return null;
      default:
        return isSpace(byte) ? this.space(byte) : this.between(mode, String.fromCharCode(byte));
    }
  }

  /** `spaces` counts 1 for a space, and from 2 on a line break and its indentation. */
  private space(byte: number): JsonState | null {
    const { frame, mode, spaces } = this.parts;
    if (!frame || mode.at === 'colon') return null;
    if (spaces === 0)
      return byte === 10 ? this.with({ spaces: 2 }) : byte === 32 ? this.with({ spaces: 1 }) : null;
    const isIndent = byte === 32 && spaces >= 2 && spaces - 2 < widestIndent * frame.depth;
    return isIndent ? this.with({ spaces: spaces + 1 }) : null;
  }

  private between(mode: Mode, char: string): JsonState | null {
    switch (mode.at) {
      case 'value':
        return mode.first && char === ']' ? this.endContainer() : this.beginValue(char);
      case 'key':
        if (mode.first && char === '}') return this.endContainer();
        return char === '"' && this.canTakeKey()
          ? this.with({ mode: { at: 'string', isKey: true, text: '', escape: null, pending: [] }, spaces: 0 })
          : null;
      case 'colon':
        return char === ':' ? this.with({ mode: { at: 'value', first: false }, spaces: 0 }) : null;
      default:
        return this.afterValue(char);
    }
  }

  private afterValue(char: string): JsonState | null {
    const inObject = this.parts.frame?.kind === 'object';
    if (char === ',') return this.comma(inObject);
    return char === (inObject ? '}' : ']') ? this.endContainer() : null;
  }

  /** Only where another member or item can follow. */
  private comma(inObject: boolean): JsonState | null {
    const { formula } = this.parts;
    const isPossible = inObject
      ? this.canTakeKey()
      : kinds.some((kind) => formula.step({ type: 'open', kind }) !== this.context.pool.never);
    const mode: Mode = inObject ? { at: 'key', first: false } : { at: 'value', first: false };
    return isPossible ? this.with({ mode, spaces: 0 }) : null;
  }

  /** Some key may begin, or be empty. */
  private canTakeKey(): boolean {
    const { formula, frame } = this.parts;
    if (formula.canTake(0, 0x10ffff)) return true;
    return !frame?.keys.includes('') && formula.step({ type: 'key', name: '' }) !== this.context.pool.never;
  }

  private beginValue(char: string): JsonState | null {
    const { frame } = this.parts;
    if (char === '{' || char === '[') {
      const kind = char === '{' ? 'object' : 'array';
      const depth = (frame?.depth ?? 0) + 1;
      if (depth > deepest) return null;
      const inner: Frame = {
        ...{ kind, keys: [], parent: frame, depth },
        id: `${frame?.id ?? ''}${char}`,
        liveId: `${frame?.liveId ?? ''}${char}`,
      };
      const mode: Mode = kind === 'object' ? { at: 'key', first: true } : { at: 'value', first: true };
      return this.on({ type: 'open', kind }, { mode, frame: inner, spaces: 0 });
    }
    if (char === '"') {
      const mode: Mode = { at: 'string', isKey: false, text: '', escape: null, pending: [] };
      return this.on({ type: 'open', kind: 'string' }, { mode, spaces: 0 });
    }
    const word = words[char];
    if (word)
      return this.on({ type: 'open', kind: word }, { mode: { at: 'word', rest: word.slice(1) }, spaces: 0 });
    if (char !== '-' && !/[0-9]/.test(char)) return null;
    const opened = this.on({ type: 'open', kind: 'number' }, { mode: { at: 'number', text: '' }, spaces: 0 });
    return opened?.inNumber('', char.charCodeAt(0)) ?? null;
  }

  private inWord(rest: string): JsonState | null {
    return rest === '' ? this.endValue() : this.with({ mode: { at: 'word', rest } });
  }

  private inNumber(text: string, byte: number): JsonState | null {
    const char = String.fromCharCode(byte);
    const longer = text + char;
    if (/[-+.eE0-9]/.test(char)) {
      // The last of the digits must make it whole.
      const fits = longer.length < mostDigits || (longer.length === mostDigits && isWholeNumber(longer));
      if (!fits || !isNumberPrefix(longer) || !isFinitePrefix(longer)) return null;
      return this.on({ type: 'digit', char }, { mode: { at: 'number', text: longer } });
    }
    // Anything else ends the number and is read by what comes after it.
    if (!isWholeNumber(text)) return null;
    return this.endValue()?.step(byte) ?? null;
  }

  private inString(mode: Extract<Mode, { at: 'string' }>, byte: number): JsonState | null {
    if (mode.escape !== null) return this.inEscape(mode, byte);
    if (mode.pending.length > 0 || byte >= 0x80) return this.inCharacter(mode, byte);
    if (byte === 0x22) return mode.isKey ? this.endKey(mode.text) : this.endValue();
    if (byte === 0x5c) return this.escaping(mode, '');
    return byte < 0x20 ? null : this.character(mode, byte);
  }

  /** UTF-8, byte by byte; overlong forms, halves of surrogate pairs and codes beyond Unicode are refused. */
  private inCharacter(mode: Extract<Mode, { at: 'string' }>, byte: number): JsonState | null {
    const pending = [...mode.pending, byte];
    const length = utf8Length(pending[0]!);
    if (length === 0 || !isUtf8Prefix(pending)) return null;
    if (pending.length < length) {
      const [low, high] = codesOf(pending, length);
      return this.parts.formula.canTake(low, high) ? this.with({ mode: { ...mode, pending } }) : null;
    }
    const code = Buffer.from(pending).toString('utf8').codePointAt(0)!;
    return this.character({ ...mode, pending: [] }, code);
  }

  private inEscape(mode: Extract<Mode, { at: 'string' }>, byte: number): JsonState | null {
    const sequence = mode.escape + String.fromCharCode(byte);
    if (sequence.length === 1) {
      const code = escapes[sequence];
      if (code !== undefined) return this.character({ ...mode, escape: null }, code);
      return sequence === 'u' ? this.escaping(mode, sequence) : null;
    }
    // In keys a code would only be another spelling, but for control characters, which have no other.
    if (mode.isKey && !isControlPrefix(sequence)) return null;
    if (!/^u[0-9a-fA-F]{1,4}$/.test(sequence) || /^u[dD][89a-fA-F]/.test(sequence)) return null;
    if (sequence.length < 5) return this.escaping(mode, sequence);
    return this.character({ ...mode, escape: null }, Number.parseInt(sequence.slice(1), 16));
  }

  /** An escape goes on where some character it can still stand for may come. */
  private escaping(mode: Extract<Mode, { at: 'string' }>, sequence: string): JsonState | null {
    const digits = sequence.slice(1);
    const low = Number.parseInt(digits.padEnd(4, '0'), 16);
    const high = Number.parseInt(digits.padEnd(4, 'f'), 16);
    const { formula } = this.parts;
    const isSpelled = Object.values(escapes).some((code) => formula.canTake(code, code));
    const isKeySpelled = (isSpelled && sequence === '') || formula.canTake(0, 0x1f);
    if (mode.isKey) return isKeySpelled ? this.with({ mode: { ...mode, escape: sequence } }) : null;
    const isPossible = /^d$/i.test(digits) ? formula.canTake(0xd000, 0xd7ff) : formula.canTake(low, high);
    return isPossible ? this.with({ mode: { ...mode, escape: sequence } }) : null;
  }

  private character(mode: Extract<Mode, { at: 'string' }>, code: number): JsonState | null {
    if (!mode.isKey) return this.on({ type: 'char', code }, { mode });
    return this.on(
      { type: 'keychar', code },
      { mode: { ...mode, text: mode.text + String.fromCodePoint(code) } },
    );
  }

  private endKey(name: string): JsonState | null {
    const { frame } = this.parts;
    if (!frame || frame.keys.includes(name)) return null;
    const keys = [...frame.keys, name].sort();
    const { fewKeys, known } = this.context.pool;
    const counted = fewKeys ? keys : keys.filter((key) => known.has(key));
    const inner: Frame = {
      ...frame,
      keys,
      id: `${frame.parent?.id ?? ''}{${JSON.stringify(keys)}`,
      liveId: `${frame.parent?.liveId ?? ''}{${counted.length > 0 ? JSON.stringify(counted) : ''}`,
    };
    return this.on({ type: 'key', name }, { mode: { at: 'colon' }, frame: inner });
  }

  private endContainer(): JsonState | null {
    const { frame } = this.parts;
    return this.with({ frame: frame?.parent ?? null, spaces: 0 }).endValue();
  }

  private endValue(): JsonState | null {
    const mode: Mode = this.parts.frame ? { at: 'after' } : { at: 'end' };
    return this.on({ type: 'close' }, { mode, spaces: 0 });
  }

  private on(event: Event, change: Partial<Parts>): JsonState | null {
    const formula = this.parts.formula.step(event);
    return formula === this.context.pool.never ? null : this.with({ ...change, formula });
  }

  private with(change: Partial<Parts>): JsonState {
    return stateOf(this.context, { ...this.parts, ...change });
  }

  /** Those that are asked for, then one of each that are all the same to the schema: a free value needs no parts. */
  private openers(wanted: ReadonlySet<ValueKind>): string[] {
    const { formula } = this.parts;
    const { never } = this.context.pool;
    const alike = new Set<SchemaState>();
    const others = openings.filter(([kind]) => {
      if (wanted.has(kind)) return false;
      const opened = formula.step({ type: 'open', kind });
      const closed = opened === never ? never : opened.step({ type: 'close' });
      const isKnown = opened === never || (closed !== never && alike.has(closed));
      alike.add(closed);
      return !isKnown;
    });
    const first = openings.filter(([kind]) => wanted.has(kind));
    return [...[...first, ...others].map(([, char]) => char), ...'123456789-'];
  }

  endings(): number[] {
    const { mode, frame, formula } = this.parts;
    const hints: Hints = { keys: new Set(), chars: new Set(), kinds: new Set(), asked: new Set() };
    formula.hint(hints);
    // A branch that must not hold gives no hints, but it names keys.
    if (mode.at === 'string' && mode.isKey) for (const key of this.context.pool.known) hints.keys.add(key);
    switch (mode.at) {
      case 'value':
        return bytes([...(mode.first ? ']' : ''), ...this.openers(hints.kinds)]);
      case 'string':
        return stringEndings(mode, hints);
      case 'number':
        return bytes([frame?.kind === 'object' ? '}' : ']', ',', ...hints.chars, ...'0123456789']);
      case 'word':
        return bytes([mode.rest[0] ?? '']);
      case 'key':
        return bytes([...(mode.first ? '}' : ''), '"']);
      case 'colon':
        return bytes([':']);
      case 'after':
        return bytes([frame?.kind === 'object' ? '}' : ']', ',']);
      case 'end':
        return [];
    }
  }
}

/** Shortest values first. */
const openings: [ValueKind, string][] = [
  ['string', '"'],
  ['number', '0'],
  ['array', '['],
  ['object', '{'],
  ['null', 'n'],
  ['true', 't'],
  ['false', 'f'],
];
