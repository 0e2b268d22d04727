/** Chat: a conversation, or the same question to two packs side by side, and what is sent with it. */
import { Button, Switch } from '@mantine/core';
import { IconHistory, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { Page } from '../../components/frame/page.tsx';
import { focusMainField } from '../../components/shell/focus-field.ts';
import { firstLine } from '../../format/first-line.ts';
import { t } from '../../strings/t.ts';
import { useKeepWork } from '../../work/keep.ts';
import { useDelivery, usePageWork, useTitle, work } from '../../work/work-context.ts';
import { blockedBy, isReading, useAttachments } from './attachments/use-attachments.ts';
import { useFilesDrop } from './attachments/use-files-drop.ts';
import classes from './chat-page.module.css';
import { HistoryDrawer } from './history/history-drawer.tsx';
import { useKeep } from './history/use-keep.ts';
import { defaultParameters } from './model/parameters.ts';
import { conversationTitle, type KeptChat } from './model/record.ts';
import { findProblems, toChatRequest, typedToolNames } from './model/request.ts';
import { emptyTree, toWireMessage } from './model/tree.ts';
import { SidePanel } from './side/side-panel.tsx';
import { Composer } from './thread/composer.tsx';
import { ExportMenu } from './thread/export-menu.tsx';
import { Pane } from './thread/pane.tsx';
import { useMcpTools } from './tools/use-mcp-tools.ts';
import { useChat } from './use-chat.ts';
import { useChatPacks } from './use-chat-packs.ts';

export function ChatPage() {
  const state = useRead('GET /console/state').data;
  const restored = usePageWork().restored as KeptChat | null;
  const [parameters, setParameters] = useState(restored?.parameters ?? defaultParameters);
  const { starter } = useChatPacks();
  const [packs, setPacks] = useState<[string | null, string | null]>([restored?.pack ?? null, null]);
  const [compare, setCompare] = useState(false);
  const [history, setHistory] = useState(false);
  const [editing, setEditing] = useState<string | null>(null);
  const typed = typedToolNames(parameters);
  const offered = useMcpTools(typed).tools.map(({ definition }) => definition);
  const left = useChat(parameters, { pack: packs[0], offered, restored: restored?.tree });
  const right = useChat(parameters, { pack: packs[1], offered });
  const [draft, setDraft] = useState('');
  const attachments = useAttachments(packs[0]);
  const drop = useFilesDrop(attachments.add);
  useTitle(conversationTitle(left.tree) || firstLine(draft) || (attachments.pending[0]?.name ?? null));
  useDelivery((delivery) => {
    if ('text' in delivery) setDraft(delivery.text);
    else attachments.add(delivery.files);
  });
  const { tree, running: answering } = left;
  const [pack] = packs;
  useKeepWork(
    useMemo(
      (): KeptChat | null => (answering || !conversationTitle(tree) ? null : { tree, parameters, pack }),
      [answering, tree, parameters, pack],
    ),
  );
  useKeep(left, parameters, packs[0]);
  useKeep(right, parameters, packs[1]);
  const chats = compare ? [left, right] : [left];
  const running = chats.some((chat) => chat.running);
  const problems = findProblems(parameters);
  const request = toChatRequest(
    parameters,
    left.path.map(({ message }) => toWireMessage(message)),
    offered,
  );
  function send(text: string) {
    const files = attachments.take();
    chats.forEach((chat) => void chat.send(text, files));
  }
  const stop = () => chats.forEach((chat) => void chat.stop());

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !running) return;
    event.preventDefault();
    stop();
  }

  function editLast() {
    const last = left.path.findLast(({ message }) => message.role === 'user');
    if (last && !running) setEditing(last.id);
  }

  const { fitting, bound } = useChatPacks();
  const served = packs.map((each) => each ?? bound);
  /** The first to put beside the one at the left: two of one pack are no comparison. */
  const other = fitting.find(({ ref }) => ref !== served[0])?.ref ?? null;

  function compareWith(next: boolean) {
    setCompare(next);
    if (next && served[0] === served[1]) setPacks([packs[0], other]);
    if (!next) right.clear();
  }

  return (
    <Page
      title={t('chat.title')}
      lead={starter ? `${t('chat.lead')} ${t('chat.lead_starter')}` : t('chat.lead')}
      actions={
        <>
          <Switch
            label={t('chat.compare')}
            checked={compare}
            disabled={!compare && other === null}
            title={other === null ? t('chat.compare_none') : undefined}
            onChange={(event) => compareWith(event.currentTarget.checked)}
          />
          <ExportMenu request={request} path={left.path} />
          <Button
            variant="default"
            leftSection={<IconHistory size={14} aria-hidden />}
            onClick={() => setHistory(true)}
          >
            {t('chat.history')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={chats.every((chat) => chat.path.length === 0)}
            onClick={() =>
              work.begin('chat', { restored: { tree: emptyTree, parameters, pack } satisfies KeptChat })
            }
          >
            {t('chat.clear')}
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Esc stops from wherever the focus is on the page */}
      <div className={classes.columns} data-fit onKeyDown={onKeyDown}>
        <section
          className={classes.chat}
          aria-label={t('chat.conversation')}
          data-over={drop.over || undefined}
          {...drop.handlers}
        >
          <div className={classes.panes} data-two={compare || undefined}>
            {chats.map((chat, index) => (
              <Pane
                key={index === 0 ? 'left' : 'right'}
                chat={chat}
                side={compare ? (index === 0 ? 'left' : 'right') : null}
                pack={packs[index] ?? null}
                taken={compare ? (served[1 - index] ?? null) : null}
                typed={typed}
                onPack={(pack) => setPacks(index === 0 ? [pack, packs[1]] : [packs[0], pack])}
                editing={index === 0 ? editing : null}
                onEditing={setEditing}
                onPick={(text) => {
                  setDraft(text);
                  focusMainField(document.body);
                }}
              />
            ))}
          </div>
          <Composer
            text={draft}
            onText={setDraft}
            running={running}
            attachments={attachments}
            blocked={Object.keys(problems).length > 0 ? t('chat.blocked') : blockedBy(attachments)}
            reading={isReading(attachments)}
            onSend={send}
            onStop={stop}
            onEditLast={editLast}
          />
        </section>
        <SidePanel
          parameters={parameters}
          problems={problems}
          onParameters={setParameters}
          code={state ? { baseUrl: state.base_url, body: { ...request } } : null}
        />
      </div>
      {history && (
        <HistoryDrawer
          currentId={left.id}
          onClose={() => setHistory(false)}
          onOpen={(id, kept) => {
            left.load(id, kept.tree);
            setParameters(kept.parameters);
            setPacks([kept.pack, packs[1]]);
            setHistory(false);
          }}
        />
      )}
    </Page>
  );
}
