// A control plane with projects of this release, and the context of a release that comes after it.
import { createProject, type ProjectsContext } from '#libs/control-plane';

import { projectRelease } from '../../libs/control-plane/src/provisioning/release.js';
import {
  type ControlPlaneFixture,
  databaseIdOf,
  uniqueWord,
} from '../console/control-plane-fixture.js';
import { withClient } from '../support/test-server.js';

/** The context of a release with one more migration, in a deployment where projects wait for `rowhouse upgrade`. */
export function laterContext(
  { context }: ControlPlaneFixture,
  added: { readonly name: string; readonly sql: string },
): ProjectsContext {
  const { migrations, superuserSteps } = context.release;
  return {
    ...context,
    holdsUpgrades: true,
    release: projectRelease([...migrations, added], superuserSteps),
  };
}

/** Makes a project with a table `notes` that has one row, and returns its ref. */
export async function projectWithNotes(fixture: ControlPlaneFixture): Promise<string> {
  const { context, actor, organizationId } = fixture;
  const ref = uniqueWord('u');
  const { databaseUrl } = await createProject(context, actor, {
    name: 'Shop',
    ref,
    organizationId,
  });
  await withClient(databaseUrl, (client) =>
    client.query('create table notes (id int primary key); insert into notes values (1)'),
  );
  return ref;
}

/** Runs a statement as the superuser in the database of a project. */
export async function inProject(
  fixture: ControlPlaneFixture,
  ref: string,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const url = new URL(fixture.databaseUrl);
  url.pathname = `/p_${await databaseIdOf(fixture, ref)}`;
  return withClient(url.href, async (client) => (await client.query(sql)).rows);
}

/** The databases on the server that are snapshots of the fixture's projects. */
export async function listSnapshotDatabases(fixture: ControlPlaneFixture): Promise<string[]> {
  const rows: { database: string }[] = await fixture.context.dataSource.query(
    'select database from project_snapshot',
  );
  return withClient(fixture.databaseUrl, async (client) => {
    const found = await client.query<{ datname: string }>(
      'select datname from pg_database where datname = any ($1)',
      [rows.map(({ database }) => database)],
    );
    return found.rows.map(({ datname }) => datname);
  });
}
