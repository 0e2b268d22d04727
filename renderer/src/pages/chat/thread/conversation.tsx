/** The messages that are shown, the answer as it grows, and what went wrong. */
import { Loader } from '@mantine/core';
import { IconMessage } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Empty } from '../../../components/feedback/empty.tsx';
import { milliseconds } from '../../../format/numbers.ts';
import { t } from '../../../strings/t.ts';
import { siblingsOf } from '../model/tree.ts';
import type { Chat } from '../use-chat.ts';
import classes from './conversation.module.css';
import { MessageView } from './message-view.tsx';
import { Suggestions } from './suggestions.tsx';
import { ToolResults } from './tool-results.tsx';

interface ConversationProps {
  chat: Chat;
  label: string;
  /** Names of the tools that the person has typed. */
  typed: readonly string[];
  /** The message being edited. */
  editing: string | null;
  onEditing: (id: string | null) => void;
  /** Of the pack that will answer. */
  packBytes: number;
  /** A suggested question; it is sent by the person. */
  onPick: (text: string) => void;
  /** In place of the first message, where there is none. */
  empty?: ReactNode;
  /** Below the last message. */
  children?: ReactNode;
}

export function Conversation({
  chat,
  label,
  typed,
  editing,
  onEditing,
  packBytes,
  onPick,
  empty,
  children,
}: ConversationProps) {
  const { list, onScroll } = useFollow(chat.path, chat.running);
  const last = chat.path.at(-1);
  const hasFiles = chat.path.some(({ message }) => message.attachments);
  const waiting = chat.running && last?.message.role !== 'assistant';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to take the keyboard's focus
    <div className={classes.list} ref={list} onScroll={onScroll} tabIndex={0} role="log" aria-label={label}>
      {!last && (empty ?? <Start packBytes={packBytes} onPick={onPick} />)}
      {chat.path.map((node, at) => (
        <MessageView
          key={node.id}
          node={node}
          before={hasFiles ? chat.path.slice(0, at).map(({ message }) => message) : null}
          siblings={siblingsOf(chat.tree, node)}
          growing={chat.running && node === last}
          busy={chat.running}
          editing={editing === node.id}
          onEditing={onEditing}
          onEdit={chat.edit}
          onRegenerate={chat.regenerate}
          onChoose={chat.choose}
        />
      ))}
      {waiting && <Waiting sinceMs={chat.startedMs} />}
      {!chat.running && last?.message.toolCalls && (
        <ToolResults
          key={last.id}
          calls={last.message.toolCalls}
          typed={typed}
          rounds={chat.path.length - chat.path.findLastIndex(({ message }) => message.role === 'user')}
          onSend={chat.sendResults}
        />
      )}
      {children}
    </div>
  );
}

const Start = (props: Pick<ConversationProps, 'packBytes' | 'onPick'>) => (
  <div className={classes.start}>
    <Empty
      icon={<IconMessage size={28} stroke={1.4} aria-hidden />}
      title={t('chat.empty')}
      text={t('chat.empty_note')}
    />
    <Suggestions {...props} />
  </div>
);

/** Nothing has come yet: the model is loading or reading. */
function Waiting({ sinceMs }: { sinceMs: number }) {
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={classes.waiting}>
      <Loader size={14} aria-hidden />
      <span className="lk-num">
        {t('chat.waiting', { time: milliseconds(Math.max(0, nowMs - sinceMs)) })}
      </span>
    </div>
  );
}

const nearEndPixels = 60;

/** Keeps the end in sight while the answer grows, unless the reader has scrolled away from it. */
function useFollow(path: unknown, running: boolean) {
  const list = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the path may make it longer
  useEffect(() => {
    if (follows.current) list.current?.scrollTo(0, list.current.scrollHeight);
  }, [path, running]);
  return {
    list,
    onScroll() {
      const element = list.current;
      if (!element) return;
      follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPixels;
    },
  };
}
