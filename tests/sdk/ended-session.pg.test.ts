// A session that ended on the server, seen by a client that only reads tables: policies hide the rows, and the
// client must tell that from data that is gone.
import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { memoryStorage } from '#libs/sdk';

import { eventually } from '../support/house.js';
import { openWorkbench, type Workbench } from './support/workbench.js';

let workbench: Workbench;
beforeAll(async () => {
  workbench = await openWorkbench();
});
afterAll(() => workbench.close());

/** The `fetch` of a server that says of table routes which tokens it does not know. */
function tellingFetch(ended: ReadonlySet<string>, questions: string[]): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const token = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length) ?? '';
    if (pathname.endsWith('/get-session')) questions.push(token);
    const response = await fetch(input, init);
    if (!pathname.startsWith('/rest/') || !ended.has(token)) return response;
    const headers = new Headers(response.headers);
    headers.set('www-authenticate', 'Bearer error="invalid_token"');
    return new Response(await response.arrayBuffer(), { status: response.status, headers });
  };
}

test('reads of an ended session sign out once, and go on as a visitor', async () => {
  const { project } = workbench;
  const user = await project.signUp('ended@example.org');
  const ended = new Set<string>();
  const questions: string[] = [];
  const client = workbench.client(project.publishableKey, {
    storage: memoryStorage(),
    fetch: tellingFetch(ended, questions),
  });
  await client.auth.setSession({ access_token: user.token });
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => events.push(event));
  await client.from('notes').insert({ text: 'mine' }).throwOnError();
  expect((await client.from('notes').select()).data).toHaveLength(1);
  questions.length = 0;

  const signOut = { method: 'POST', path: '/api/auth/sign-out', body: {} };
  expect((await project.as(user, signOut)).status).toBe(200);
  ended.add(user.token);
  const answers = await Promise.all(Array.from({ length: 4 }, () => client.from('notes').select()));
  expect(answers.map(({ status, data }) => [status, data])).toEqual(answers.map(() => [200, []]));
  await eventually(async () => events.includes('SIGNED_OUT'));
  expect(questions).toEqual([user.token]);
  expect(events.filter((event) => event === 'SIGNED_OUT')).toHaveLength(1);
  expect((await client.auth.getSession()).data.session).toBeNull();
  await client.from('notes').select();
  expect(questions).toHaveLength(1);
});
