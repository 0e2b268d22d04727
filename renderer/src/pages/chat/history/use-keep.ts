/** Keeps a conversation in the history after each of its answers, where the person has switched that on. */
import { useEffect, useRef } from 'react';
import { useChange, useRead } from '../../../api/queries.ts';
import { notifyProblem } from '../../../components/feedback/notify.ts';
import type { Parameters } from '../model/parameters.ts';
import { conversationTitle, toContent } from '../model/record.ts';
import type { Chat } from '../use-chat.ts';

export function useKeep({ id, tree, running }: Chat, parameters: Parameters, pack: string | null): void {
  const days = useRead('GET /console/settings').data?.chat_history_days ?? 0;
  const { mutate } = useChange('PUT /console/chats/{id}', ['GET /console/chats']);
  const kept = useRef({ id, tree });
  useEffect(() => {
    // Another conversation: a new one has nothing to keep yet, one that was opened is kept already.
    if (kept.current.id !== id) kept.current = { id, tree };
    const title = conversationTitle(tree);
    if (days === 0 || running || kept.current.tree === tree || !title) return;
    kept.current = { id, tree };
    const body = { title, content: toContent({ tree, parameters, pack }) };
    mutate({ params: { id }, body }, { onError: notifyProblem });
  }, [days, running, id, tree, parameters, pack, mutate]);
}
