/**
 * The vocabulary as a trie over bytes, laid out flat in depth-first order: a walk is one loop, and a branch that is not
 * allowed is skipped by its size. Built once for a vocabulary.
 */
import type { Vocabulary } from './vocabulary.ts';

export interface TokenTrie {
  /** Byte of each node, its depth (from 1), and how many nodes its branch has, itself included. */
  bytes: Uint8Array;
  depths: Uint16Array;
  sizes: Uint32Array;
  /** First token that ends at each node, or -1; tokens with the same bytes follow by `twins`. */
  tokens: Int32Array;
  twins: Int32Array;
}

export interface TokenIndex {
  size: number;
  /** All tokens with text. */
  all: TokenTrie;
  /** Those that are more than whole plain characters of a JSON string. */
  special: TokenTrie;
  /** Plain tokens by their number of characters, as bitsets; the last one holds all longer ones. */
  plain: Uint32Array[];
  /** Tokens that can write the end of a key and another whole key: three quotes and more. */
  keyed: number[];
  isPlain(id: number): boolean;
}

const lengthClasses = 24;
const indexes = new WeakMap<Vocabulary, Map<string, TokenIndex>>();

/** @param visible control tokens whose spelling counts as text */
export function tokenIndex(vocabulary: Vocabulary, visible: readonly number[] = []): TokenIndex {
  const known = indexes.get(vocabulary) ?? new Map<string, TokenIndex>();
  indexes.set(vocabulary, known);
  const key = visible.join(',');
  let index = known.get(key);
  if (!index) {
    index = buildIndex(vocabulary, visible);
    known.set(key, index);
  }
  return index;
}

function buildIndex(vocabulary: Vocabulary, visible: readonly number[]): TokenIndex {
  const words = Math.ceil(vocabulary.size / 32);
  const plain = Array.from({ length: lengthClasses + 1 }, () => new Uint32Array(words));
  const all: number[] = [];
  const special: number[] = [];
  for (let id = 0; id < vocabulary.size; id += 1) {
    if ((vocabulary.isControl(id) && !visible.includes(id)) || vocabulary.bytesOf(id).length === 0) continue;
    all.push(id);
    const length = plainLength(vocabulary.bytesOf(id));
    if (length === null) special.push(id);
    else plain[Math.min(length, lengthClasses)]![id >>> 5]! |= 1 << (id & 31);
  }
  return {
    size: vocabulary.size,
    all: buildTrie(vocabulary, all),
    special: buildTrie(vocabulary, special),
    plain,
    keyed: special.filter((id) => vocabulary.bytesOf(id).filter((byte) => byte === 0x22).length > 2),
    isPlain: (id) => plain.some((words) => (words[id >>> 5]! & (1 << (id & 31))) !== 0),
  };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Characters of a token that is whole plain characters of a JSON string; null otherwise. */
function plainLength(bytes: Uint8Array): number | null {
  for (const byte of bytes) if (byte < 0x20 || byte === 0x22 || byte === 0x5c) return null;
  try {
    return [...decoder.decode(bytes)].length;
  } catch {
    return null; // part of a character
  }
}

function buildTrie(vocabulary: Vocabulary, ids: number[]): TokenTrie {
  const sorted = [...ids].sort((a, b) => Buffer.compare(vocabulary.bytesOf(a), vocabulary.bytesOf(b)));
  const twins = new Int32Array(vocabulary.size).fill(-1);
  const bytes: number[] = [];
  const depths: number[] = [];
  const tokens: number[] = [];
  /** Nodes from the root to the last token's end. */
  const path: number[] = [];
  const sizes: number[] = [];
  const close = (depth: number) => {
    while (path.length > depth) {
      const node = path.pop()!;
      sizes[node] = bytes.length - node;
    }
  };
  let before: Uint8Array = new Uint8Array(0);
  for (const id of sorted) {
    const text = vocabulary.bytesOf(id);
    let shared = 0;
    while (shared < before.length && shared < text.length && before[shared] === text[shared]) shared += 1;
    close(shared);
    for (let depth = shared; depth < text.length; depth += 1) {
      path.push(bytes.length);
      bytes.push(text[depth]!);
      depths.push(depth + 1);
      tokens.push(-1);
    }
    const end = path.at(-1)!;
    twins[id] = tokens[end]!;
    tokens[end] = id;
    before = text;
  }
  close(0);
  return {
    bytes: Uint8Array.from(bytes),
    depths: Uint16Array.from(depths),
    sizes: Uint32Array.from(sizes),
    tokens: Int32Array.from(tokens),
    twins,
  };
}
