/** Streamed completions as the API sends them, for pages that are tested without a model. */
import type { Page, Route } from '@playwright/test';
import type { ChatCompletionChunk, ChatRequest } from '../../../server/api/services/chat.ts';

type Choice = ChatCompletionChunk['choices'][number];
type Score = NonNullable<NonNullable<Choice['logprobs']>['content']>[number];

export const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };

export const toChunk = (choices: Partial<Choice>[], rest: Partial<ChatCompletionChunk> = {}): string => {
  const chunk: ChatCompletionChunk = {
    id: 'chatcmpl-0',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'svc-lingua-7b',
    choices: choices.map((choice) => ({ index: 0, delta: {}, finish_reason: null, ...choice })),
    ...rest,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
};

export const textChunk = (content: string, index = 0): string => toChunk([{ index, delta: { content } }]);

export const scoreOf = (token: string, likelihood: number, other: string): Score => ({
  token,
  logprob: Math.log(likelihood),
  bytes: null,
  top_logprobs: [
    { token, logprob: Math.log(likelihood), bytes: null },
    { token: other, logprob: Math.log(1 - likelihood), bytes: null },
  ],
});

/** The whole stream of an answer in these pieces. */
export const toStream = (...chunks: string[]): string =>
  `: ping\n\n${chunks.join('')}${toChunk([{ finish_reason: 'stop' }])}${toChunk([], { usage })}data: [DONE]\n\n`;

export interface Asked {
  body: ChatRequest;
  /** Header `x-model-pack`. */
  pack: string | undefined;
}

/** Answers every completion of the page with what `answer` makes of it; the requests are kept in order. */
export async function answerChats(
  page: Page,
  answer: (asked: Asked, turn: number) => string,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  await page.unroute('**/v1/chat/completions');
  await page.route('**/v1/chat/completions', async (route: Route) => {
    const request = route.request();
    const one = { body: request.postDataJSON() as ChatRequest, pack: request.headers()['x-model-pack'] };
    asked.push(one);
    await route.fulfill({ contentType: 'text/event-stream', body: answer(one, asked.length) });
  });
  return asked;
}
