/**
 * Resolves `$ref` and `$dynamicRef` inside one document (JSON Schema core, sections 8.2 and 9). Every `$id` begins a
 * resource; references are resolved against the address of the resource they stand in.
 */
type Schema = Record<string, unknown>;

export interface Target {
  schema: unknown;
  /** JSON pointer from the document's root. */
  pointer: string;
}

export class UnresolvedReference extends Error {}

/** Of a document without `$id`; `.invalid` is reserved, so nothing is there. */
const rootAddress = 'https://schema.invalid/';
/** Data, not schemas: what looks like an address in them is none. */
const dataKeywords = new Set(['enum', 'const', 'default', 'examples']);
const namedSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const deepest = 200;

export class References {
  private readonly root: unknown;
  /** Address of a resource → its pointer. */
  private readonly resources = new Map<string, string>();
  /** `address#name` → pointer; of dynamic anchors too. */
  private readonly anchors = new Map<string, string>();
  /** Name of a dynamic anchor → addresses of the resources that have it. */
  private readonly dynamic = new Map<string, Set<string>>();
  /** Pointer of a schema with `$id` → its address. */
  private readonly addresses = new Map<string, string>();

  /** Before 2019-09 whatever lay beside a `$ref` did not count. */
  private readonly refAlone: boolean;

  constructor(root: unknown, options: { refAlone: boolean }) {
    this.root = root;
    this.refAlone = options.refAlone;
    this.addresses.set('', rootAddress);
    this.resources.set(rootAddress, '');
    this.index(root, { pointer: '', address: rootAddress, depth: 0 });
  }

  /** @throws UnresolvedReference for what lies outside the document */
  resolve(ref: string, from: string): Target {
    const url = this.absolute(ref, from);
    const fragment = decodeURIComponent(url.hash.slice(1));
    url.hash = '';
    const address = url.href;
    if (fragment !== '' && !fragment.startsWith('/')) {
      const pointer = this.anchors.get(`${address}#${fragment}`);
      if (pointer === undefined) throw new UnresolvedReference('must point into the schema itself');
      return this.at(pointer);
    }
    const resource = this.resources.get(address);
    if (resource === undefined) throw new UnresolvedReference('must point into the schema itself');
    return this.at(resource + fragment);
  }

  /**
   * The first resource on the way from the root that has the anchor. The root comes first on every way; where it does not
   * have it and several others do, the way decides, which a schema that is compiled beforehand does not know.
   */
  resolveDynamic(ref: string, from: string): Target {
    const target = this.resolve(ref, from);
    const name = decodeURIComponent(this.absolute(ref, from).hash.slice(1));
    const { $dynamicAnchor: anchor } = (target.schema ?? {}) as Schema;
    if (name === '' || name.startsWith('/') || anchor !== name) return target;
    const addresses = [...this.dynamic.get(name)!];
    const root = this.addressOf('');
    if (addresses.includes(root)) return this.at(this.anchors.get(`${root}#${name}`)!);
    if (addresses.length === 1) return target;
    throw new UnresolvedReference('leads to different places, depending on the way to it');
  }

  private absolute(ref: string, from: string): URL {
    try {
      return new URL(ref, this.addressOf(from));
    } catch {
      throw new UnresolvedReference('is no address');
    }
  }

  /** Of the nearest resource around a place. */
  private addressOf(pointer: string): string {
    for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const address = this.addresses.get(at);
      if (address !== undefined) return address;
    }
    return this.addresses.get('')!;
  }

  /** @throws UnresolvedReference where nothing is there */
  at(pointer: string): Target {
    let node: unknown = this.root;
    for (const part of pointer.split('/').slice(1)) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) {
        throw new UnresolvedReference('points at nothing');
      }
      node = (node as Schema)[name];
    }
    return { schema: node, pointer };
  }

  private index(node: unknown, at: { pointer: string; address: string; depth: number }): void {
    if (typeof node !== 'object' || node === null || at.depth > deepest) return;
    const schema = node as Schema;
    const address = this.refAlone && '$ref' in schema ? at.address : this.enter(schema, at);
    for (const [keyword, part] of Object.entries(schema)) {
      if (dataKeywords.has(keyword)) continue;
      const pointer = `${at.pointer}/${escapePointer(keyword)}`;
      if (namedSchemas.has(keyword)) this.indexNamed(part, { pointer, address, depth: at.depth + 1 });
      else this.index(part, { pointer, address, depth: at.depth + 1 });
    }
  }

  /** Names of properties are no keywords. */
  private indexNamed(parts: unknown, at: { pointer: string; address: string; depth: number }): void {
    if (typeof parts !== 'object' || parts === null) return;
    for (const [name, part] of Object.entries(parts))
      this.index(part, { ...at, pointer: `${at.pointer}/${escapePointer(name)}` });
  }

  private enter({ $id, $anchor, $dynamicAnchor }: Schema, at: { pointer: string; address: string }): string {
    let { address } = at;
    if (typeof $id === 'string' && URL.canParse($id, address)) {
      const url = new URL($id, address);
      // Draft 7 named places by `$id` too: `#name`.
      if (url.hash.length > 1) this.anchors.set(url.href, at.pointer);
      url.hash = '';
      address = url.href;
      this.addresses.set(at.pointer, address);
      if (!this.resources.has(address)) this.resources.set(address, at.pointer);
    }
    if (typeof $anchor === 'string') this.anchors.set(`${address}#${$anchor}`, at.pointer);
    if (typeof $dynamicAnchor === 'string') {
      this.anchors.set(`${address}#${$dynamicAnchor}`, at.pointer);
      const known = this.dynamic.get($dynamicAnchor) ?? new Set();
      this.dynamic.set($dynamicAnchor, known.add(address));
    }
    return address;
  }
}

export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
