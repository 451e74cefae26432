// The superuser's first migrations run once in a database. The control plane knows whether they have run: what the
// database itself shows can be the work of its owner.
import { upgradeProject, type ProjectsContext } from '#libs/control-plane';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { openFixture, type ControlPlaneFixture } from '../console/control-plane-fixture.js';
import { inProject, laterContext, projectWithNotes } from './upgrade-fixture.js';

let fixture: ControlPlaneFixture;
let later: ProjectsContext;
let ref: string;
beforeAll(async () => {
  fixture = await openFixture();
  later = laterContext(fixture, { name: '9990_more', sql: 'create table platform.more (id int)' });
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);
beforeEach(async () => {
  ref = await projectWithNotes(fixture);
});

const hasFoundation = async (): Promise<unknown> => {
  const [row]: unknown[] = await fixture.context.dataSource.query(
    'select has_foundation as "hasFoundation" from project where ref = $1',
    [ref],
  );
  return row;
};

test.each([{ withSnapshot: false }, { withSnapshot: true }])(
  'a database that looks new gets no migration of the superuser again: %o',
  async (options) => {
    expect(await hasFoundation()).toEqual({ hasFoundation: true });
    // As an owner who has the rights of the platform's role could do.
    const hide = 'set session_replication_role = replica; alter schema platform rename to gone';
    await inProject(fixture, ref, hide);
    expect(await upgradeProject(later, ref, options)).toMatchObject({ ref, outcome: 'failed' });
    const found = await inProject(fixture, ref, `select to_regnamespace('platform') as platform`);
    expect(found).toEqual([{ platform: null }]);
  },
);

test('a project whose foundation was not recorded any more is upgraded, and it is recorded', async () => {
  await fixture.context.dataSource.query(
    'update project set has_foundation = false where ref = $1',
    [ref],
  );
  const options = { withSnapshot: false };
  expect(await upgradeProject(later, ref, options)).toMatchObject({ outcome: 'upgraded' });
  expect(await hasFoundation()).toEqual({ hasFoundation: true });
  const schemas = await inProject(
    fixture,
    ref,
    `select nspname as schema from pg_namespace where nspname ~ 'realtime' and to_regclass('realtime.kept') is not null`,
  );
  expect(schemas).toEqual([{ schema: 'realtime' }]);
});

test('a project whose upgrade is taken back has the foundation that its snapshot has', async () => {
  await fixture.context.dataSource.query(
    'update project set has_foundation = false where ref = $1',
    [ref],
  );
  const bad = laterContext(fixture, { name: '9991_bad', sql: 'select * from platform.nothing' });
  expect(await upgradeProject(bad, ref, { withSnapshot: true })).toMatchObject({
    outcome: 'failed',
  });
  expect(await hasFoundation()).toEqual({ hasFoundation: false });
});
