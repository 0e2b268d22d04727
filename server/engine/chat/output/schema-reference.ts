/** The part of a schema at a reference within it, `#/$defs/Person`; undefined where there is none. */
export function schemaAt(root: unknown, ref: string): unknown {
  let node = root;
  for (const part of ref.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const isHere = typeof node === 'object' && node !== null && Object.hasOwn(node, name);
    node = isHere ? (node as Record<string, unknown>)[name] : undefined;
  }
  return node;
}
