// API keys of users are tried by their id or their text, without counting a use.
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { rowsOf } from '../http/administration.js';
import { type Lab, openLab, tryOut } from './lab.js';

const text = 'uak_a-key-for-the-lab';
const request = { kind: 'select', table: 'notes', query: 'order=id' };
let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
  const hash = createHash('sha256').update(text).digest('base64url');
  await rowsOf(
    lab.project,
    `insert into auth.apikey (id, "configId", name, start, "referenceId", key, enabled, remaining, "createdAt", "updatedAt")
     values ('key-of-ada', 'default', 'laptop', 'uak_a-', $1, $2, true, 3, now(), now())`,
    [lab.ada.id, hash],
  );
});
afterAll(() => lab.close());

const setKeys = (enabled: boolean) =>
  lab.project.asService({
    method: 'PUT',
    path: '/api/admin/settings/auth.apiKey',
    body: { enabled, prefix: 'uak_' },
  });

test('a project that accepts no API keys has none to try', async () => {
  const { body } = await tryOut(lab, { kind: 'key', keyId: 'key-of-ada' }, request);
  expect(body).toMatchObject({ code: 'INVALID_INPUT' });
});

test.each([
  { name: 'its id', as: { kind: 'key', keyId: 'key-of-ada' } },
  { name: 'its text', as: { kind: 'key', key: text } },
])('a key acts for its user, by $name', async ({ as }) => {
  expect((await setKeys(true)).status).toBe(200);
  const { body } = await tryOut(lab, as, request);
  expect(body).toMatchObject({
    caller: { role: 'authenticated', claims: { sub: lab.ada.id, api_key_id: 'key-of-ada' } },
    keys: [{ id: 1 }, { id: 4 }],
  });
  const left = await rowsOf(lab.project, 'select remaining from auth.apikey', []);
  expect(left).toEqual([{ remaining: 3 }]);
});

test('a disabled key is refused', async () => {
  await rowsOf(lab.project, 'update auth.apikey set enabled = false', []);
  const { status, text: answer } = await tryOut(lab, { kind: 'key', keyId: 'key-of-ada' }, request);
  expect(status).toBe(400);
  expect(answer).toContain('as.keyId');
});
