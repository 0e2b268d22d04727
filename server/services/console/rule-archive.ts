/**
 * The Sigma rules in a zip. What an entry declares is checked before it is inflated, what comes out is counted, and the
 * first byte too many ends the reading: neither a bomb nor a header that lies costs more than the limits.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { Unzip, type UnzipFile, UnzipInflate } from 'fflate';
import { maxRuleFiles, type RuleImport } from '../../api/console/rules.ts';
import type { UserRules } from '../../engine/threat/types.ts';
import { ApiError } from '../../errors.ts';

export const isRuleName = (name: string): boolean => /\.ya?ml$/iu.test(name);

/** The matcher reads no longer file. */
const maxFileBytes = 512 * 1024;
const maxTotalBytes = 64 * 1024 * 1024;
/** Inflating grows a chunk at most about a thousandfold, so this bounds what one step can make. */
const stepBytes = 8 * 1024;
const stepsBetweenBreaths = 128;

export interface RuleArchive {
  files: UserRules['files'];
  errors: RuleImport['errors'];
}

/** @throws ApiError invalid_value, payload_too_large */
export async function readRuleArchive(bytes: Uint8Array): Promise<RuleArchive> {
  const reading: RuleArchive & { totalBytes: number } = { files: [], errors: [], totalBytes: 0 };
  const unzip = new Unzip((entry) => {
    if (isRuleName(entry.name)) readEntry(entry, reading);
  });
  unzip.register(UnzipInflate);
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) throw unreadable();
  for (let at = 0, step = 1; at < bytes.length; at += stepBytes, step += 1) {
    try {
      unzip.push(bytes.subarray(at, at + stepBytes), at + stepBytes >= bytes.length);
    } catch (error) {
      throw error instanceof ApiError ? error : unreadable();
    }
    if (step % stepsBetweenBreaths === 0) await breathe();
  }
  return { files: reading.files, errors: reading.errors };
}

function readEntry(entry: UnzipFile, reading: RuleArchive & { totalBytes: number }): void {
  const { files, errors } = reading;
  const file = entry.name;
  if (files.length >= maxRuleFiles) throw tooLarge(`more than ${maxRuleFiles} rule files`);
  if ((entry.originalSize ?? 0) > maxFileBytes) {
    errors.push({ file, message: 'the file is larger than 512 KiB' });
    return;
  }
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  entry.ondata = (error, chunk, final) => {
    if (error) throw error;
    sizeBytes += chunk.length;
    reading.totalBytes += chunk.length;
    if (sizeBytes > maxFileBytes) throw tooLarge(`a file of more than 512 KiB (${file})`);
    if (reading.totalBytes > maxTotalBytes) throw tooLarge('more than 64 MiB of rules');
    chunks.push(chunk);
    if (!final) return;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
      files.push({ name: file, text });
    } catch {
      errors.push({ file, message: 'the file is not UTF-8 text' });
    }
  };
  entry.start();
}

const unreadable = () =>
  new ApiError('invalid_value', 'The archive is no zip, or is damaged or encrypted.', { param: 'archive' });

const tooLarge = (what: string) =>
  new ApiError('payload_too_large', `The archive holds ${what}.`, { param: 'archive' });
