import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepExpired } from '#libs/auth-engine';
import { openAuthProject, signUp, type AuthProject } from './auth-project.js';
import { bearer, textAt } from '../support/replies.js';

const on = { 'auth.methods.anonymous': { enabled: true } };

interface Guest {
  readonly id: string;
  readonly token: string;
}

async function newGuest(project: AuthProject): Promise<Guest> {
  const { body } = await project.post('/sign-in/anonymous', { body: {} });
  return { id: textAt(body, 'user', 'id'), token: textAt(body, 'token') };
}

async function userRow(project: AuthProject, id: string) {
  const [row] = await project.sql('select id from auth."user" where id = $1', [id]);
  return row;
}

describe('the sweep of guests', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({ settings: on });
  });
  afterAll(() => project.close());

  const keepGuestsDays = 30;
  const sweep = () =>
    sweepExpired(project.pool, { keepGuestsDays, runDeletion: project.runDeletion });
  const isThere = async ({ id }: Guest) => (await userRow(project, id)) !== undefined;

  /** A guest who was made so many days ago and whose session ended so many days ago. */
  async function guestOf(ages: { made: number; ended: number }): Promise<Guest> {
    const guest = await newGuest(project);
    await project.sql(
      `update auth."user" set "updatedAt" = now() - make_interval(days => $2) where id = $1`,
      [guest.id, ages.made],
    );
    await project.sql(
      `update auth.session set "expiresAt" = now() - make_interval(days => $2) where "userId" = $1`,
      [guest.id, ages.ended],
    );
    return guest;
  }

  test.each([
    { name: 'whose session ended long ago goes', made: 60, ended: 31, stays: false },
    { name: 'whose session ended lately stays', made: 60, ended: 29, stays: true },
    { name: 'who has a session stays', made: 60, ended: -1, stays: true },
    { name: 'who is young stays', made: 1, ended: 60, stays: true },
  ])('a guest $name', async ({ stays, ...ages }) => {
    const guest = await guestOf(ages);
    await sweep();
    expect(await isThere(guest)).toBe(stays);
  });

  test('the session that tells when a guest was here is kept until then', async () => {
    const guest = await guestOf({ made: 60, ended: 10 });
    await sweep();
    const sessions = await project.sql('select 1 from auth.session where "userId" = $1', [
      guest.id,
    ]);
    expect(sessions).toHaveLength(1);
    expect(await sweepExpired(project.pool, { runDeletion: project.runDeletion })).toMatchObject({
      sessions: expect.any(Number),
    });
    expect(await isThere(guest)).toBe(true);
  });

  test('a guest who signs out is kept from then on', async () => {
    const guest = await newGuest(project);
    await project.sql(
      `update auth."user" set "updatedAt" = now() - interval '60 days' where id = $1`,
      [guest.id],
    );
    await project.post('/sign-out', { headers: bearer(guest.token), body: {} });
    await sweep();
    expect(await isThere(guest)).toBe(true);
  });

  test('accounts that are permanent stay, however old', async () => {
    const { body } = await signUp(project, 'old@example.com');
    const id = textAt(body, 'user', 'id');
    await project.sql(
      `update auth."user" set "updatedAt" = now() - interval '900 days' where id = $1`,
      [id],
    );
    await project.sql('delete from auth.session where "userId" = $1', [id]);
    await sweep();
    expect(await isThere({ id, token: '' })).toBe(true);
  });

  test('a guest that a table of the project holds on to stays, and the others go', async () => {
    const held = await guestOf({ made: 60, ended: 40 });
    const free = await guestOf({ made: 60, ended: 40 });
    await project.sql(
      `create table public.orders (user_id text not null references auth."user" (id) on delete restrict)`,
    );
    await project.sql('insert into public.orders values ($1)', [held.id]);
    expect(await sweep()).toMatchObject({ guests: 1 });
    expect([await isThere(held), await isThere(free)]).toEqual([true, false]);
  });

  test('a guest whom a trigger of the project holds on to stays, and the others go', async () => {
    const held = await guestOf({ made: 60, ended: 40 });
    const free = await guestOf({ made: 60, ended: 40 });
    await project.sql(`
      create table public.carts (user_id text references auth."user" (id) on delete cascade);
      create function public.keep() returns trigger language plpgsql as
        $$begin raise exception 'a cart is kept'; end$$;
      create trigger keep before delete on public.carts for each row execute function public.keep()`);
    await project.sql('insert into public.carts values ($1)', [held.id]);
    expect(await sweep()).toMatchObject({ guests: 1 });
    expect([await isThere(held), await isThere(free)]).toEqual([true, false]);
  });

  test('without a number of days no guest goes', async () => {
    const guest = await guestOf({ made: 900, ended: 800 });
    expect(
      await sweepExpired(project.pool, { runDeletion: project.runDeletion }),
    ).not.toHaveProperty('guests');
    expect(await isThere(guest)).toBe(true);
  });
});
