import { describe, expect, it } from 'vitest';
import type { ReasoningEffort } from '../../../../server/api/services/chat.ts';
import type { ChatPack } from '../../../../server/engine/chat/pack.ts';
import { createPromptTemplate } from '../../../../server/engine/chat/text/prompt.ts';

function render(template: string, reasoningEffort?: ReasoningEffort): string {
  const pack = { template, tokenizerConfig: {} } as unknown as ChatPack;
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const rest = { tools: [], instructions: null, controlPieces: [] };
  return createPromptTemplate(pack).render({ messages, reasoningEffort, ...rest });
}

/** As Qwen3 has it. */
const switched =
  '{{ messages[0].content }}{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}';
/** As DeepSeek V3.1 has it. */
const offByItself =
  "{% if not thinking is defined %}{% set thinking = false %}{% endif %}{{ messages[0].content }}{{ '<think>' if thinking else '</think>' }}";
/** As gpt-oss has it. */
const levelled =
  "{% if reasoning_effort is not defined %}{% set reasoning_effort = 'medium' %}{% endif %}Reasoning: {{ reasoning_effort }}";
/** As Mistral has it: two levels, others refused. */
const strict =
  "{% if reasoning_effort is not defined %}{% set reasoning_effort = 'none' %}{% endif %}{% if reasoning_effort not in ['none', 'high'] %}{{ raise_exception('no such effort') }}{% endif %}{{ reasoning_effort }}";

describe('an effort', () => {
  it.each([
    ['a switch', switched, undefined, 'Hi'],
    ['a switch', switched, 'none', 'Hi<think>\n\n</think>\n\n'],
    ['a switch', switched, 'low', 'Hi'],
    ['a switch that is off by itself', offByItself, undefined, 'Hi</think>'],
    ['a switch that is off by itself', offByItself, 'none', 'Hi</think>'],
    ['a switch that is off by itself', offByItself, 'high', 'Hi<think>'],
    ['levels', levelled, undefined, 'Reasoning: medium'],
    ['levels', levelled, 'none', 'Reasoning: low'],
    ['levels', levelled, 'minimal', 'Reasoning: low'],
    ['levels', levelled, 'xhigh', 'Reasoning: high'],
    ['levels of which some are refused', strict, 'none', 'none'],
    ['levels of which some are refused', strict, 'medium', 'high'],
    ['no thinking', '{{ messages[0].content }}', 'high', 'Hi'],
  ] as const)('of a template with %s: %#', (_, template, effort, prompt) => {
    expect(render(template, effort)).toBe(prompt);
  });
});
