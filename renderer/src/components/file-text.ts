/** The text of a file, for pages that work on texts: its own, or for documents, mails and pictures what the parser reads. */
import { useMutation } from '@tanstack/react-query';
import { isReadAsDocument } from '../../../server/api/services/encoded-text.ts';
import { useClient } from '../api/api-context.tsx';
import type { Client } from '../api/client.ts';
import { notifyProblem } from './feedback/notify.ts';
import { kindOf, readFile } from './source-file.ts';

/** @throws Error for an empty or too large file; Problem of the documents service */
async function readFileText(file: File, client: Client): Promise<string> {
  if (kindOf(file.name) === 'text') {
    const text = await file.text();
    if (!isReadAsDocument(file.name, text)) return text;
  }
  const { base64 } = await readFile(file);
  const body = { model: 'svc-parse-pro', output_format: 'text' as const, file: base64 };
  const { data } = await client.call('POST /v1/documents/parse', { body });
  return data.text ?? '';
}

/** `read` hands the text over when it is there; what is wrong with a file is told in a notice. */
export function useFileText(onText: (text: string) => void): { read: (file: File) => void; busy: boolean } {
  const client = useClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (file: File) => readFileText(file, client),
    onSuccess: onText,
    onError: notifyProblem,
  });
  return { read: mutate, busy: isPending };
}
