/** HTML: headings, paragraphs, lists and tables as a browser without styles would set them; scripts and what is fetched are named. */

import type { ConcealedText, Concealment, Flow, FlowCell, FlowPart, FlowText } from './flow.ts';
import { codeBlock, emptyFlow, heading, paragraph } from './flow.ts';
import { allNamed, childNamed, elementsOf, type MarkupElement, parseMarkup, textBelow } from './markup.ts';

const skipped = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'math',
  'head',
  'iframe',
  'object',
  'canvas',
  'audio',
  'video',
  'select',
  'datalist',
]);
const blocks = new Set(
  'address article aside blockquote body center details dialog div dl dt fieldset figcaption figure footer form header html legend main nav p pre section summary'.split(
    ' ',
  ),
);

/** A banner is beside the content but for the title of the page. */
type Place = 'page' | 'section' | 'banner' | 'aside';

const asideNames = new Set(['nav', 'dialog']);
const asideRoles = /^(?:navigation|(?:alert)?dialog|contentinfo|complementary)$/;
/** Of the page; those of an article or a section belong to its content (HTML accessibility mappings). */
const asideOfPage = new Set(['footer', 'aside']);
const asideClasses =
  /\b(?:breadcrumbs?|(?:cookies?|consent|gdpr)[-_]*(?:banner|bar|box|consent|dialog|message|modal|notice|overlay|popup))\b/i;

function placeOf({ name, attributes }: MarkupElement, around: Place): Place {
  const role = (attributes.role ?? '').trim().toLowerCase();
  if (around === 'aside' || asideNames.has(name) || asideRoles.test(role)) return 'aside';
  if (around !== 'section' && asideOfPage.has(name)) return 'aside';
  if (name !== 'body' && asideClasses.test(`${attributes.class ?? ''} ${attributes.id ?? ''}`))
    return 'aside';
  if (role === 'banner' || (name === 'header' && around === 'page')) return 'banner';
  return around === 'page' && (name === 'article' || name === 'section') ? 'section' : around;
}

const tinyPx = 3;

/** Read from the element's own style: what sheets elsewhere say is not fetched. */
function concealmentOf({ attributes }: MarkupElement, hiding: ReadonlySet<string>): Concealment | null {
  const style = (attributes.style ?? '').toLowerCase().replace(/\s+/g, '');
  if (
    'hidden' in attributes ||
    /(?:^|;)(?:display:none|visibility:hidden|opacity:0(?:\.0+)?(?:;|$))/.test(style)
  )
    return 'hidden';
  if ((attributes.class ?? '').split(/\s+/).some((name) => hiding.has(name))) return 'hidden';
  const size = /(?:^|;)font-size:([\d.]+)(px|pt|em|rem)?/.exec(style);
  if (size && Number(size[1]) < (size[2] === 'em' || size[2] === 'rem' ? tinyPx / 16 : tinyPx)) return 'tiny';
  const white = /(?:^|;)color:(?:#fff(?:fff)?|white|rgb\(255,255,255\)|transparent)(?:;|$)/.test(style);
  if (white && !/background/.test(style)) return 'white';
  return /(?:^|;)(?:left|top|text-indent|margin-left):-\d{3,}(?:\.\d+)?px/.test(style) ? 'off_page' : null;
}

/** Classes that the page's own style sheet hides. */
function hidingClasses(root: MarkupElement): Set<string> {
  const names = new Set<string>();
  for (const sheet of allNamed(root, 'style'))
    for (const [, selectors = '', rules = ''] of textBelow(sheet).matchAll(
      /([^{}]{1,500})\{([^{}]{0,2000})\}/g,
    ))
      if (/display\s*:\s*none|visibility\s*:\s*hidden/i.test(rules))
        for (const selector of selectors.split(','))
          if (/^\s*\.[\w-]+\s*$/.test(selector)) names.add(selector.trim().slice(1));
  return names;
}

class WebReader {
  readonly parts: FlowPart[] = [];
  readonly #hiding: ReadonlySet<string>;
  #line = '';
  #concealed: ConcealedText[] = [];
  #place: Place;

  constructor(hiding: ReadonlySet<string>, place: Place = 'page') {
    this.#hiding = hiding;
    this.#place = place;
  }

  /** Ends the paragraph that is open. */
  flush(as: (text: string) => FlowPart = paragraph): void {
    const text = this.#line
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .trim();
    const concealed = this.#concealed;
    [this.#line, this.#concealed] = ['', []];
    if (text === '' && concealed.length === 0) return;
    this.#push({ ...as(text), ...(concealed.length > 0 ? { concealed } : {}) });
  }

  #push(...parts: FlowPart[]): void {
    const place = this.#place;
    for (const part of parts) {
      const isTitle = place === 'banner' && part.kind === 'heading' && part.level === 1;
      this.parts.push(place === 'page' || place === 'section' || isTitle ? part : { ...part, isAside: true });
    }
  }

  walk(element: MarkupElement, depth = 0): void {
    for (const child of element.children) {
      if (typeof child === 'string') this.#line += child.replace(/\s+/g, ' ');
      else this.#element(child, depth);
    }
  }

  #element(element: MarkupElement, depth: number): void {
    const { name } = element;
    if (skipped.has(name)) return;
    const how = concealmentOf(element, this.#hiding);
    if (how) {
      const text = textBelow(element).replace(/\s+/g, ' ').trim();
      if (text !== '') this.#concealed.push({ text, how });
      return;
    }
    const around = this.#place;
    const place = placeOf(element, around);
    if (place !== around) {
      this.flush();
      this.#place = place;
      this.#element(element, depth);
      this.flush();
      this.#place = around;
    } else if (/^h[1-6]$/.test(name)) {
      this.flush();
      this.walk(element, depth);
      this.flush((text) => heading(text.replaceAll('\n', ' '), Number(name[1])));
    } else if (name === 'dd') {
      this.flush();
      this.walk(element, depth);
      this.flush((text) => ({ kind: 'item', text, level: Math.min(8, depth) }));
    } else if (name === 'br') this.#line += '\n';
    else if (name === 'hr') this.flush();
    else if (name === 'ul' || name === 'ol' || name === 'menu') this.#list(element, depth);
    else if (name === 'table') this.#table(element);
    else if (name === 'input') this.#line += inputText(element.attributes);
    else if (name === 'textarea' || name === 'pre') this.#preformatted(element);
    else if (blocks.has(name)) {
      this.flush();
      this.walk(element, depth);
      this.flush();
    } else this.walk(element, depth);
  }

  #preformatted(element: MarkupElement): void {
    this.flush();
    const text = textBelow(element).replace(/^\n|\s+$/g, '');
    if (text !== '') this.#push(element.name === 'pre' ? codeBlock(text) : paragraph(text));
  }

  #list(list: MarkupElement, depth: number): void {
    this.flush();
    let number = Number(list.attributes.start ?? 1) || 1;
    for (const child of list.children) {
      if (typeof child === 'string') continue;
      if (child.name !== 'li') {
        this.#element(child, depth + 1);
        continue;
      }
      const marker = list.name === 'ol' ? { marker: `${number++}.` } : {};
      const inside = new WebReader(this.#hiding, this.#place);
      inside.walk(child, depth + 1);
      inside.flush();
      // Paragraphs at its beginning are the item's own; what follows them stands as it is, deeper lists too.
      const own = inside.parts.findIndex((part) => part.kind !== 'paragraph');
      const [[first, ...more], rest] =
        own < 0 ? [inside.parts, []] : [inside.parts.slice(0, own), inside.parts.slice(own)];
      for (const part of more)
        if (part.kind === 'paragraph' && first?.kind === 'paragraph') append(first, part);
      if (first?.kind === 'paragraph')
        this.parts.push({ ...first, kind: 'item', level: Math.min(8, depth), ...marker }, ...rest);
      else this.parts.push(...inside.parts);
    }
  }

  #table(table: MarkupElement): void {
    this.flush();
    const caption = childNamed(table, 'caption');
    if (caption) {
      this.walk(caption);
      this.flush();
    }
    const concealed: ConcealedText[] = [];
    const cellParts: FlowPart[][] = [];
    const rows = rowsOf(table)
      .filter((row) => {
        const how = concealmentOf(row, this.#hiding);
        if (how) concealed.push({ text: textBelow(row).replace(/\s+/g, ' ').trim(), how });
        return !how;
      })
      .map((row) =>
        elementsOf(row)
          .filter(({ name }) => name === 'td' || name === 'th')
          .map((cell): FlowCell => {
            const inside = new WebReader(this.#hiding, this.#place);
            if (concealmentOf(cell, this.#hiding)) inside.#element(cell, 0);
            else inside.walk(cell);
            inside.flush();
            cellParts.push(inside.parts);
            for (const part of inside.parts) if (part.concealed) concealed.push(...part.concealed);
            const span = (name: 'colspan' | 'rowspan') =>
              Math.min(64, Math.max(1, Number(cell.attributes[name] ?? 1) || 1));
            return {
              text: inside.parts.map(webText).join('\n'),
              colSpan: span('colspan'),
              rowSpan: span('rowspan'),
            };
          }),
      )
      .filter((cells) => cells.length > 0);
    // A table of one cell is a frame around what stands in it.
    if (rows.length === 1 && cellParts.length === 1 && concealed.length === 0)
      this.parts.push(...cellParts[0]!);
    else if (rows.length > 0)
      this.#push({
        kind: 'table',
        rows,
        isHeaded: isHeadRow(rowsOf(table)[0]),
        ...(concealed.length > 0 ? { concealed } : {}),
      });
  }
}

const inputText = ({ type = 'text', value = '', checked }: Record<string, string>): string => {
  if (type === 'checkbox' || type === 'radio') return checked === undefined ? '☐ ' : '☑ ';
  return type === 'hidden' || type === 'password' || type === 'file' ? '' : ` ${value} `;
};

const webText = (part: FlowPart): string =>
  part.kind === 'table'
    ? part.rows.map((row) => row.map(({ text }) => text).join(' ')).join('\n')
    : part.kind === 'item'
      ? `${part.marker ?? '•'} ${part.text}`
      : part.text;

function append(first: FlowText, { text, concealed }: FlowText): void {
  first.text = `${first.text}\n${text}`.trim();
  if (concealed) first.concealed = [...(first.concealed ?? []), ...concealed];
}

const isHeadRow = (row: MarkupElement | undefined): boolean => {
  const cells = row ? elementsOf(row) : [];
  return cells.length > 1 && cells.every(({ name }) => name === 'th');
};

const rowsOf = (element: MarkupElement): MarkupElement[] =>
  elementsOf(element).flatMap((child) =>
    child.name === 'tr' ? [child] : /^t(?:head|body|foot)$/.test(child.name) ? rowsOf(child) : [],
  );

/** Text that is no heading and stands beside nothing. */
const hasContent = (parts: readonly FlowPart[]): boolean =>
  parts.some((part) => !part.isAside && part.kind !== 'heading' && !('text' in part && part.text === ''));

const asContent = ({ isAside: _, ...part }: FlowPart): FlowPart => part;

const maxActive = 50;

/** @throws document_unreadable for markup beyond the limits */
export function readWebPage(text: string): Flow {
  const root = parseMarkup(text, { xml: false });
  const reader = new WebReader(hidingClasses(root));
  reader.walk(root);
  reader.flush();
  const flow = emptyFlow();
  flow.sections.push({
    kind: 'text',
    parts: hasContent(reader.parts) ? reader.parts : reader.parts.map(asContent),
  });
  const scripts = [...allNamed(root, 'script')].length;
  if (scripts > 0) flow.active.push({ kind: 'script', detail: `${scripts} script element(s)` });
  for (const name of ['img', 'iframe', 'object', 'embed', 'link', 'form'])
    for (const { attributes } of allNamed(root, name)) {
      const target =
        attributes.src ??
        attributes.data ??
        attributes.action ??
        (name === 'link' ? attributes.href : undefined);
      if (target && /^(?:https?:)?\/\//i.test(target) && flow.active.length < maxActive)
        flow.active.push({ kind: 'external_reference', detail: `${name}: ${target.slice(0, 200)}` });
    }
  return flow;
}
