// A transaction as a caller has a limit as a whole, however short its statements are, and ends with its signal.
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ProjectDatabase } from '#libs/database';
import { waitFor } from '#libs/testing';
import type { Credential } from '#libs/wire';

import { createProject, type ProjectFixture } from './project-fixture.js';

let project: ProjectFixture;
let db: ProjectDatabase;
beforeAll(async () => {
  project = await createProject();
  db = project.open();
  await project.admin.query(`
    create function public.stubborn() returns void language plpgsql as $$
    begin
      loop
        begin perform pg_sleep(600); exception when query_canceled then null; end;
      end loop;
    end $$;
    create table public.kept (id int);
    grant insert on public.kept to service_role;
    grant execute on function public.stubborn() to service_role;`);
});
afterAll(() => project.drop());

const service: Credential = { kind: 'secret-key' };
const insert = 'insert into public.kept values (1)';

/** No row is kept, and no connection is left that a late cancel request could reach. */
async function expectUndone(of: ProjectDatabase): Promise<void> {
  await waitFor(() => of.stats().open === 0);
  expect((await project.admin.query('select from public.kept')).rowCount).toBe(0);
  await waitFor(async () => {
    const running = `select from pg_stat_activity where state = 'active' and datname = $1 and usename = $2`;
    const { database, options } = project;
    return (await project.admin.query(running, [database, options.logins.api.user])).rowCount === 0;
  });
}

test.each([
  { name: 'one statement', sql: 'select pg_sleep(600)' },
  { name: 'many short statements', sql: 'select pg_sleep(0.02)' },
  { name: 'a statement that ignores the cancel request', sql: 'select public.stubborn()' },
])('$name: PGRST504 after the limit', async ({ sql }) => {
  const running = db.runAs(
    service,
    async (tx) => {
      await tx.query(insert);
      for (;;) await tx.query(sql);
    },
    { timeoutMs: 200 },
  );
  await expect(running).rejects.toMatchObject({ code: 'PGRST504', status: 504 });
  await expectUndone(db);
});

test('the limit of scripts is the limit without one', async () => {
  const short = project.open({ scriptTimeoutMs: 200 });
  const running = short.runAs(service, async (tx) => {
    await tx.query(insert);
    await tx.query('select pg_sleep(600)');
  });
  await expect(running).rejects.toMatchObject({ code: 'PGRST504' });
  await expectUndone(short);
});

test('a signal ends it with REQUEST_ABORTED, also between two statements', async () => {
  const leaving = new AbortController();
  const running = db.runAs(
    service,
    async (tx) => {
      await tx.query(insert);
      leaving.abort();
    },
    { signal: leaving.signal },
  );
  await expect(running).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
  await expectUndone(db);
});

test('the connection is used again after a transaction within its limits', async () => {
  const pid = () =>
    db.runAs(
      service,
      async (tx) =>
        (await tx.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid,
      { timeoutMs: 10_000, signal: new AbortController().signal },
    );
  const first = await pid();
  await waitFor(() => db.stats().idle === 1);
  expect(await pid()).toBe(first);
});
