// Changes that wait while their table is dropped, made again, renamed or altered: no policy has failed, and no binding
// ends.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { type HubStage, type Listener, openHubStage } from './hub-stage.js';
import { openStage, type Stage } from './support.js';

let project: ProjectFixture;
let stage: HubStage;
let judge: Stage;
beforeAll(async () => {
  project = await createProject();
  stage = await openHubStage(project);
  judge = await openStage(project);
});
afterAll(async () => {
  await stage.close();
  await project.drop();
});

const create = (name: string): string => `
  create table public.${name} (text text);
  create policy everybody on public.${name} using (text <> auth.uid());
  grant select on public.${name} to authenticated;`;
const textsIn = (client: Listener) =>
  client
    .frames('rt:pg')
    .flatMap(({ e }) => e as readonly { readonly d: { readonly new: { text: string } } }[])
    .map(({ d }) => d.new.text);
const codesIn = (client: Listener) => client.frames('rt:system').map(({ code }) => code);

test('the channels of a table that is made again continue with the new one, after a gap', async () => {
  await project.admin.query(create('drafts'));
  const client = await stage.connect({ kind: 'session', token: 'ada-token' });
  await client.join({ topic: 'drafts', config: { postgres_changes: [{ table: 'drafts' }] } });
  await project.admin.query('insert into public.drafts values (1)');
  stage.realtime.wake();
  await waitFor(() => textsIn(client).length > 0);
  await project.admin.query(
    `begin; insert into public.drafts values (2); drop table public.drafts; ${create('drafts')} commit`,
  );
  stage.realtime.wake();
  await waitFor(() => codesIn(client).length > 0);
  await waitFor(async () => {
    await project.admin.query('insert into public.drafts values (3)');
    stage.realtime.wake();
    return textsIn(client).includes('3');
  });
  expect(new Set(codesIn(client))).toEqual(new Set(['CHANGES_MISSED']));
  client.leave();
});

test.each([
  { name: 'dropped', sql: 'drop table public.dropped' },
  { name: 'remade', sql: `drop table public.remade; ${create('remade')}` },
])('a table that is $name is a gap for all', async ({ name, sql }) => {
  await project.admin.query(create(name));
  const changes = await judge.changes(`public.${name}`, `insert into public.${name} values (1)`);
  expect((await judge.ask(changes, ['u1'])).newVisible).toEqual(['1']);
  await project.admin.query(sql);
  const { errors, hasGap, newVisible, table } = await judge.ask(changes, ['u1', 'u2']);
  expect(errors.size).toBe(0);
  expect({ hasGap, newVisible, table }).toEqual({
    hasGap: true,
    newVisible: ['0', '0'],
    table: undefined,
  });
});

test('a table that is renamed keeps its changes', async () => {
  await project.admin.query(create('former'));
  const changes = await judge.changes('public.former', `insert into public.former values (1)`);
  expect((await judge.ask(changes, ['u1'])).table?.name).toBe('former');
  await project.admin.query('alter table public.former rename to latter');
  const { hasGap, newVisible, table } = await judge.ask(changes, ['u1', '1']);
  expect({ hasGap, newVisible, name: table?.name }).toEqual({
    hasGap: false,
    newVisible: ['1', '0'],
    name: 'latter',
  });
});

test('rows from before a column that no policy reads are decided as before', async () => {
  await project.admin.query(`
    create table public.grown (id int primary key, owner text);
    create policy own on public.grown using (owner = auth.uid());
    grant select on public.grown to authenticated`);
  const changes = await judge.changes('public.grown', `insert into public.grown values (1, 'u1')`);
  await project.admin.query(`
    alter table public.grown add column own bool; alter table public.grown add column uid text`);
  const { hasGap, newVisible } = await judge.ask(changes, ['u1', 'u2']);
  expect({ hasGap, newVisible }).toEqual({ hasGap: false, newVisible: ['1', '0'] });
});

test('rows from before a column that a policy reads are a gap for all', async () => {
  await project.admin.query(`
    create table public.sealed (id int primary key, body text);
    create policy everybody on public.sealed using (true);
    grant select on public.sealed to authenticated`);
  const changes = await judge.changes(
    'public.sealed',
    `insert into public.sealed values (1, 'a'), (2, repeat('x', 1100000))`,
  );
  const cut = changes.filter(({ isCut }) => isCut);
  expect([changes.length, cut.length]).toEqual([2, 1]);
  await project.admin.query(`
    alter table public.sealed add column is_secret bool;
    alter policy everybody on public.sealed using (is_secret is not true)`);
  const asked = async (some: typeof changes) => {
    const { errors, hasGap, newVisible } = await judge.ask(some, ['u1', 'u2']);
    return { errors: errors.size, hasGap, newVisible };
  };
  expect(await asked(changes)).toEqual({ errors: 0, hasGap: true, newVisible: ['00', '00'] });
  // So is a row that was cut when it was written; the next one is not concerned.
  expect(await asked(cut)).toEqual({ errors: 0, hasGap: true, newVisible: ['0', '0'] });
  const next = await judge.changes('public.sealed', `insert into public.sealed values (3, 'c')`);
  expect(await asked(next)).toEqual({ errors: 0, hasGap: false, newVisible: ['1', '1'] });
});
