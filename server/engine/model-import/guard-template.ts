/** Guard models among chat models, told by their chat templates. */

/** Words that only the chat template of such a model has. */
const marks: readonly [style: string, mark: RegExp][] = [
  ['llama-guard', /unsafe content categories|Check if there is unsafe content/iu],
  ['qwen3-guard', /Safety:\s*\[?\(?Safe\s*[|/,]\s*Unsafe|Qwen3Guard/iu],
  ['shield-gemma', /policy expert trying to help determine/iu],
];

/** The style of a guard model (moderation/guard/styles.ts) by its chat template; null for other chat models. */
export const guardStyleOf = (template: string): string | null =>
  marks.find(([, mark]) => mark.test(template))?.[0] ?? null;
