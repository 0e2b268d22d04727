/** A request with a body that may be no JSON at all. */
export async function post(
  url: string,
  key: string,
  body: string | Uint8Array<ArrayBuffer>,
  signal?: AbortSignal,
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body, ...(signal ? { signal } : {}) });
  return { status: response.status, text: await response.text() };
}
