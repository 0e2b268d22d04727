/** Bounds and steps of numbers, in decimal as people write them: 0.3 is a multiple of 0.1. */
import type { Assertion, Event, Hints, SchemaState, StateInterner } from '../schema-state.ts';

export interface NumberLimits {
  least: number;
  most: number;
  leastExclusive: boolean;
  mostExclusive: boolean;
  multipleOf: number | null;
  /** Only whole numbers. */
  whole: boolean;
}

/** Digits after the point that a constrained number may have, and digits in all. */
export const mostDecimals = 15;
const mostDigits = 40;

/** @returns null where the step has more digits than can be kept apart */
export function numberAssertion(limits: NumberLimits): Assertion | null {
  const scaled = toScaled(limits);
  if (!scaled) return null;
  const name = JSON.stringify(Object.values(limits).map(String));
  return {
    key: `number ${name}`,
    step(event, pool) {
      if (event.type !== 'open') return this;
      return event.kind === 'number' ? new NumberSoFar({ ...limits, ...scaled, name }, '') : pool.always;
    },
    hint: () => {},
    stringRoom: () => Number.POSITIVE_INFINITY,
    canTake: () => true,
  };
}

/** Whole numbers of 10 to the power of -`mostDecimals`. */
interface Scaled {
  low: bigint | null;
  high: bigint | null;
  unit: bigint;
}

const one = 10n ** BigInt(mostDecimals);

function toScaled({ least, most, multipleOf, whole }: NumberLimits): Scaled | null {
  let unit = whole ? one : 1n;
  if (multipleOf !== null) {
    const step = scaledOf(multipleOf, 'down');
    if (step === 0n || step !== scaledOf(multipleOf, 'up')) return null;
    unit = (unit * step) / greatestDivisor(unit, step);
  }
  return {
    low: Number.isFinite(least) ? scaledOf(least, 'up') : null,
    high: Number.isFinite(most) ? scaledOf(most, 'down') : null,
    unit,
  };
}

/** A double as its shortest decimal, rounded where that has too many places. */
function scaledOf(value: number, round: 'up' | 'down'): bigint {
  const [digits = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  const places = mostDecimals + Number(exponent) - fraction.length;
  const mantissa = BigInt(whole + fraction) * (value < 0 ? -1n : 1n);
  if (places >= 0) return mantissa * 10n ** BigInt(places);
  const divisor = 10n ** BigInt(-places);
  return round === 'up' ? -floorDivided(-mantissa, divisor) : floorDivided(mantissa, divisor);
}

const floorDivided = (value: bigint, by: bigint): bigint =>
  value / by - (value % by !== 0n && value < 0n ? 1n : 0n);

function greatestDivisor(one: bigint, other: bigint): bigint {
  return other === 0n ? one : greatestDivisor(other, one % other);
}

class NumberSoFar implements Assertion {
  readonly key: string;
  private readonly limits: NumberLimits & Scaled & { name: string };
  private readonly text: string;

  constructor(limits: NumberLimits & Scaled & { name: string }, text: string) {
    this.limits = limits;
    this.text = text;
    this.key = `number ${limits.name} at ${text}`;
  }

  step(event: Event, pool: StateInterner): Assertion | SchemaState {
    if (event.type === 'digit') {
      const next = new NumberSoFar(this.limits, this.text + event.char);
      return next.target() === null ? pool.never : next;
    }
    if (event.type !== 'close') return this;
    return this.isAllowed() ? pool.always : pool.never;
  }

  /** As a reader takes it: a double, its multiple by decimals. */
  private isAllowed(): boolean {
    const { least, most, leastExclusive, mostExclusive, unit } = this.limits;
    const value = Number(this.text);
    if (leastExclusive ? value <= least : value < least) return false;
    if (mostExclusive ? value >= most : value > most) return false;
    const [whole = '', fraction = ''] = this.text.replace('-', '').split('.');
    return BigInt(whole + fraction.padEnd(mostDecimals, '0')) % unit === 0n;
  }

  /** The shortest number that begins with what is written and is allowed, as text; null: none. Exponents are left to free numbers. */
  private target(): string | null {
    if (/[eE]/.test(this.text)) return null;
    const negative = this.text.startsWith('-');
    const digits = negative ? this.text.slice(1) : this.text;
    const { high, low } = this.limits;
    const range = negative
      ? { low: high === null ? null : -high, high: low === null ? null : -low }
      : { low, high };
    const found = digits === '' ? this.within(0n, null, range) : this.beginningWith(digits, range);
    return found === null ? null : (negative ? '-' : '') + textOf(found, digits);
  }

  private beginningWith(digits: string, range: Pick<Scaled, 'low' | 'high'>): bigint | null {
    const [whole = '', fraction] = digits.split('.');
    if (fraction !== undefined) {
      if (fraction.length > mostDecimals || this.limits.whole) return null;
      const width = 10n ** BigInt(mostDecimals - fraction.length);
      const from = BigInt(whole + fraction) * width;
      return this.within(from, from + width, range);
    }
    // The number itself with any decimals, then one, two, … digits more before the point.
    for (
      let [from, width] = [BigInt(whole) * one, one], more = 0;
      more + whole.length <= mostDigits;
      more += 1
    ) {
      const found = this.within(from, from + width, range);
      if (found !== null || whole === '0') return found;
      [from, width] = [from * 10n, width * 10n];
    }
    return null;
  }

  /** The least multiple in [from, to) and in the range; null: none. */
  private within(
    from: bigint,
    to: bigint | null,
    { low, high }: Pick<Scaled, 'low' | 'high'>,
  ): bigint | null {
    const { unit } = this.limits;
    const start = low !== null && low > from ? low : from;
    const found = -floorDivided(-start, unit) * unit;
    return (to !== null && found >= to) || (high !== null && found > high) ? null : found;
  }

  hint({ chars }: Hints): void {
    const target = this.target();
    if (target && target.length > this.text.length) chars.add(target[this.text.length]!);
    for (const char of '0123456789.-') chars.add(char);
  }

  stringRoom(): number | null {
    return null;
  }

  canTake(): boolean {
    return true;
  }
}

/** Without zeros at its end, but for those that are written. */
function textOf(value: bigint, written: string): string {
  const digits = value.toString().padStart(mostDecimals + 1, '0');
  const text = `${digits.slice(0, -mostDecimals)}.${digits.slice(-mostDecimals)}`.replace(/\.?0+$/, '');
  return text.length < written.length ? written : text;
}
