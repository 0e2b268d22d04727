/** Beside the conversation: what is sent with it. */
import { Tabs } from '@mantine/core';
import { SnippetsView } from '../../../components/code/snippets-view.tsx';
import { t } from '../../../strings/t.ts';
import type { Parameters } from '../model/parameters.ts';
import type { ParameterProblems } from '../model/request.ts';
import { FormatPanel } from './format-panel.tsx';
import { PresetsBar } from './presets-bar.tsx';
import { SamplingPanel } from './sampling-panel.tsx';
import classes from './side-panel.module.css';
import { ToolsPanel } from './tools-panel.tsx';

interface SidePanelProps {
  parameters: Parameters;
  problems: ParameterProblems;
  onParameters: (parameters: Parameters) => void;
  /** The request as code; null before the server's address is known. */
  code: { baseUrl: string; body: Record<string, unknown> } | null;
}

export function SidePanel({ parameters, problems, onParameters, code }: SidePanelProps) {
  const part = {
    parameters,
    problems,
    set: (change: Partial<Parameters>) => onParameters({ ...parameters, ...change }),
  };
  const tab = (value: keyof typeof labels, wrong: boolean) => (
    <Tabs.Tab
      className={classes.tab ?? ''}
      value={value}
      {...(wrong ? { color: 'red', rightSection: '!' } : {})}
    >
      {labels[value]()}
    </Tabs.Tab>
  );
  return (
    <section className={classes.side} aria-label={t('chat.side')}>
      <PresetsBar parameters={parameters} onParameters={onParameters} />
      <Tabs defaultValue="sampling" keepMounted={false}>
        <Tabs.List grow>
          {tab('sampling', problems.logitBias !== undefined)}
          {tab('format', problems.schema !== undefined)}
          {tab('tools', problems.tools !== undefined)}
          {tab('code', false)}
        </Tabs.List>
        <Tabs.Panel value="sampling" className={classes.panel}>
          <SamplingPanel {...part} />
        </Tabs.Panel>
        <Tabs.Panel value="format" className={classes.panel}>
          <FormatPanel {...part} />
        </Tabs.Panel>
        <Tabs.Panel value="tools" className={classes.panel}>
          <ToolsPanel {...part} />
        </Tabs.Panel>
        <Tabs.Panel value="code" className={classes.panel}>
          {code && <SnippetsView request={{ ...code, path: '/chat/completions' }} />}
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

const labels = {
  sampling: () => t('chat.tab_sampling'),
  format: () => t('chat.tab_format'),
  tools: () => t('chat.tab_tools'),
  code: () => t('chat.tab_code'),
};
