import { afterEach, expect, test } from 'vitest';

import { type HttpRecorder, openHttpRecorder } from './http-recorder.js';

let recorder: HttpRecorder;
afterEach(() => recorder.close());

test('a request is kept as it came, and answered as the test says', async () => {
  recorder = await openHttpRecorder(({ json }) => ({
    status: 201,
    headers: { 'x-seen': 'yes' },
    body: { seen: json },
  }));
  const text = '{"a": 1}';
  const reply = await fetch(`${recorder.origin}/hook?b=2`, {
    method: 'POST',
    headers: { 'x-signature': 's' },
    body: text,
  });
  expect([reply.status, reply.headers.get('x-seen'), await reply.json()]).toEqual([
    201,
    'yes',
    { seen: { a: 1 } },
  ]);
  const [request] = recorder.requests;
  expect(request).toMatchObject({ method: 'POST', path: '/hook', text, json: { a: 1 } });
  expect(request?.query.get('b')).toBe('2');
  expect(request?.headers['x-signature']).toBe('s');
});

test('forms are read, and text is answered as text', async () => {
  recorder = await openHttpRecorder(({ form }) => ({ body: `hello ${form.get('name')}` }));
  const body = new URLSearchParams({ name: 'a b&c' });
  const reply = await fetch(recorder.origin, { method: 'POST', body });
  expect(await reply.text()).toBe('hello a b&c');
  expect(recorder.requests[0]?.json).toBeUndefined();
});

test('requests are taken once each, also before they come', async () => {
  recorder = await openHttpRecorder();
  const second = recorder.waitForRequest(({ path }) => path === '/two');
  await fetch(`${recorder.origin}/one`);
  await fetch(`${recorder.origin}/two`);
  expect((await second).path).toBe('/two');
  expect((await recorder.waitForRequest()).path).toBe('/one');
});

test('the answer can change, be cut off, or never come', async () => {
  recorder = await openHttpRecorder();
  expect((await fetch(recorder.origin)).status).toBe(200);
  recorder.answerWith(() => ({ status: 503 }));
  expect((await fetch(recorder.origin)).status).toBe(503);
  recorder.answerWith(() => {
    throw new Error('a mistake of the test');
  });
  expect((await fetch(recorder.origin)).status).toBe(500);
  recorder.answerWith(() => 'cut');
  await expect(fetch(recorder.origin)).rejects.toThrow('fetch failed');
  recorder.answerWith(() => 'hang');
  const hanging = fetch(`${recorder.origin}/slow`, { signal: AbortSignal.timeout(200) });
  await expect(hanging).rejects.toThrow(/timeout/);
  expect(recorder.requests).toHaveLength(5);
});
