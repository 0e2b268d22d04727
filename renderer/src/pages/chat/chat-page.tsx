/** Chat: a conversation at the left, its parameters at the right. */
import { Button, Switch } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ChatRequest } from '../../../../server/api/chat.ts';
import { useRead } from '../../api/queries.ts';
import { SnippetsView } from '../../components/code/snippets-view.tsx';
import { NotInstalled } from '../../components/feedback/not-installed.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { t } from '../../strings/t.ts';
import classes from './chat-page.module.css';
import { Composer } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { defaultParameters, ParametersPanel } from './parameters-panel.tsx';
import { useChat } from './use-chat.ts';

export function ChatPage() {
  const state = useRead('GET /console/state').data;
  const [parameters, setParameters] = useState(defaultParameters);
  const [showCode, setShowCode] = useState(false);
  const chat = useChat(parameters);
  const installed = state?.roles_ready.includes('svc-lingua-7b') ?? true;
  return (
    <Page
      title={t('chat.title')}
      lead={t('chat.lead')}
      actions={
        <>
          <Switch
            label={t('chat.show_code')}
            checked={showCode}
            onChange={(event) => setShowCode(event.currentTarget.checked)}
          />
          <Button
            variant="default"
            leftSection={<IconTrash size={14} aria-hidden />}
            disabled={chat.turns.length === 0}
            onClick={chat.clear}
          >
            {t('chat.clear')}
          </Button>
        </>
      }
    >
      <div className={classes.columns}>
        <section className={classes.chat} aria-label={t('chat.conversation')}>
          {!installed && chat.turns.length === 0 ? (
            <NotInstalled message={t('chat.not_installed')} />
          ) : (
            <Conversation turns={chat.turns} />
          )}
          {chat.error !== null && (
            <div className={classes.problem}>
              <ProblemNote error={chat.error} onRetry={chat.retry} />
            </div>
          )}
          <Composer running={chat.running} onSend={chat.send} onStop={chat.stop} />
        </section>
        <div className={classes.side}>
          <ParametersPanel parameters={parameters} onParameters={setParameters} />
          {showCode && state && (
            <SnippetsView
              request={{
                baseUrl: state.base_url,
                path: '/chat/completions',
                body: { ...(chat.request() as ChatRequest) },
              }}
            />
          )}
        </div>
      </div>
    </Page>
  );
}
