/**
 * The model waits for its tools. Calls of a running server are made once the person allows them; the results of others are typed
 * in.
 */
import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ToolCall } from '../../../../../server/api/services/chat.ts';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { toMessage } from '../../../components/feedback/problem-note.tsx';
import { t } from '../../../strings/t.ts';
import type { McpTool } from '../tools/mcp-tools.ts';
import { refusedText, useMcpTools } from '../tools/use-mcp-tools.ts';
import classes from './tool-results.module.css';

interface ToolResultsProps {
  calls: ToolCall[];
  /** Names of the tools that the person has typed. */
  typed: readonly string[];
  /** Messages since the person last wrote, results included. */
  rounds: number;
  onSend: (results: { callId: string; content: string }[]) => void;
}

/** Beyond, also tools that are always allowed ask: a model may call in a circle. */
const mostRounds = 20;
/** Calls that were made by themselves; a page shown again does not make them again. */
const made = new Set<string>();

export function ToolResults({ calls, typed, rounds, onSend }: ToolResultsProps) {
  const { tools, call } = useMcpTools(typed);
  const [texts, setTexts] = useState<Record<string, string>>({});
  const [running, setRunning] = useState<string[]>([]);
  const latest = useRef(texts);
  const toolOf = (name: string) => tools.find((each) => each.name === name);
  const results = calls.map(({ id }) => ({ callId: id, content: texts[id] ?? '' }));

  function fill(id: string, text: string): void {
    latest.current = { ...latest.current, [id]: text };
    setTexts(latest.current);
  }

  /** The model goes on by itself where all are calls of servers. */
  function sendWhenDone(): void {
    const all = calls.map(({ id }) => ({ callId: id, content: latest.current[id] ?? '' }));
    if (calls.every((each) => toolOf(each.function.name)) && all.every(({ content }) => content)) onSend(all);
  }

  async function run({ id, function: { arguments: json } }: ToolCall, tool: McpTool, always = false) {
    made.add(id);
    setRunning((before) => [...before, id]);
    const text = await call(tool, json, always).catch((error: unknown) => toMessage(error));
    setRunning((before) => before.filter((each) => each !== id));
    fill(id, text);
    sendWhenDone();
  }

  function refuse(id: string): void {
    fill(id, refusedText);
    sendWhenDone();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when calls or tools come, not at each drawing
  useEffect(() => {
    if (rounds > mostRounds) return;
    for (const each of calls) {
      const tool = toolOf(each.function.name);
      if (tool?.always && !made.has(each.id)) void run(each, tool);
    }
  }, [calls, tools]);

  return (
    <form
      className={classes.results}
      aria-label={t('chat.tool_results')}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(results);
      }}
    >
      {calls.map((each) => {
        const { id, function: called } = each;
        const tool = toolOf(called.name);
        if (tool && texts[id] === undefined) {
          return (
            <Consent
              key={id}
              tool={tool}
              json={called.arguments}
              busy={running.includes(id)}
              onAllow={(always) => void run(each, tool, always)}
              onRefuse={() => refuse(id)}
            />
          );
        }
        return (
          <Textarea
            key={id}
            label={t('chat.result_of', { name: called.name })}
            description={called.arguments}
            placeholder={t('chat.result_hint')}
            autosize
            minRows={2}
            maxRows={10}
            value={texts[id] ?? ''}
            onChange={(event) => fill(id, event.currentTarget.value)}
          />
        );
      })}
      <Button
        type="submit"
        className={classes.send}
        disabled={results.some(({ content }) => !content.trim())}
      >
        {t('chat.send_results')}
      </Button>
    </form>
  );
}

interface ConsentProps {
  tool: McpTool;
  json: string;
  busy: boolean;
  onAllow: (always: boolean) => void;
  onRefuse: () => void;
}

function Consent({ tool: { tool, server }, json, busy, onAllow, onRefuse }: ConsentProps) {
  const question = t('chat.mcp.ask', { tool, server });
  return (
    <fieldset className={classes.consent}>
      <legend>{question}</legend>
      <CodeBlock code={json} label={tool} maxHeight={200} />
      <div className={classes.choices}>
        <Button loading={busy} onClick={() => onAllow(false)}>
          {t('chat.mcp.allow')}
        </Button>
        <Button variant="default" disabled={busy} onClick={() => onAllow(true)}>
          {t('chat.mcp.always')}
        </Button>
        <Button variant="default" disabled={busy} onClick={onRefuse}>
          {t('chat.mcp.refuse')}
        </Button>
      </div>
    </fieldset>
  );
}
