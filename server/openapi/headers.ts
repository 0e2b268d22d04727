/** Headers of requests and answers, as the OpenAPI document describes them (contract: "Headers"). */
import { regions } from '../api/common.ts';

export const requestHeaders = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeat within 10 minutes returns the first result and runs nothing.',
    schema: { type: 'string', minLength: 1, maxLength: 64 },
  },
  Region: {
    name: 'X-Service-Region',
    in: 'header',
    description: 'Enterprise keys: pins inference to a region.',
    schema: { type: 'string', enum: [...regions] },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Echoed in the answer; made where absent.',
    schema: { type: 'string', maxLength: 128 },
  },
};

const header = (description: string, type = 'string') => ({ description, schema: { type } });

/** On every answer. */
export const alwaysAnswered = {
  'x-request-id': header('Finds the request in the log.'),
  'x-processing-ms': header('Milliseconds from arrival to the first byte of the answer.', 'integer'),
};

/** Once a key is known. */
export const answeredToKeys = {
  'x-ratelimit-limit-requests': header('Requests a minute.', 'integer'),
  'x-ratelimit-remaining-requests': header('Of these, what is left.', 'integer'),
  'x-ratelimit-reset-requests': header('Until all are there again, such as `1s` or `6m0s`.'),
  'x-ratelimit-limit-tokens': header('Tokens a minute.', 'integer'),
  'x-ratelimit-remaining-tokens': header('Of these, what is left.', 'integer'),
  'x-ratelimit-reset-tokens': header('Until all are there again.'),
};

/** Of inference. */
export const answeredByModels = {
  'x-model-pack': header('The pack that answered, `id@version`.'),
  'x-execution-provider': header('What ran it, such as `cpu` or `cuda`.'),
  'x-lokal-confinement': header(
    'Where the process that answered is not fully confined: `partial` or `off`, and the reason.',
  ),
  'x-lokal-schema': header(
    'Where a schema or tools are too long for the prompt: `outline`, names and types alone, or `none`. The answer keeps to all of it.',
  ),
  'x-lokal-guardrail': header(
    'What guardrails found before the headers left, such as `prompt=pii_exposure:mask`; an answer that one ends has finish_reason `content_filter`.',
  ),
  'x-lokal-images': header(
    'Of a chat with pictures: `described`, each went to the model as words, then the models that found them, such as `by=svc-vision-pro+svc-parse-pro`.',
  ),
  'x-lokal-upstream': header('The name of the remote engine that answered; absent where this machine did.'),
  'x-lokal-attempts': header('Targets that were tried, where remote engines came into question.', 'integer'),
  'x-lokal-pseudonyms': header(
    'Values of personal data that the remote engine saw pseudonyms of; absent where it saw what was sent.',
    'integer',
  ),
  'x-service-region': header('Where the request was pinned to a region.'),
  'idempotent-replayed': header('`true` where the answer is a stored one.'),
};

/** Sent when waiting helps. */
export const answeredToWait = {
  'retry-after': header('Seconds after which a repeat makes sense.', 'integer'),
  'retry-after-ms': header('The same in milliseconds.', 'integer'),
};
