/** EML (RFC 5322, MIME): the richest body that can be read, and the attached files. Depth and parts are bounded. */

import { leftOut } from '../../../../api/services/encoded-text.ts';
import { maxMailDepth, maxMailParts } from '../../limits.ts';
import type { AttachedFile, Flow } from '../flow.ts';
import { bytesToText } from '../text/bytes-to-text.ts';
import { type MailMessage, toMailFlow } from './message.ts';
import { decodeBody, decodeWords, parseMimeValue } from './mime-text.ts';

interface Entity {
  headers: Map<string, string>;
  body: string;
}

const maxHeadBytes = 1 << 18;
const signatureTypes = /^application\/(?:x-)?(?:pkcs7|pgp)-signature$/;

/** @param source bytes as characters */
function toEntity(source: string): Entity {
  const gap = /\r?\n\r?\n/.exec(source.slice(0, maxHeadBytes));
  const head = source.slice(0, gap ? gap.index : Math.min(source.length, maxHeadBytes));
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).trim().toLowerCase();
    if (at > 0 && !headers.has(name)) headers.set(name, line.slice(at + 1).trim());
  }
  return { headers, body: gap ? source.slice(gap.index + gap[0].length) : '' };
}

/** Pieces between the lines of a boundary. */
function piecesOf(body: string, boundary: string): string[] {
  const pieces: string[] = [];
  const mark = `--${boundary}`;
  let start = -1;
  for (
    let at = body.indexOf(mark);
    at >= 0 && pieces.length < maxMailParts;
    at = body.indexOf(mark, at + mark.length)
  ) {
    if (at > 0 && body[at - 1] !== '\n') continue;
    if (start >= 0) pieces.push(body.slice(start, at).replace(/\r?\n$/, ''));
    const end = body.indexOf('\n', at);
    start = end < 0 ? body.length : end + 1;
    if (body.startsWith('--', at + mark.length)) return pieces;
  }
  if (start >= 0 && start < body.length) pieces.push(body.slice(start));
  return pieces;
}

class MailReader {
  html: string | null = null;
  text: string | null = null;
  readonly attachments: AttachedFile[] = [];
  readonly warnings: string[] = [];
  #parts = 0;

  read({ headers, body }: Entity, depth = 0): void {
    if (++this.#parts > maxMailParts || depth > maxMailDepth) {
      this.#warn('it is nested deeper, or has more parts, than is read.');
      return;
    }
    const type = parseMimeValue(headers.get('content-type') ?? 'text/plain');
    if (type.value.startsWith('multipart/')) {
      const boundary = type.parameters.boundary ?? '';
      const pieces = boundary === '' ? [] : piecesOf(body, boundary);
      if (pieces.length === 0 && body.trim() !== '') this.#warn('nothing tells where its pieces begin.');
      for (const piece of pieces) this.read(toEntity(piece), depth + 1);
      return;
    }
    // Proves who sent the mail, and is nothing to be read.
    if (signatureTypes.test(type.value)) return;
    const disposition = parseMimeValue(headers.get('content-disposition') ?? '');
    const named = disposition.parameters.filename ?? type.parameters.name;
    const encoding = /[\w-]+/.exec(headers.get('content-transfer-encoding') ?? '')?.[0].toLowerCase() ?? '';
    const isBody = type.value === 'text/plain' || type.value === 'text/html';
    if (isBody && disposition.value !== 'attachment' && named === undefined) {
      const text = bytesToText(decodeBody(body, encoding), type.parameters.charset ?? null);
      if (type.value === 'text/html') this.html = this.html === null ? text : `${this.html}\n${text}`;
      else this.text = this.text === null ? text : `${this.text}\n\n${text}`;
      return;
    }
    const bytes =
      type.value === 'message/rfc822'
        ? decodeBody(body, encoding === 'base64' ? encoding : '')
        : decodeBody(body, encoding);
    // A picture inside the body is decoration unless it is named as attached.
    const inline = type.value.startsWith('image/') && disposition.value !== 'attachment';
    if (!inline && bytes.length > 0) this.attachments.push({ name: decodeWords(named ?? type.value), bytes });
  }

  #warn(text: string): void {
    const warning = `${leftOut.mail} ${text}`;
    if (!this.warnings.includes(warning)) this.warnings.push(warning);
  }
}

/** Names of a head that a mail has and another text has not. */
const tellingHeaders =
  /^(?:from|received|return-path|mime-version|message-id|delivered-to|x-mailer|dkim-signature)$/i;

/** True for text that begins with the head of a mail. */
export function isMail(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1 << 14)).toString(
    'latin1',
  );
  let [telling, all] = [0, 0];
  for (const line of head.replace(/^From [^\n]*\n/, '').split(/\r?\n/)) {
    if (line === '') break;
    if (/^[ \t]/.test(line) && all > 0) continue;
    const name = /^([!-9;-~]+):/.exec(line)?.[1];
    if (name === undefined) return false;
    all++;
    if (tellingHeaders.test(name)) telling++;
  }
  return telling >= 1 && all >= 2;
}

/** @throws document_unreadable for a body of markup beyond the limits */
export function readEml(bytes: Uint8Array): Flow {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const entity = toEntity(source.replace(/^From [^\n]*\n/, ''));
  const reader = new MailReader();
  reader.read(entity);
  const { headers } = entity;
  const value = (name: string): string => decodeWords(headers.get(name) ?? '');
  const message: MailMessage = {
    subject: value('subject'),
    head: [
      ['From', value('from')],
      ['To', value('to')],
      ['Cc', value('cc')],
      ['Date', value('date')],
    ],
    html: reader.html,
    text: reader.text,
    attachments: reader.attachments,
    warnings: reader.warnings,
  };
  return toMailFlow(message);
}
