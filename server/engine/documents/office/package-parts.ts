/** The parts of a zipped document, inflated when asked for and within bounds. */

import { unzipSync } from 'fflate';
import { EngineError } from '../../engine.ts';
import { maxInflatedBytes, maxPackageParts } from '../limits.ts';
import { type MarkupElement, parseMarkup } from './markup.ts';
import { bytesToText } from './text/bytes-to-text.ts';

const unreadable = (message: string): EngineError => new EngineError('document_unreadable', message, 'file');

export class PackageParts {
  readonly #bytes: Uint8Array;
  readonly #sizes = new Map<string, number>();
  #inflated = 0;

  /** @throws document_unreadable for a damaged archive, or one of more parts or more data than can be read safely */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    let total = 0;
    this.#unzip(({ name, originalSize }) => {
      total += originalSize;
      if (this.#sizes.size >= maxPackageParts)
        throw unreadable('the document has more parts than can be read safely');
      this.#sizes.set(name, originalSize);
      return false;
    });
    if (total > maxInflatedBytes)
      throw unreadable('the document expands to more data than can be read safely');
  }

  get names(): string[] {
    return [...this.#sizes.keys()];
  }

  has(name: string): boolean {
    return this.#sizes.has(name);
  }

  /** @throws document_unreadable for damaged data */
  read(name: string): Uint8Array | null {
    if (!this.has(name)) return null;
    // Parts are read again by others: all inflating together is bounded, not the archive alone.
    this.#inflated += this.#sizes.get(name)!;
    if (this.#inflated > 2 * maxInflatedBytes)
      throw unreadable('the document expands to more data than can be read safely');
    return this.#unzip((file) => file.name === name)[name] ?? null;
  }

  /** @throws document_unreadable for damaged data, or markup beyond the limits */
  readXml(name: string): MarkupElement | null {
    const bytes = this.read(name);
    return bytes && parseMarkup(bytesToText(bytes), { xml: true });
  }

  #unzip(filter: (file: { name: string; originalSize: number }) => boolean): Record<string, Uint8Array> {
    try {
      return unzipSync(this.#bytes, { filter });
    } catch (error) {
      if (error instanceof EngineError) throw error;
      throw unreadable('the document is damaged');
    }
  }
}

export interface PartLink {
  target: string;
  external: boolean;
  /** The last word of its type, such as `slide` or `hyperlink`. */
  type: string;
}

/** A part's links by id, targets as names of parts. */
export function linksOf(parts: PackageParts, part: string): Map<string, PartLink> {
  const [folder, file] = [part.slice(0, part.lastIndexOf('/') + 1), part.slice(part.lastIndexOf('/') + 1)];
  const links = new Map<string, PartLink>();
  const root = parts.readXml(`${folder}_rels/${file}.rels`);
  for (const list of root?.children ?? []) {
    if (typeof list === 'string') continue;
    for (const link of list.children) {
      if (typeof link === 'string') continue;
      const { Id = '', Target = '', TargetMode, Type = '' } = link.attributes;
      const external = TargetMode === 'External';
      links.set(Id, {
        target: external ? Target : resolvePart(folder, Target),
        external,
        type: Type.slice(Type.lastIndexOf('/') + 1),
      });
    }
  }
  return links;
}

function resolvePart(folder: string, target: string): string {
  const from = target.startsWith('/') ? [] : folder.split('/').filter(Boolean);
  for (const step of target.split('/').filter(Boolean)) {
    if (step === '..') from.pop();
    else if (step !== '.') from.push(step);
  }
  return from.join('/');
}
