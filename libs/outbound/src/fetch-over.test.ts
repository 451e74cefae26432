import { describe, expect, test } from 'vitest';
import { fetchOver } from './fetch-over.js';
import type { HttpRequest } from '#libs/wire';
import type { Outbound } from './outbound.js';

const asked: HttpRequest[] = [];
const echo: Outbound = (request) => {
  asked.push(request);
  const status = Number(new URL(request.url).searchParams.get('status') ?? '200');
  const headers = new Headers({ 'content-encoding': 'gzip', etag: 'x' });
  return Promise.resolve({ status, headers, text: status === 200 ? '{"a":1}' : '' });
};
const fetchLike = fetchOver(echo);

describe('fetchOver', () => {
  test('asks with a text, a URL or a request', async () => {
    const url = 'https://idp.test/jwks';
    for (const input of [url, new URL(url), new Request(url, { headers: { accept: 'a/b' } })]) {
      // One after the other, so that the last call is this one's.
      const answer = await fetchLike(input);
      expect(await answer.json()).toEqual({ a: 1 });
      expect(asked.at(-1)).toMatchObject({ url, method: 'GET' });
    }
    expect(asked.at(-1)?.headers).toMatchObject({ accept: 'a/b' });
  });

  test('posts a form', async () => {
    await fetchLike('https://idp.test/token', {
      method: 'POST',
      body: new URLSearchParams({ code: 'x y' }),
    });
    expect(asked.at(-1)).toMatchObject({
      method: 'POST',
      body: 'code=x+y',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    });
  });

  test('says nothing of an encoding that is undone', async () => {
    const { headers } = await fetchLike('https://idp.test/');
    expect([headers.get('etag'), headers.get('content-encoding')]).toEqual(['x', null]);
  });

  test.each([204, 302, 304, 404, 500])('answers %d as it came', async (status) => {
    const answer = await fetchLike(`https://idp.test/?status=${status}`);
    expect([answer.status, await answer.text()]).toEqual([status, '']);
  });

  test('refuses other methods', async () => {
    await expect(fetchLike('https://idp.test/', { method: 'DELETE' })).rejects.toMatchObject({
      code: 'OUTBOUND_REFUSED',
    });
  });

  test('hands on the signal', async () => {
    const given = new AbortController();
    await fetchLike('https://idp.test/', { signal: given.signal });
    given.abort();
    expect(asked.at(-1)?.signal?.aborted).toBe(true);
  });
});
