/** One message: its words, what may be done with it, and what it took. */
import { ActionIcon, Button, Textarea, Tooltip } from '@mantine/core';
import { IconChartHistogram, IconPencil, IconRefresh } from '@tabler/icons-react';
import { type KeyboardEvent, memo, type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { CopyButton } from '../../../components/code/copy-button.tsx';
import { useLanguage } from '../../../strings/language.ts';
import { t } from '../../../strings/t.ts';
import { SentAttachments } from '../attachments/sent-attachments.tsx';
import { foreignNumbers } from '../model/foreign-numbers.ts';
import type { Message, TreeNode } from '../model/tree.ts';
import { BranchSwitch } from './branch-switch.tsx';
import { FiguresLine } from './figures-line.tsx';
import { Markdown } from './markdown.tsx';
import classes from './message-view.module.css';
import { TokenView } from './token-view.tsx';

interface MessageViewProps {
  node: TreeNode;
  siblings: string[];
  /** The messages before, whose numbers an answer may use; null: no file went with them. */
  before: readonly Message[] | null;
  /** It is the answer under way. */
  growing: boolean;
  /** Some answer is under way. */
  busy: boolean;
  editing: boolean;
  onEditing: (id: string | null) => void;
  onEdit: (node: TreeNode, content: string) => void;
  onRegenerate: (node: TreeNode) => void;
  onChoose: (id: string) => void;
}

export function MessageView(props: MessageViewProps) {
  const { node, growing, busy, editing, before } = props;
  const { message } = node;
  const [tokens, setTokens] = useState(false);
  return (
    <article className={classes.message} data-role={message.role}>
      <div className={classes.role}>{t(`chat.roles.${message.role}`)}</div>
      {message.attachments && <SentAttachments attachments={message.attachments} />}
      {editing ? <Editor {...props} /> : <Body message={message} tokens={tokens} />}
      {!growing && !editing && isNothing(message) && <p className={classes.foreign}>{t('chat.nothing')}</p>}
      {before && !growing && message.role === 'assistant' && <Foreign message={message} before={before} />}
      {message.figures && !growing && <FiguresLine figures={message.figures} />}
      {message.figures?.finishReason === 'repetition' && (
        <Link className={classes.advice} to="/packs/models">
          {t('advice.open')}
        </Link>
      )}
      {!editing && !growing && (
        <div className={classes.actions}>
          <BranchSwitch id={node.id} siblings={props.siblings} disabled={busy} onChoose={props.onChoose} />
          <CopyButton value={message.content} label={t('chat.copy')} small />
          <Action label={t('chat.edit')} disabled={busy} onClick={() => props.onEditing(node.id)}>
            <IconPencil size={14} aria-hidden />
          </Action>
          {message.role === 'assistant' && (
            <Action label={t('chat.regenerate')} disabled={busy} onClick={() => props.onRegenerate(node)}>
              <IconRefresh size={14} aria-hidden />
            </Action>
          )}
          {message.tokens && (
            <Action label={t('chat.tokens')} pressed={tokens} onClick={() => setTokens(!tokens)}>
              <IconChartHistogram size={14} aria-hidden />
            </Action>
          )}
        </div>
      )}
    </article>
  );
}

const Body = memo(function Body({ message, tokens }: { message: Message; tokens: boolean }) {
  useLanguage();
  const { role, content, toolCalls = [] } = message;
  return (
    <>
      {tokens && message.tokens ? (
        <TokenView tokens={message.tokens} />
      ) : role === 'assistant' ? (
        <Markdown text={content} />
      ) : (
        content && <div className={classes.plain}>{content}</div>
      )}
      {toolCalls.map((call) => (
        <div key={call.id} className={classes.call}>
          <div className={classes.call_name}>{t('chat.calls', { name: call.function.name })}</div>
          <CodeBlock code={indented(call.function.arguments)} label={call.function.name} maxHeight={320} />
        </div>
      ))}
    </>
  );
});

/** An answer without a word or a call, such as the model's end at once. */
const isNothing = ({ role, content, toolCalls = [] }: Message): boolean =>
  role === 'assistant' && content.trim() === '' && toolCalls.length === 0;

/** A small model makes numbers up; who reads a file with it must know which to look at. */
function Foreign({ message, before }: { message: Message; before: readonly Message[] }) {
  const asked = before.flatMap(({ content, attachments = [] }) => [
    content,
    ...attachments.map(({ text }) => text),
  ]);
  const numbers = foreignNumbers(message.content, asked);
  if (numbers.length === 0) return null;
  return (
    <p className={classes.foreign} role="note">
      {t('chat.foreign_numbers', { numbers: numbers.join(' · ') })}
    </p>
  );
}

/** Half-written arguments are shown as they are. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

interface ActionProps {
  label: string;
  disabled?: boolean;
  pressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Action({ label, disabled, pressed, onClick, children }: ActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={pressed ? 'light' : 'subtle'}
        color={pressed ? 'teal' : 'gray'}
        size="sm"
        aria-label={label}
        aria-pressed={pressed}
        disabled={disabled ?? false}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

/** Enter saves, Esc leaves it as it was. */
function Editor({ node, onEdit, onEditing }: MessageViewProps) {
  const [text, setText] = useState(node.message.content);
  const answered = node.message.role !== 'assistant';

  function save() {
    onEditing(null);
    if (text !== node.message.content) onEdit(node, text);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onEditing(null);
    else if (event.key === 'Enter' && !event.shiftKey) save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className={classes.editor}>
      <Textarea
        aria-label={t('chat.edited_text')}
        autosize
        minRows={2}
        maxRows={16}
        data-autofocus
        ref={(element) => element?.focus()}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.editor_actions}>
        <Button onClick={save}>{answered ? t('chat.save_and_ask') : t('chat.save')}</Button>
        <Button variant="default" onClick={() => onEditing(null)}>
          {t('dialog.cancel')}
        </Button>
      </div>
    </div>
  );
}
