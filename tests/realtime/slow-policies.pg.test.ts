// The rights of an account end within a second, also while the policies of a table take long.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { Visibility } from '#libs/realtime';
import { waitFor } from '#libs/testing';

import { createProject, ids, type ProjectFixture } from '../database/project-fixture.js';
import { type HubStage, type Listener, openHubStage } from './hub-stage.js';

let project: ProjectFixture;
let stage: HubStage;
beforeAll(async () => {
  project = await createProject();
  await project.admin.query(`
    create table public.news (text text);
    create policy everybody on public.news to authenticated using (true);
    grant select on public.news to authenticated`);
  stage = await openHubStage(project);
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await stage.close();
  await project.drop();
});

const textsIn = (client: Listener) =>
  client
    .frames('rt:pg')
    .flatMap(({ e }) => e as readonly { readonly d: { readonly new: { text: string } } }[])
    .map(({ d }) => d.new.text);

/** Has all evaluations wait for the returned `end`; `begun` counts them. */
function holdEvaluations() {
  // oxlint-disable-next-line typescript/unbound-method -- called with the object below
  const original = Visibility.prototype.decide;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const evaluations = vi.spyOn(Visibility.prototype, 'decide').mockImplementation(async function (
    this: Visibility,
    question,
  ) {
    await ended;
    return original.call(this, question);
  });
  return { end, begun: () => evaluations.mock.calls.length };
}

const news = { topic: 'news', config: { postgres_changes: [{ table: 'news' }] } };
const signOut = `update auth.session set "expiresAt" = now() where id = 's-ada'`;

test.each([
  {
    name: 'after the change that is evaluated',
    write: async (begun: () => number) => {
      await project.admin.query(`insert into public.news values ('slow')`);
      stage.realtime.wake();
      await waitFor(() => begun() > 0);
      await project.admin.query(signOut);
    },
  },
  {
    name: 'behind it in one page',
    write: async (begun: () => number) => {
      await project.admin.query(
        `begin; insert into public.news values ('slow'); ${signOut}; commit`,
      );
      stage.realtime.wake();
      await waitFor(() => begun() > 0);
    },
  },
  {
    name: 'behind many lines',
    write: async (begun: () => number) => {
      await project.admin.query(`insert into public.news values ('slow')`);
      stage.realtime.wake();
      await waitFor(() => begun() > 0);
      await project.admin.query(
        `insert into public.news select 'more' from generate_series(1, 2500)`,
      );
      await project.admin.query(signOut);
    },
  },
])('a sign-out $name disconnects at once', async ({ write }) => {
  await project.admin.query(`
    update auth.session set "expiresAt" = now() + interval '1 day' where id = 's-ada'`);
  const [ada, bob] = [
    await stage.connect({ kind: 'session', token: 'ada-token' }),
    await stage.connect({ kind: 'session', token: 'bob-token' }),
  ];
  await ada.join(news);
  await bob.join(news);
  const { end, begun } = holdEvaluations();
  await write(begun);
  await waitFor(() => ada.member.isGone, { ms: 2_000 });
  expect(bob.member.isGone).toBe(false);
  end();
  await waitFor(() => textsIn(bob).includes('slow'));
  expect(textsIn(ada)).toEqual([]);
  bob.leave();
});

test('a role that ends hides the changes that are being evaluated', async () => {
  await project.admin.query(`
    create table public.reports (text text);
    create policy admins on public.reports to authenticated using (
      (select auth.jwt() ->> 'user_role') = 'ADMIN');
    grant select on public.reports to authenticated`);
  const ada = await stage.connect({ kind: 'session', token: 'ada-elsewhere' });
  await ada.join({
    topic: 'both',
    config: { postgres_changes: [{ table: 'reports' }, { table: 'news' }] },
  });
  const { end, begun } = holdEvaluations();
  await project.admin.query(`insert into public.reports values ('secret')`);
  stage.realtime.wake();
  await waitFor(() => begun() > 0);
  await project.admin.query(`update auth."user" set role = 'USER' where id = $1`, [ids.ada]);
  await waitFor(() => ada.member.rights.claims.includes('USER'), { ms: 2_000 });
  end();
  await project.admin.query(`insert into public.news values ('last')`);
  await waitFor(() => textsIn(ada).includes('last'));
  expect(textsIn(ada)).toEqual(['last']);
  ada.leave();
});
