/** The audit log as JSON lines: a line an act, and last the head, signed with the key of this installation. */
import type { AuditHead, AuditLine } from '../../db/journal/audit.ts';
import {
  type DocumentSignature,
  isSigned,
  SignatureError,
  signDocument,
  verifyDocument,
} from '../../signing/document.ts';
import type { SigningKey } from '../../signing/keys.ts';
import { findBreak } from './chain.ts';

interface ExportHead extends AuditHead {
  kind: 'lokal-audit-head';
}

export function writeExport(lines: AuditLine[], key: SigningKey): string {
  const { sequence, hash } = lines.at(-1) ?? { sequence: 0, hash: '' };
  const head: ExportHead = { kind: 'lokal-audit-head', sequence, hash };
  return [...lines, signDocument(head, key)].map((line) => `${JSON.stringify(line)}\n`).join('');
}

export interface ReadExport {
  lines: AuditLine[];
  /** Of whoever exported it. */
  signature: DocumentSignature;
}

/** @throws SignatureError naming the first line that is wrong */
export function readExport(text: string): ReadExport {
  const values = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => parseLine(line, index + 1));
  const head = values.pop() as ExportHead | undefined;
  if (!isSigned(head) || head?.kind !== 'lokal-audit-head')
    throw new SignatureError('the export is cut off: its last line is not a signed head');
  const signature = verifyDocument(head);
  const lines = values as AuditLine[];
  const problem = findBreak(lines, head.sequence === 0 ? null : head);
  if (problem) throw new SignatureError(problem);
  return { lines, signature };
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new SignatureError(`line ${number} of the export is not JSON`);
  }
}

/** The line at which an export and the log of this installation part; null where the log begins with all of the export. */
export function findDifference(exported: AuditLine[], log: AuditLine[]): string | null {
  const index = exported.findIndex((line, at) => line.hash !== log[at]?.hash);
  if (index < 0) return null;
  const known = log[index] ? 'differs in' : 'no longer has';
  return `the log of this installation ${known} line ${exported[index]?.sequence} of the export`;
}
