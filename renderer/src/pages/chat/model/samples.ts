/** Schemas and tools to begin with. */

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const contact = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    email: { type: 'string', format: 'email' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
  },
  required: ['name', 'email', 'tags'],
  additionalProperties: false,
};

const verdict = {
  type: 'object',
  properties: {
    label: { enum: ['positive', 'neutral', 'negative'] },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    reason: { type: 'string', maxLength: 200 },
  },
  required: ['label', 'confidence', 'reason'],
  additionalProperties: false,
};

const outline = {
  type: 'object',
  properties: { title: { type: 'string' }, parts: { type: 'array', items: { $ref: '#' }, maxItems: 4 } },
  required: ['title', 'parts'],
  additionalProperties: false,
};

export const schemaSamples = {
  contact: json(contact),
  verdict: json(verdict),
  outline: json(outline),
} as const;

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city now.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } },
      required: ['city'],
      additionalProperties: false,
    },
  },
};

const search = {
  type: 'function',
  function: {
    name: 'search_documents',
    description: 'Finds passages in the person’s own documents.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' }, limit: { type: 'integer', minimum: 1, maximum: 10 } },
      required: ['query'],
      additionalProperties: false,
    },
  },
};

export const toolSamples = {
  weather: json([weather]),
  search: json([search]),
  both: json([weather, search]),
} as const;
