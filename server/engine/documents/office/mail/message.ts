/** A mail as a flow: what its head says, its body, and the files attached to it. */

import type { AttachedFile, Flow, FlowPart } from '../flow.ts';
import { emptyFlow, heading, paragraph } from '../flow.ts';
import { readPlainText } from '../text/plain-text.ts';
import { readWebPage } from '../web-page.ts';

export interface MailMessage {
  subject: string;
  /** Lines such as `From: Ana <ana@x>`, in the order to be shown. */
  head: [name: string, value: string][];
  html: string | null;
  text: string | null;
  attachments: AttachedFile[];
  warnings: string[];
}

export function toMailFlow({ subject, head, html, text, attachments, warnings }: MailMessage): Flow {
  const body = html !== null ? readWebPage(html) : text !== null ? readPlainText(text) : emptyFlow();
  const lines = head
    .filter(([, value]) => value.trim() !== '')
    .map(([name, value]) => `${name}: ${value.trim()}`);
  const parts: FlowPart[] = [
    ...(subject.trim() === '' ? [] : [heading(subject.trim(), 1)]),
    ...(lines.length === 0 ? [] : [paragraph(lines.join('\n'))]),
    ...body.sections.flatMap((section) => section.parts),
  ];
  return {
    sections: [{ kind: 'text', parts }],
    attachments,
    active: body.active,
    warnings: [...warnings, ...body.warnings],
  };
}
