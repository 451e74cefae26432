// Triggers of the project's tables run when a user is deleted. They run in a session that can do nothing else, they
// can delete nobody else, and a deletion that the project's tables refuse has changed nothing.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { asSuperuser, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(`
    create table traces (user_id text references auth."user" (id) on delete cascade);
    create table spoils (who text, session text, what text);
    alter table spoils disable row level security;
    grant usage, create on schema public to public;
    grant insert on spoils to public;
    create function steal() returns void language plpgsql as $$
    declare loot text;
    begin
      begin
        select 'hash ' || "tokenHash"::text into loot from auth.session limit 1;
      exception when others then loot := sqlstate;
      end;
      insert into public.spoils values (current_user, session_user, loot);
    end $$;
    create schema evil;
    grant usage on schema evil to public;
    create function evil.check_json(value pg_catalog.jsonb) returns boolean language plpgsql as
      $$begin perform public.steal(); return true; end$$;
    create domain evil.jsonb as pg_catalog.jsonb check (evil.check_json(value));
    create function evil.check_text(value pg_catalog.text) returns boolean language plpgsql as
      $$begin perform public.steal(); return true; end$$;
    create domain evil.text as pg_catalog.text check (evil.check_text(value));`);
}, 60_000);
afterAll(() => deployment.close());

let people = 0;
async function newPerson(): Promise<SignedIn> {
  const user = await project.signUp(`person${(people += 1)}@example.org`);
  await project.sql('insert into traces values ($1)', [user.id]);
  return user;
}

beforeEach(() => project.sql('delete from spoils'));

const deleteSelf = (user: SignedIn) =>
  project.as(user, { method: 'DELETE', path: '/api/users', body: { password: userPassword } });
const deleteByAdmin = ({ id }: SignedIn) =>
  project.asService({ method: 'DELETE', path: `/api/admin/users/${id}` });
const isThere = async ({ id }: SignedIn) =>
  (await project.sql('select id from auth."user" where id = $1', [id])).length === 1;

const traps = [
  {
    name: 'puts types of its own on the search path of the session',
    code: `perform set_config('search_path', 'evil, pg_catalog, auth', false)`,
    timing: 'after',
  },
  {
    name: 'makes temporary types of the names of built-in ones',
    code: `execute 'create domain pg_temp.jsonb as pg_catalog.jsonb check (evil.check_json(value))';
           execute 'create domain pg_temp.text as pg_catalog.text check (evil.check_text(value))'`,
    timing: 'after',
    definer: true,
  },
  { name: 'steals at once', code: 'perform steal()', timing: 'after' },
  { name: 'steals before the row goes', code: 'perform steal()', timing: 'before' },
];

test.each(
  traps.flatMap((trap) => [
    { ...trap, by: 'the user', remove: deleteSelf },
    { ...trap, by: 'an administrator', remove: deleteByAdmin },
  ]),
)('a trigger that $name gains nothing when $by deletes', async (trap) => {
  await project.sql(`drop trigger if exists spy on traces;
    create or replace function spy() returns trigger language plpgsql
      ${trap.definer ? 'security definer' : ''} as $$begin ${trap.code}; return old; end$$;
    create trigger spy ${trap.timing} delete on traces for each row execute function spy()`);
  const user = await newPerson();
  expect((await trap.remove(user)).status).toBe(204);
  expect(await isThere(user)).toBe(false);
  await expectNothingStolen();
});

test('a trigger that is put off while others run gains nothing at the commit', async () => {
  await project.sql(`drop trigger if exists spy on traces;
    create table second (id int);
    alter table second disable row level security;
    grant insert on second to public;
    create function late() returns trigger language plpgsql as
      $$begin perform steal(); return null; end$$;
    create constraint trigger late after insert on second deferrable initially immediate
      for each row execute function late();
    create or replace function spy() returns trigger language plpgsql as $$begin
      set constraints late deferred; insert into public.second values (1); return null; end$$;
    create constraint trigger spy after delete on traces deferrable initially deferred
      for each row execute function spy();`);
  const user = await newPerson();
  expect((await deleteSelf(user)).status).toBe(204);
  await expectNothingStolen();
  await project.sql('drop trigger spy on traces');
});

/** Code ran, and neither as a role of the platform that may read nor with anything to show for it. */
async function expectNothingStolen(): Promise<void> {
  const rows = await project.sql('select who, session, what from spoils');
  for (const { who, session, what } of rows) {
    expect(what).toBe('42501');
    expect([project.login('owner'), project.login('deleter'), 'platform_deleter']).toContain(who);
    expect(session).toBe(project.login('deleter'));
  }
  const open = await asSuperuser('select from pg_stat_activity where usename = $1', {
    values: [project.login('deleter')],
  });
  expect(open).toEqual([]);
}

test('a trigger cannot delete another user along', async () => {
  const bystander = await newPerson();
  await project.sql(`drop trigger if exists spy on traces;
    create or replace function spy() returns trigger language plpgsql as $$begin
      delete from auth."user" where id = '${bystander.id}'; return null; end$$;
    create trigger spy after delete on traces for each row execute function spy()`);
  const user = await newPerson();
  expect((await deleteByAdmin(user)).status).toBeGreaterThanOrEqual(400);
  expect([await isThere(user), await isThere(bystander)]).toEqual([true, true]);
  await project.sql('drop trigger spy on traces');
});

test('a deletion that a table refuses changes nothing and tells nothing', async () => {
  await project.sql(`create table held (user_id text references auth."user" (id))`);
  const user = await newPerson();
  await project.sql('insert into held values ($1)', [user.id]);
  const told = async () =>
    asSuperuser(
      `select (select count(*) from platform.audit_log where target = $1)
         + (select count(*) from auth.user_deletion) as n`,
      { database: project.database, values: [user.id] },
    );
  expect((await deleteSelf(user)).status).toBe(409);
  expect((await deleteByAdmin(user)).status).toBe(409);
  expect(await told()).toEqual([{ n: '0' }]);
  expect((await project.as(user, { path: '/api/auth/get-session' })).text).toContain(user.id);
  await project.sql('drop table held');
  expect((await deleteByAdmin(user)).status).toBe(204);
  expect(await told()).toEqual([{ n: '1' }]);
});

test('two administrators who delete the same user at once delete it once', async () => {
  const user = await newPerson();
  const statuses = (await Promise.all([deleteByAdmin(user), deleteByAdmin(user)])).map(
    ({ status }) => status,
  );
  expect(statuses.toSorted()[0]).toBe(204);
  expect(await isThere(user)).toBe(false);
  const rows = await asSuperuser('select from platform.audit_log where target = $1', {
    database: project.database,
    values: [user.id],
  });
  expect(rows).toHaveLength(1);
});
