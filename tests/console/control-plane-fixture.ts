// A control plane of its own for a test file, with what it leaves on the server removed at the end.
import {
  createOrganization,
  createProject,
  deleteProject,
  openControlPlane,
  projectsContext,
  type AuditActor,
  type ControlPlane,
  type ProjectsContext,
} from '#libs/control-plane';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newDatabaseId } from '../../libs/control-plane/src/provisioning/names.js';
import { testDatabaseUrl, withClient } from '../support/test-server.js';

export interface Published {
  readonly topic: string;
  readonly data: unknown;
}

export interface ControlPlaneFixture extends AsyncDisposable {
  readonly controlPlane: ControlPlane;
  readonly context: ProjectsContext;
  readonly databaseName: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** What was published, in order. */
  readonly published: Published[];
  /** Of every project that was begun, in order. */
  readonly databaseIds: readonly string[];
  readonly actor: Exclude<AuditActor, 'system'>;
  /** An organization that the actor owns. */
  readonly organizationId: string;
  /** Makes a project with a ref that no other test uses. */
  newProject(idType?: 'text' | 'uuid'): Promise<NewProject>;
}

export interface NewProject {
  readonly ref: string;
  /** The connection string of its owner. */
  readonly url: string;
}

/** A word that no other test uses, good as a ref and in a database name. */
export const uniqueWord = (prefix: string): string => prefix + randomBytes(5).toString('hex');

export async function openFixture(databaseUrl = testDatabaseUrl()): Promise<ControlPlaneFixture> {
  const databaseName = uniqueWord('cp_test_');
  const dataDir = await mkdtemp(path.join(tmpdir(), 'rowhouse-test-'));
  const controlPlane = await openControlPlane({
    databaseUrl,
    databaseName,
    dataDir,
    masterKey: randomBytes(32),
    reservedRefs: [],
  });
  const published: Published[] = [];
  const publish = async (topic: string, data: unknown): Promise<void> => {
    published.push({ topic, data });
  };
  const databaseIds: string[] = [];
  const context: ProjectsContext = {
    ...projectsContext(controlPlane, publish),
    newDatabaseId() {
      const id = newDatabaseId();
      databaseIds.push(id);
      return id;
    },
  };
  const actor = await insertOperator(controlPlane, 'owner@test.example');
  const organizationId = await createOrganization(controlPlane.dataSource.manager, actor, {
    name: 'Test',
    ownerId: actor.operatorId,
  });
  return {
    controlPlane,
    context,
    databaseName,
    databaseUrl,
    dataDir,
    published,
    databaseIds,
    actor,
    organizationId,
    async newProject(idType = 'text') {
      const ref = uniqueWord('t');
      const input = { name: 'Test', ref, idType, organizationId };
      const { databaseUrl } = await createProject(context, actor, input);
      return { ref, url: databaseUrl };
    },
    async [Symbol.asyncDispose]() {
      const projects: { ref: string }[] =
        await controlPlane.dataSource.query('select ref from project');
      for (const { ref } of projects) await deleteProject(context, 'system', ref);
      await controlPlane.close();
      await rm(dataDir, { recursive: true, force: true });
      await withClient(databaseUrl, (client) =>
        client.query(`drop database if exists ${databaseName} with (force)`),
      );
    },
  };
}

/** An operator who cannot sign in: for what is tried below the routes. */
export async function insertOperator(
  controlPlane: ControlPlane,
  email: string,
): Promise<Exclude<AuditActor, 'system'>> {
  const operatorId = uniqueWord('op');
  await controlPlane.dataSource.query(
    'insert into operator (id, email, name) values ($1, $2, $2)',
    [operatorId, email],
  );
  return { operatorId, email, ip: '127.0.0.1', requestId: 'test' };
}

/** The database identifier of a project; undefined where there is no row. */
export async function databaseIdOf(
  { controlPlane }: ControlPlaneFixture,
  ref: string,
): Promise<string | undefined> {
  const rows: { id: string }[] = await controlPlane.dataSource.query(
    'select database_id as id from project where ref = $1',
    [ref],
  );
  return rows[0]?.id;
}

/** The identifiers that belong to no project of the fixture now: nothing may be left under them. */
async function orphans({ controlPlane, databaseIds }: ControlPlaneFixture): Promise<string[]> {
  const rows: { id: string }[] = await controlPlane.dataSource.query(
    'select database_id as id from project',
  );
  return databaseIds.filter((id) => !rows.some((row) => row.id === id));
}

/**
 * What the server, the control plane and the disk have of a project, with what is left on the server of projects that
 * are gone or were never finished.
 */
export async function tracesOf(fixture: ControlPlaneFixture, ref: string): Promise<string[]> {
  const { existsSync } = await import('node:fs');
  const own = await databaseIdOf(fixture, ref);
  const ids = [...(await orphans(fixture)), ...(own === undefined ? [] : [own])];
  const onServer = await withClient(fixture.databaseUrl, async (client) => {
    const reply = await client.query<{ trace: string }>(
      `select 'role ' || split_part(rolname, '_', 2) as trace from pg_roles
       where split_part(rolname, '_', 1) = any ($1)
       union all select 'database' from pg_database where datname = any ($2)
       order by 1`,
      [ids, ids.map((id) => `p_${id}`)],
    );
    return reply.rows.map(({ trace }) => trace);
  });
  const rows: { trace: string }[] = await fixture.controlPlane.dataSource.query(
    `select 'project row ' || status as trace from project where ref = $1
     union all select 'key row' from project_key where ref = $1
     union all select 'domain row' from project_domain where ref = $1`,
    [ref],
  );
  const folder = path.join(fixture.dataDir, 'projects', ref);
  return [
    ...onServer,
    ...rows.map(({ trace }) => trace),
    ...(existsSync(folder) ? ['folder'] : []),
  ];
}
