/** MSG ([MS-OXMSG]): properties of a mail in a compound file; a mail attached inside it is read like itself. */

import { leftOut } from '../../../../api/services/encoded-text.ts';
import { maxMailDepth, maxMailParts } from '../../limits.ts';
import type { Flow, FlowPart } from '../flow.ts';
import { heading } from '../flow.ts';
import { bytesToText } from '../text/bytes-to-text.ts';
import { type RichText, readRichText } from '../text/rich-text.ts';
import type { CompoundFile } from './compound-file.ts';
import { inflateRtf } from './compressed-rtf.ts';
import { toMailFlow } from './message.ts';

/** Property tags ([MS-OXPROPS]). */
const property = {
  subject: '0037',
  body: '1000',
  html: '1013',
  rtf: '1009',
  sender: '0C1A',
  senderAddress: '0C1F',
  senderSmtp: '5D01',
  to: '0E04',
  cc: '0E03',
  heads: '007D',
  longName: '3707',
  name: '3704',
  data: '3701',
} as const;

class PropertyFolder {
  readonly #file: CompoundFile;
  readonly #folder: string;

  constructor(file: CompoundFile, folder: string) {
    this.#file = file;
    this.#folder = folder;
  }

  path = (name: string): string => (this.#folder === '' ? name : `${this.#folder}/${name}`);

  text(tag: string): string | null {
    const wide = this.#file.read(this.path(`__substg1.0_${tag}001F`));
    if (wide) return bytesToText(wide, 'utf-16le').replace(/\0+$/, '');
    const narrow = this.#file.read(this.path(`__substg1.0_${tag}001E`));
    return narrow && bytesToText(narrow).replace(/\0+$/, '');
  }

  bytes = (tag: string): Uint8Array | null => this.#file.read(this.path(`__substg1.0_${tag}0102`));
}

const dateOf = (heads: string): string => /^Date:\s*(.*)$/im.exec(heads)?.[1]?.trim() ?? '';

/** HTML and text of a mail; of one that has neither what its RTF says. */
function bodyOf(own: PropertyFolder): RichText {
  const html = own.bytes(property.html);
  const head = html && Buffer.from(html.subarray(0, 2048)).toString('latin1');
  const charset = head && /<meta[^>]+charset=["']?([\w-]+)/i.exec(head)?.[1];
  const body: RichText = {
    html: html ? bytesToText(html, charset ?? null) : own.text(property.html),
    text: own.text(property.body),
  };
  const packed = body.html || body.text?.trim() ? null : own.bytes(property.rtf);
  const rtf = packed && inflateRtf(packed);
  return rtf ? readRichText(rtf) : body;
}

/** @throws document_unreadable for a damaged file */
export function readMsg(file: CompoundFile, folder = '', depth = 0): Flow {
  const own = new PropertyFolder(file, folder);
  const name = own.text(property.sender) ?? '';
  const address = own.text(property.senderSmtp) ?? own.text(property.senderAddress) ?? '';
  const prefix = folder === '' ? '' : `${folder}/`;
  const storages = file.entries.filter(
    ({ kind, path }) =>
      kind === 'storage' &&
      path.startsWith(prefix) &&
      /^__attach_version1\.0_#[\dA-F]+$/i.test(path.slice(prefix.length)),
  );
  const flow = toMailFlow({
    subject: own.text(property.subject) ?? '',
    head: [
      ['From', address !== '' && address !== name ? `${name} <${address}>` : name],
      ['To', own.text(property.to) ?? ''],
      ['Cc', own.text(property.cc) ?? ''],
      ['Date', dateOf(own.text(property.heads) ?? '')],
    ],
    ...bodyOf(own),
    attachments: [],
    warnings: [],
  });
  for (const { path } of storages.slice(0, maxMailParts)) {
    const attached = new PropertyFolder(file, path);
    const title = attached.text(property.longName) ?? attached.text(property.name) ?? 'attachment';
    const bytes = attached.bytes(property.data);
    const message = `${path}/__substg1.0_${property.data}000D`;
    if (bytes) flow.attachments.push({ name: title, bytes });
    else if (file.entries.some((entry) => entry.kind === 'storage' && entry.path === message)) {
      if (depth >= maxMailDepth) {
        flow.warnings.push(`${leftOut.mail} it is nested deeper than is read.`);
        continue;
      }
      const inner = readMsg(file, message, depth + 1);
      const parts: FlowPart[] = [heading(title, 2), ...inner.sections.flatMap((section) => section.parts)];
      flow.sections.push({ kind: 'text', parts });
      flow.attachments.push(...inner.attachments);
      flow.active.push(...inner.active);
      flow.warnings.push(...inner.warnings);
    }
  }
  return flow;
}
