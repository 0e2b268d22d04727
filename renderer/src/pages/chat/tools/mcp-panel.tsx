/** Servers of tools that the person has added: started and stopped here, their tools, and the calls that were made. */
import { Badge, Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { McpCall, McpServer } from '../../../../../server/api/console/mcp-servers.ts';
import { useChange, useRead } from '../../../api/queries.ts';
import { notifyProblem } from '../../../components/feedback/notify.ts';
import { ProblemNote } from '../../../components/feedback/problem-note.tsx';
import { milliseconds } from '../../../format/numbers.ts';
import { toClock } from '../../../format/time.ts';
import { t, tn } from '../../../strings/t.ts';
import classes from './mcp-panel.module.css';
import { readServerLine, toServerLine } from './mcp-tools.ts';
import { mcpServersKey } from './use-mcp-tools.ts';

export function McpPanel() {
  const listed = useRead(mcpServersKey);
  return (
    <section className={classes.panel} aria-label={t('chat.mcp.title')}>
      <h3 className={classes.title}>{t('chat.mcp.title')}</h3>
      <p className={classes.note}>{t('chat.mcp.note')}</p>
      <ProblemNote error={listed.error} />
      <ul className={classes.list}>
        {listed.data?.data.map((server) => (
          <Server key={server.id} server={server} />
        ))}
      </ul>
      <AddServer />
      {listed.data && listed.data.calls.length > 0 && <Calls calls={listed.data.calls} />}
    </section>
  );
}

const colors = { stopped: 'gray', starting: 'gray', ready: 'teal', failed: 'red' } as const;

function Server({ server }: { server: McpServer }) {
  const { id, name, state, error, tools } = server;
  const start = useChange('POST /console/mcp-servers/{id}/start', [mcpServersKey]);
  const stop = useChange('POST /console/mcp-servers/{id}/stop', [mcpServersKey]);
  const remove = useChange('DELETE /console/mcp-servers/{id}', [mcpServersKey]);
  const ask = useChange('DELETE /console/mcp-servers/{id}/allowed/{tool}', [mcpServersKey]);
  const options = { onError: notifyProblem };
  return (
    <li className={classes.server}>
      <div className={classes.line}>
        <strong>{name}</strong>
        <Badge color={colors[state]} variant="light">
          {t(`chat.mcp.states.${state}`)}
        </Badge>
      </div>
      <code className={`lk-mono ${classes.command}`}>{toServerLine(server)}</code>
      {error && (
        <span className={classes.problem} role="alert">
          {error}
        </span>
      )}
      {tools.length > 0 && (
        <ul className={classes.tools} aria-label={t('chat.mcp.tools', { name })}>
          {tools.map((tool) => (
            <li key={tool.name} title={tool.description}>
              {tool.name}
              {tool.always && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-label={t('chat.mcp.again_name', { tool: tool.name })}
                  onClick={() => ask.mutate({ params: { id, tool: tool.name } }, options)}
                >
                  {t('chat.mcp.again')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className={classes.line}>
        {state === 'ready' || state === 'starting' ? (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('chat.mcp.stop_name', { name })}
            onClick={() => stop.mutate({ params: { id } }, options)}
          >
            {t('chat.mcp.stop')}
          </Button>
        ) : (
          <Button
            size="compact-xs"
            aria-label={t('chat.mcp.start_name', { name })}
            loading={start.isPending}
            onClick={() => start.mutate({ params: { id } }, options)}
          >
            {t('chat.mcp.start')}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('packs.remove_name', { name })}
          onClick={() => remove.mutate({ params: { id } }, options)}
        >
          {t('packs.remove')}
        </Button>
      </div>
    </li>
  );
}

function AddServer() {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const add = useChange('POST /console/mcp-servers', [mcpServersKey]);
  const read = readServerLine(text);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!read || !name.trim()) return;
    const onSuccess = () => {
      setName('');
      setText('');
    };
    add.mutate({ body: { name: name.trim(), ...read } }, { onSuccess });
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        label={t('chat.mcp.name')}
        maxLength={40}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t('chat.mcp.command')}
        description={t('chat.mcp.command_note')}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ProblemNote error={add.error} />
      <div>
        <Button type="submit" variant="default" disabled={!read || !name.trim()} loading={add.isPending}>
          {t('chat.mcp.add')}
        </Button>
      </div>
    </form>
  );
}

function Calls({ calls }: { calls: McpCall[] }) {
  return (
    <details>
      <summary>{tn('chat.mcp.calls', calls.length)}</summary>
      <ol className={classes.calls}>
        {calls.map(({ sequence, server, tool, time, duration_ms, ok }) => (
          <li key={sequence} className="lk-num">
            {toClock(time * 1000)} · {server} · {tool} · {milliseconds(duration_ms)} ·{' '}
            {t(ok ? 'chat.mcp.done' : 'chat.mcp.failed')}
          </li>
        ))}
      </ol>
    </details>
  );
}
