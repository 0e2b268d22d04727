/** OpenAI's own SDKs pointed at this server: the base URL and the key are all that changes. */

export const sdkJavaScript = (baseUrl: string): string => `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${baseUrl}',
  apiKey: process.env.LOKAL_API_KEY,
});

const { data } = await client.embeddings.create({
  model: 'svc-embed-base',
  input: ['Good morning', 'Selamat pagi', '早上好'],
});
console.log(data.map(({ embedding }) => embedding.length));`;

export const sdkPython = (baseUrl: string): string => `import os
from openai import OpenAI

client = OpenAI(
    base_url="${baseUrl}",
    api_key=os.environ["LOKAL_API_KEY"],
)

answer = client.embeddings.create(
    model="svc-embed-base",
    input=["Good morning", "Selamat pagi", "早上好"],
)
print([len(item.embedding) for item in answer.data])`;
