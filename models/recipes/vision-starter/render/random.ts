/** Seeded chance and text in three languages for the drawn pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = (seed * 2654435761) >>> 0;
  }

  /** 0 ≤ x < 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  range(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Both ends included. */
  int(low: number, high: number): number {
    return Math.floor(this.range(low, high + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)] as T;
  }

  some<T>(count: number, make: (at: number) => T): T[] {
    return Array.from({ length: count }, (_, at) => make(at));
  }

  digits(count: number): string {
    return this.some(count, () => this.int(0, 9)).join('');
  }

  color(saturation: [number, number], light: [number, number]): string {
    return `hsl(${this.int(0, 359)} ${this.int(...saturation)}% ${this.int(...light)}%)`;
  }
}

export type Language = 'en' | 'ms' | 'zh';

const sentences: Record<Language, string[]> = { en: [], ms: [], zh: [] };

/** @param folder the shared data folder; sentences are Tatoeba's (CC BY 2.0 FR) */
export function loadSentences(folder: string): void {
  for (const language of ['ms', 'zh'] as const) {
    const text = readFileSync(join(folder, 'emb-tatoeba-en-ms-zh', `en-${language}.tsv`), 'utf8');
    for (const line of text.split('\n').slice(1)) {
      const [english, other] = line.split('\t');
      if (!english || !other) continue;
      sentences.en.push(english);
      sentences[language].push(other);
    }
  }
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Random text of one language. */
export class Words {
  readonly random: Random;
  readonly language: Language;

  constructor(random: Random, language: Language) {
    this.random = random;
    this.language = language;
  }

  sentence(): string {
    return escapeHtml(this.random.pick(sentences[this.language]));
  }

  /** About `count` words (for Chinese two characters each). */
  phrase(count: number): string {
    const text = this.random.pick(sentences[this.language]);
    if (this.language === 'zh') return escapeHtml(text.slice(0, count * 2));
    const words = text.replace(/[.?!,]/g, '').split(' ');
    const start = this.random.int(0, Math.max(0, words.length - count));
    return escapeHtml(words.slice(start, start + count).join(' '));
  }

  title(): string {
    const text = this.phrase(this.random.int(1, 5));
    return this.random.chance(0.25) ? text.toUpperCase() : text.charAt(0).toUpperCase() + text.slice(1);
  }

  paragraph(count = this.random.int(2, 7)): string {
    return this.random.some(count, () => this.sentence()).join(' ');
  }

  number(): string {
    const value = 10 ** this.random.range(0, 6);
    return this.random.pick([
      () => value.toFixed(2),
      () => Math.round(value).toLocaleString('en'),
      () => `RM ${value.toFixed(2)}`,
      () => `${(value % 100).toFixed(1)}%`,
      () => `$${Math.round(value)}`,
    ])();
  }

  date(): string {
    const [day, month, year] = [this.random.int(1, 28), this.random.int(1, 12), this.random.int(1990, 2030)];
    return this.random.pick([
      `${day}/${month}/${year}`,
      `${year}-${String(month).padStart(2, '0')}-${day}`,
      `${day}.${month}.${year}`,
    ]);
  }

  capitals(count: number): string {
    return this.random.some(count, () => String.fromCharCode(65 + this.random.int(0, 25))).join('');
  }
}
