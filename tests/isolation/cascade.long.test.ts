import { afterAll, beforeAll, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

// Code of the project's owner that runs when a user is deleted: on no version of PostgreSQL may it run with
// the rights of the platform's own role.
let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(
    `create table traces (user_id text references auth."user" (id) on delete cascade)`,
  );
});
afterAll(() => deployment.close());

const timings = [
  { name: 'before a cascade', trigger: 'create trigger spy before delete on traces' },
  { name: 'after a cascade', trigger: 'create trigger spy after delete on traces' },
  {
    name: 'at the end of the transaction',
    trigger: 'create constraint trigger spy after delete on traces deferrable initially deferred',
  },
];
const deeds = [
  { name: 'reads the hash of a session token', code: 'perform "tokenHash" from auth.session' },
  { name: 'reads a password', code: 'perform password from auth.account' },
  { name: 'goes back to the login', code: 'reset role; perform "tokenHash" from auth.session' },
  { name: 'becomes the engine', code: 'set role platform_engine' },
  { name: 'writes settings', code: 'delete from platform.app_settings' },
];

test.each(
  timings.flatMap((timing) =>
    deeds.map((deed) => ({
      name: `${deed.name} ${timing.name}`,
      trigger: timing.trigger,
      code: deed.code,
    })),
  ),
)('code that $name is refused', async ({ trigger, code }) => {
  await project.sql(`
    drop trigger if exists spy on traces;
    create or replace function spy() returns trigger language plpgsql as
      $$ begin ${code}; return old; end $$;
    ${trigger} for each row execute function spy();`);
  const user = await project.signUp(`${Math.random().toString(36).slice(2)}@example.org`);
  await project.sql('insert into traces values ($1)', [user.id]);
  const reply = await project.as(user, { method: 'DELETE', path: '/api/users/' });
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect((await project.as(user, { path: '/api/auth/get-session' })).text).toContain(user.id);
});

test('a trigger with the rights of its owner does its work, and the user is gone', async () => {
  await project.sql(`
    drop trigger if exists spy on traces;
    create table gone (user_id text);
    create function note() returns trigger language plpgsql security definer as
      $$ begin insert into public.gone values (old.user_id); return null; end $$;
    create trigger spy after delete on traces for each row execute function note();`);
  const user = await project.signUp('leaving@example.org');
  await project.sql('insert into traces values ($1)', [user.id]);
  expect((await project.as(user, { method: 'DELETE', path: '/api/users/' })).status).toBe(204);
  expect(await project.sql('select user_id from gone')).toEqual([{ user_id: user.id }]);
});
