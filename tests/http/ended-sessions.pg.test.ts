// A bearer that is not valid runs as `anon`. The answer says so, whatever its status is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

const challenge = 'Bearer error="invalid_token"';
let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  ada = await project.signUp('ada@example.org');
  const query = `create table open_notes (id int primary key);
    grant select on open_notes to anon, authenticated;
    create table closed_notes (id int primary key);
    grant select on closed_notes to authenticated;
    create function greeting() returns text language sql as $$ select 'hello' $$;`;
  await project.asService({ method: 'POST', path: '/api/admin/sql', body: { query } });
});
afterAll(() => deployment.close());

const batch = { operations: [{ method: 'DELETE', model: 'closed_notes', query: 'id=eq.1' }] };
const calls: readonly (Call & { name: string })[] = [
  { name: 'a table', path: '/rest/v1/open_notes' },
  { name: 'a table that anon may not read', path: '/rest/v1/closed_notes' },
  { name: 'a function', method: 'POST', path: '/rest/v1/rpc/greeting', body: {} },
  { name: 'a batch', method: 'POST', path: '/rest/v1/batch', body: batch },
  { name: 'a list of files', path: '/api/files/list/docs' },
  { name: 'a file', path: '/api/files/object/docs/a.txt' },
  { name: 'a change of files', method: 'POST', path: '/api/files/remove', body: {} },
];

describe.each(calls)('$name', (call) => {
  const withBearer = (token: string) =>
    project.send({ ...call, headers: { authorization: `Bearer ${token}` } });

  test.each(['0'.repeat(32), 'unknown.c2lnbmF0dXJl'])(
    'says that %s is not valid',
    async (token) => {
      const origin = 'https://anywhere.example';
      const headers = { authorization: `Bearer ${token}`, origin };
      const reply = await project.send({ ...call, headers });
      expect(reply.headers['www-authenticate']).toBe(challenge);
      expect(reply.headers['access-control-expose-headers']).toContain('www-authenticate');
      expect(reply.status).toBe((await project.send(call)).status);
    },
  );

  test('says nothing of a valid session, and nothing without one', async () => {
    expect((await withBearer(ada.token)).headers['www-authenticate']).toBeUndefined();
    expect((await project.send(call)).headers['www-authenticate']).toBeUndefined();
  });
});
