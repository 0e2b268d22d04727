/** Tools that the model may call: those of servers, and typed ones, whose results the person gives by hand. */
import { Select, Switch } from '@mantine/core';
import { t } from '../../../strings/t.ts';
import { readTools } from '../model/request.ts';
import { toolSamples } from '../model/samples.ts';
import { McpPanel } from '../tools/mcp-panel.tsx';
import { JsonField } from './json-field.tsx';
import type { SidePartProps } from './part-props.ts';

const modes = ['auto', 'none', 'required'] as const;

export function ToolsPanel({ parameters, problems, set }: SidePartProps) {
  const tools = readTools(parameters.tools);
  const names = 'value' in tools ? tools.value.map((tool) => tool.function.name) : [];
  const known = [...modes, ...names].includes(parameters.toolChoice);
  return (
    <>
      <JsonField
        label={t('chat.tools')}
        value={parameters.tools}
        problem={problems.tools}
        samples={Object.entries(toolSamples).map(([name, text]) => ({
          label: t(`chat.tool_samples.${name as keyof typeof toolSamples}`),
          text,
        }))}
        onChange={(text) => set({ tools: text })}
      />
      <Select
        label={t('chat.tool_choice')}
        data={[
          ...modes.map((value) => ({ value, label: t(`chat.tool_choices.${value}`) })),
          ...names
            .filter((name) => !(modes as readonly string[]).includes(name))
            .map((name) => ({ value: name, label: t('chat.tool_named', { name }) })),
        ]}
        value={known ? parameters.toolChoice : 'auto'}
        allowDeselect={false}
        disabled={names.length === 0}
        onChange={(toolChoice) => set({ toolChoice: toolChoice ?? 'auto' })}
      />
      <Switch
        label={t('chat.parallel')}
        checked={parameters.parallelToolCalls}
        disabled={names.length === 0}
        onChange={(event) => set({ parallelToolCalls: event.currentTarget.checked })}
      />
      <McpPanel />
    </>
  );
}
