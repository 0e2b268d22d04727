/**
 * XML and HTML as a tree of elements, within bounds. Names are local ones in lower case for HTML and as written for XML;
 * entities that a file declares itself are never expanded, and nothing is fetched.
 */

import { Parser } from 'htmlparser2';
import { EngineError } from '../../engine.ts';
import { maxMarkupDepth, maxMarkupNodes } from '../limits.ts';

export interface MarkupElement {
  name: string;
  /** Under their local names. */
  attributes: Record<string, string>;
  children: (MarkupElement | string)[];
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const tooIntricate = (): EngineError =>
  new EngineError(
    'document_unreadable',
    'the document is nested or split up beyond what can be read safely',
    'file',
  );

/** @throws document_unreadable for more elements, or deeper ones, than the limits allow */
export function parseMarkup(text: string, { xml }: { xml: boolean }): MarkupElement {
  const root: MarkupElement = { name: '', attributes: {}, children: [] };
  const open = [root];
  let nodes = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++nodes > maxMarkupNodes || open.length > maxMarkupDepth) throw tooIntricate();
        const own: Record<string, string> = {};
        for (const [key, value] of Object.entries(attributes)) own[localName(key)] = value;
        const element: MarkupElement = { name: localName(name), attributes: own, children: [] };
        open.at(-1)!.children.push(element);
        open.push(element);
      },
      ontext(data) {
        const { children } = open.at(-1)!;
        const last = children.length - 1;
        if (typeof children[last] === 'string') children[last] += data;
        else if (++nodes > maxMarkupNodes) throw tooIntricate();
        else children.push(data);
      },
      onclosetag() {
        if (open.length > 1) open.pop();
      },
    },
    xml
      ? { xmlMode: true, decodeEntities: true, recognizeCDATA: true }
      : { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(text);
  return root;
}

export const elementsOf = ({ children }: MarkupElement): MarkupElement[] =>
  children.filter((child) => typeof child !== 'string');

export const childNamed = (element: MarkupElement | undefined, name: string): MarkupElement | undefined =>
  element && elementsOf(element).find((child) => child.name === name);

/** The element at the end of a way of names. */
export const descend = (element: MarkupElement | undefined, ...names: string[]): MarkupElement | undefined =>
  names.reduce<MarkupElement | undefined>(childNamed, element);

/** Elements of that name at any depth, in document order. */
export function* allNamed(element: MarkupElement, name: string): Generator<MarkupElement> {
  for (const child of elementsOf(element)) {
    if (child.name === name) yield child;
    else yield* allNamed(child, name);
  }
}

/** All text below, as it stands. */
export const textBelow = (element: MarkupElement): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textBelow(child))).join('');
