/** A file that goes with a message: as the text that was read from it, or as a picture where the pack sees. Pure. */

import type { FileKind } from '../../../components/source-file.ts';

export interface Attachment {
  id: string;
  name: string;
  kind: FileKind;
  text: string;
  pages: number | null;
  /** The document has more pages than were read. */
  cut: boolean;
  /** Of what is sent for it; null where no pack could count them. */
  tokens: number | null;
}

export const mostAttachments = 8;
export const maxTextBytes = 1024 * 1024;

/** The part of the prompt that stands for it. Its own text cannot end it early. */
export function toPromptText({
  name,
  kind,
  text,
  pages,
}: Pick<Attachment, 'name' | 'kind' | 'text' | 'pages'>): string {
  const tag = kind === 'picture' ? 'picture' : 'document';
  const facts = `name=${JSON.stringify(name)}${pages === null ? '' : ` pages="${pages}"`}`;
  return `<${tag} ${facts}>\n${text.replaceAll(/<(?=\/?(document|picture)\b)/gi, '‹')}\n</${tag}>`;
}

/** Attachments first, then the words of the person: small models keep the last of what they read best. */
export const withAttachments = (content: string, attachments: readonly Attachment[] = []): string =>
  [...attachments.map(toPromptText), content].filter(Boolean).join('\n\n');

/**
 * Text of a file in UTF-8, or in UTF-16 with its mark.
 * @throws TypeError for bytes that are no text
 */
export function decodeText(bytes: Uint8Array): string {
  const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  const text = new TextDecoder(mark, { fatal: true }).decode(bytes);
  if (text.includes('\0')) throw new TypeError('no text');
  return text;
}

export interface Described {
  caption: string;
  objects: readonly { label: string }[];
}

/** A picture in words: the caption, the objects that were found with their number, and the text on it. */
export function describePicture({ caption, objects }: Described, text: string): string {
  const counts = new Map<string, number>();
  for (const { label } of objects) counts.set(label, (counts.get(label) ?? 0) + 1);
  const seen = [...counts].map(([label, number]) => (number > 1 ? `${label} (${number})` : label));
  return [
    caption && `Picture: ${caption}`,
    seen.length > 0 && `Objects: ${seen.join(', ')}`,
    text.trim() && `Text on it:\n${text.trim()}`,
  ]
    .filter(Boolean)
    .join('\n');
}
