/** One line of JSON a check, for run.ts. */
export const baseURL = process.env.LOKAL_URL;
export const apiKey = process.env.LOKAL_KEY;
export const model = 'svc-lingua-7b';
export const question = [{ role: 'user', content: 'Say hello to a friend.' }];
export const personSchema = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 20 } },
  required: ['name'],
  additionalProperties: false,
};

export async function check(name, work) {
  try {
    const detail = await work();
    console.log(JSON.stringify({ name, ok: true, detail: String(detail ?? '') }));
  } catch (error) {
    console.log(JSON.stringify({ name, ok: false, detail: String(error?.message ?? error).slice(0, 300) }));
  }
}

export function assert(condition, what) {
  if (!condition) throw new Error(what);
}
