/** One streamed conversation: its tree, the answer under way, stop, edit, regenerate, tool results. */
import { useRef, useState } from 'react';
import type { Tool } from '../../../../server/api/services/chat.ts';
import { useClient } from '../../api/api-context.tsx';
import { isAbort, Problem } from '../../api/problem.ts';
import { readEvents } from '../../api/sse.ts';
import { usePageWork } from '../../work/work-context.ts';
import { ChatAnswer, type StreamEvent } from './model/answer.ts';
import type { Attachment } from './model/attachment.ts';
import type { Parameters } from './model/parameters.ts';
import { toChatRequest } from './model/request.ts';
import {
  addMessage,
  choose,
  emptyTree,
  leafId,
  pathTo,
  setMessage,
  shownPath,
  type Tree,
  type TreeNode,
  toWireMessage,
} from './model/tree.ts';

export interface Chat {
  /** Names the conversation in the history. */
  id: string;
  tree: Tree;
  path: TreeNode[];
  running: boolean;
  /** When the running request was sent (performance.now()). */
  startedMs: number;
  error: unknown;
  send(content: string, attachments?: Attachment[]): void;
  /** Puts a changed message beside the old one; a user's is answered anew. */
  edit(node: TreeNode, content: string): void;
  /** One more answer to the message before this one. */
  regenerate(node: TreeNode): void;
  /** Asks again from what is shown. */
  retry(): void;
  /** Results of the calls in the last answer, by call id; then the model goes on. */
  sendResults(results: { callId: string; content: string }[]): void;
  choose(id: string): void;
  stop(): void;
  clear(): void;
  load(id: string, tree: Tree): void;
}

type Stopped = 'stopped' | 'repetition' | null;

const stoppedBy = ({ aborted, reason }: AbortSignal): Stopped =>
  aborted ? (reason === 'repetition' ? 'repetition' : 'stopped') : null;

export interface ChatOptions {
  /** `id@version` to ask in place of the bound one. */
  pack: string | null;
  /** Tools of running servers. */
  offered: readonly Tool[];
  restored?: Tree | undefined;
}

export function useChat(parameters: Parameters, { pack, offered, restored = emptyTree }: ChatOptions): Chat {
  const client = useClient();
  const page = usePageWork();
  const [id, setId] = useState<string>(() => crypto.randomUUID());
  const [tree, setTree] = useState<Tree>(restored);
  const [startedMs, setStartedMs] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  /** The shown conversation is also needed between two renders. */
  const latest = useRef(tree);
  const abort = useRef<AbortController | null>(null);

  function show(next: Tree): void {
    latest.current = next;
    setTree(next);
  }

  function add(parentId: string, message: TreeNode['message']): string {
    const added = addMessage(latest.current, parentId, message);
    show(added.tree);
    return added.id;
  }

  /** Shows the choices below `parentId`, adding those that are new; the first is the one to look at. */
  function createPlace(parentId: string): (answer: ChatAnswer, stopped: Stopped) => void {
    const ids: string[] = [];
    return (answer, stopped) => {
      for (const [index, message] of answer.toMessages(stopped).entries()) {
        const known = ids[index];
        if (known !== undefined) show(setMessage(latest.current, known, message));
        else {
          ids[index] = add(parentId, message);
          if (ids[0] !== undefined) show(choose(latest.current, ids[0]));
        }
      }
    };
  }

  async function read(response: Response, answer: ChatAnswer, onChange: () => void): Promise<void> {
    for await (const data of readEvents(response.body as ReadableStream<Uint8Array>)) {
      if (data === '[DONE]') return;
      const event = JSON.parse(data) as StreamEvent;
      if ('error' in event)
        throw new Problem(event.error.message, { status: response.status, ...event.error });
      answer.add(event, performance.now());
      onChange();
    }
  }

  async function run(parentId: string): Promise<void> {
    abort.current?.abort();
    const mine = new AbortController();
    abort.current = mine;
    setError(null);
    const sentMs = performance.now();
    setStartedMs(sentMs);
    const place = createPlace(parentId);
    const job = page.start({ cancel: () => mine.abort() });
    let failure: unknown = null;
    let answer: ChatAnswer | null = null;
    let frame = 0;
    try {
      const messages = pathTo(latest.current, parentId).map(({ message }) => toWireMessage(message));
      const response = await client.open('POST /v1/chat/completions', {
        body: {
          ...toChatRequest(parameters, messages, offered),
          stream: true,
          stream_options: { include_usage: true },
        },
        signal: mine.signal,
        ...(pack ? { headers: { 'x-model-pack': pack } } : {}),
      });
      const growing = new ChatAnswer(sentMs, response.headers.get('x-model-pack'));
      answer = growing;
      // Tokens may come faster than the screen shows them.
      await read(response, growing, () => {
        // A hidden window draws no frames, and a loop would run on in it.
        if (parameters.stopLoops && growing.isLooping()) mine.abort('repetition');
        if (!frame)
          frame = requestAnimationFrame(() => {
            frame = 0;
            place(growing, null);
          });
      });
    } catch (problem) {
      if (!isAbort(problem) && !mine.signal.aborted) failure = problem;
      if (failure && abort.current === mine) setError(problem);
    } finally {
      cancelAnimationFrame(frame);
      job.end(failure ? 'failed' : mine.signal.aborted ? 'cancelled' : 'done', failure);
      if (abort.current === mine) {
        if (answer) place(answer, stoppedBy(mine.signal));
        abort.current = null;
        setStartedMs(null);
      }
    }
  }

  function leave(): void {
    abort.current?.abort();
    abort.current = null;
    setStartedMs(null);
    setError(null);
  }

  const path = shownPath(tree);
  return {
    id,
    tree,
    path,
    running: startedMs !== null,
    startedMs: startedMs ?? 0,
    error,
    send(content, attachments = []) {
      const files = attachments.length > 0 ? { attachments } : {};
      void run(add(leafId(latest.current), { role: 'user', content, ...files }));
    },
    edit(node, content) {
      const { role, attachments, toolCalls, toolCallId } = node.message;
      const kept = {
        ...(attachments ? { attachments } : {}),
        ...(toolCalls ? { toolCalls } : {}),
        ...(toolCallId ? { toolCallId } : {}),
      };
      const edited = add(node.parentId, { role, content, ...kept });
      if (role !== 'assistant') void run(edited);
    },
    regenerate: (node) => void run(node.parentId),
    retry() {
      const last = path.at(-1);
      if (last) void run(last.message.role === 'assistant' ? last.parentId : last.id);
    },
    sendResults(results) {
      let parentId = leafId(latest.current);
      for (const { callId, content } of results)
        parentId = add(parentId, { role: 'tool', content, toolCallId: callId });
      void run(parentId);
    },
    choose: (chosen) => show(choose(latest.current, chosen)),
    stop: () => abort.current?.abort(),
    clear() {
      leave();
      show(emptyTree);
      setId(crypto.randomUUID());
    },
    load(kept, next) {
      leave();
      show(next);
      setId(kept);
    },
  };
}
