/**
 * The summary of a threat analysis in the words of the chat pack, where the person switched that on and a pack is bound. It is told
 * what the rules found, never the log: text of a log may hold orders to a model. Where it fails, the rules' summary stands.
 */
import type { Analysis } from '../../engine/threat/types.ts';
import type { Engines } from '../../hosts/engines.ts';
import type { Caller } from '../caller.ts';
import { askChat, chatRole } from '../chat/ask-chat.ts';

const names = { en: 'English', ms: 'Malay (Bahasa Melayu)', zh: 'Simplified Chinese' } as const;
const mostFindings = 12;
const maxTokens = 300;

export interface WrittenSummary {
  text: string;
  /** The pack that wrote it, id@version. */
  pack: string;
}

function facts({ summary, findings, recommendedActions }: Analysis): string {
  const found = findings
    .slice(0, mostFindings)
    .map(({ level, title, ttps }) => `- ${level}: ${title} (${ttps.join(', ')})`);
  const actions = recommendedActions.map((action) => `- ${action}`);
  return [summary, 'Findings:', ...found, 'Recommended actions:', ...actions].join('\n');
}

/** Null where there is nothing to say, no chat pack is bound, or it fails. */
export async function writeSummary(
  analysis: Analysis,
  deps: { engines: Engines; caller: Caller },
): Promise<WrittenSummary | null> {
  const pack = deps.engines.bound(chatRole)?.ref;
  if (!pack || analysis.findings.length === 0) return null;
  const language = names[analysis.language];
  const system = `You are a security analyst. Summarise the result of a log analysis in ${language}, in at most five sentences, for a colleague who decides what to do. Use the facts given and add none. Answer with the summary alone.`;
  try {
    return { text: await askChat({ system, user: facts(analysis), maxTokens }, deps), pack };
  } catch (error) {
    deps.caller.signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    return null;
  }
}
