// A session that ended on the server, seen by a client that only reads tables: policies hide the rows, and the
// client must tell that from data that is gone.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { memoryStorage } from '#libs/sdk';
import { waitFor } from '#libs/testing';

import { openWorkbench, type Workbench } from './support/workbench.js';

let workbench: Workbench;
beforeAll(async () => {
  workbench = await openWorkbench();
});
afterAll(() => workbench.close());

/** A `fetch` that notes which tokens `get-session` is asked about, and what table routes say of theirs. */
function notingFetch(questions: string[], challenges: (string | null)[]): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const token = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length) ?? '';
    if (pathname.endsWith('/get-session')) questions.push(token);
    const response = await fetch(input, init);
    if (pathname.startsWith('/rest/')) challenges.push(response.headers.get('www-authenticate'));
    return response;
  };
}

test('reads of an ended session sign out once, and go on as a visitor', async () => {
  const { project } = workbench;
  const user = await project.signUp('ended@example.org');
  const challenges: (string | null)[] = [];
  const questions: string[] = [];
  const client = workbench.client(project.publishableKey, {
    storage: memoryStorage(),
    fetch: notingFetch(questions, challenges),
  });
  await client.auth.setSession({ access_token: user.token });
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => events.push(event));
  await client.from('notes').insert({ text: 'mine' }).throwOnError();
  expect((await client.from('notes').select()).data).toHaveLength(1);
  expect(challenges).toEqual([null, null]);
  questions.length = 0;

  const signOut = { method: 'POST', path: '/api/auth/sign-out', body: {} };
  expect((await project.as(user, signOut)).status).toBe(200);
  const answers = await Promise.all(Array.from({ length: 4 }, () => client.from('notes').select()));
  expect(answers.map(({ status, data }) => [status, data])).toEqual(answers.map(() => [200, []]));
  const told = 'Bearer error="invalid_token"';
  expect(challenges.slice(2)).toEqual(answers.map(() => told));
  await waitFor(async () => events.includes('SIGNED_OUT'));
  expect(questions).toEqual([user.token]);
  expect(events.filter((event) => event === 'SIGNED_OUT')).toHaveLength(1);
  expect((await client.auth.getSession()).data.session).toBeNull();
  await client.from('notes').select();
  expect(challenges.at(-1)).toBeNull();
  expect(questions).toHaveLength(1);
});
