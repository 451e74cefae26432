import {
  createProject,
  ensureMigrated,
  findProject,
  listOperations,
  runOperation,
  setProjectStatus,
  type ProjectsContext,
} from '#libs/control-plane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '../support/test-server.js';
import {
  databaseIdOf,
  openFixture,
  uniqueWord,
  type ControlPlaneFixture,
} from './control-plane-fixture.js';
import { runOperations } from './run-operations.js';

let fixture: ControlPlaneFixture;
beforeAll(async () => {
  fixture = await openFixture();
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

const input = (ref: string): { name: string; ref: string; organizationId: string } => ({
  name: 'Shop',
  ref,
  organizationId: fixture.organizationId,
});

describe('finding by host', () => {
  test.each([
    {
      name: 'the ref below the root domain',
      host: (ref: string) => `${ref}.rows.test`,
      found: true,
    },
    { name: 'with a port', host: (ref: string) => `${ref}.rows.test:8000`, found: true },
    { name: 'in upper case', host: (ref: string) => `${ref}.ROWS.test`.toUpperCase(), found: true },
    { name: 'with a dot at the end', host: (ref: string) => `${ref}.rows.test.`, found: true },
    { name: 'a name below the ref', host: (ref: string) => `x.${ref}.rows.test`, found: false },
    { name: 'another root domain', host: (ref: string) => `${ref}.other.test`, found: false },
    { name: 'the root domain', host: () => 'rows.test', found: false },
    { name: 'an SQL pattern', host: () => '%.rows.test', found: false },
    { name: 'nothing', host: () => '', found: false },
  ])('$name: found is $found', async ({ host, found }) => {
    const ref = await anyProject();
    const record = await findProject(fixture.context, host(ref), 'rows.test');
    expect(record?.ref).toBe(found ? ref : undefined);
  });
});

let known: string | undefined;
async function anyProject(): Promise<string> {
  known ??= (await createProject(fixture.context, fixture.actor, input(uniqueWord('h')))).ref;
  return known;
}

describe('migrating', () => {
  const newer = (): ProjectsContext => ({
    ...fixture.context,
    release: {
      ...fixture.context.release,
      migrations: [
        ...fixture.context.release.migrations,
        {
          name: '9999_test',
          sql: 'create table if not exists platform.test_{{user_id}} (id int);',
        },
      ],
      hash: 'ffffffffffff',
    },
  });
  const hasTable = async (ref: string): Promise<boolean> =>
    withClient(await projectUrl(ref), async (client) => {
      const reply = await client.query(`select from pg_class where relname = 'test_text'`);
      return reply.rowCount === 1;
    });
  const projectUrl = async (ref: string): Promise<string> => {
    const url = new URL(fixture.databaseUrl);
    url.pathname = `/p_${await databaseIdOf(fixture, ref)}`;
    return url.href;
  };

  test('a project is brought to a newer release at its first use, once', async () => {
    const { ref } = await createProject(fixture.context, fixture.actor, input(uniqueWord('m')));
    expect(await hasTable(ref)).toBe(false);
    await Promise.all([ensureMigrated(newer(), ref), ensureMigrated(newer(), ref)]);
    expect(await hasTable(ref)).toBe(true);
  });

  test('a migration that fails at the first use is planned again', async () => {
    const { ref } = await createProject(fixture.context, fixture.actor, input(uniqueWord('m')));
    const database = `p_${await databaseIdOf(fixture, ref)}`;
    const allow = (isAllowed: boolean) =>
      withClient(fixture.databaseUrl, (client) =>
        client.query(`alter database ${database} allow_connections ${isAllowed}`),
      );
    await allow(false);
    await expect(ensureMigrated(newer(), ref)).rejects.toThrow();
    await allow(true);
    const [due]: [{ id: string }[], number] = await fixture.context.dataSource.query(
      `update operation set next_try_at = pg_catalog.now()
       where ref = $1 and finished_at is null returning id`,
      [ref],
    );
    const attempt = await runOperation(newer(), due[0]?.id ?? '', async () => undefined);
    expect(attempt).toMatchObject({ operation: { ref, kind: 'migrate' }, outcome: 'done' });
    expect(await hasTable(ref)).toBe(true);
  });

  test('operations migrate the rest, tell how far it is, and go on past a broken project', async () => {
    const { ref } = await createProject(fixture.context, fixture.actor, input(uniqueWord('m')));
    const broken = await createProject(fixture.context, fixture.actor, input(uniqueWord('m')));
    await withClient(fixture.databaseUrl, async (client) =>
      client.query(
        `alter database p_${await databaseIdOf(fixture, broken.ref)} allow_connections false`,
      ),
    );
    const failed = async () => {
      const attempts = await runOperations(newer(), ['migrate']);
      return attempts
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ operation }) => operation.ref);
    };
    const open = async () => {
      const viewer = { ...fixture.actor, isDeploymentAdmin: true };
      return listOperations(fixture.context.dataSource, viewer, { kind: 'migrate', limit: 50 });
    };
    expect(await failed()).toEqual([broken.ref]);
    expect(await hasTable(ref)).toBe(true);
    const state = { ref: broken.ref, state: 'waiting', lastError: expect.stringMatching(/55000/) };
    expect(await open()).toMatchObject({ operations: [{ ...state, attempts: 1 }] });
    expect(await failed()).toEqual([broken.ref]);
    expect(await open()).toMatchObject({ operations: [{ ...state, attempts: 2 }] });
  });
});

test('resuming a project repairs logins whose password was changed in SQL', async () => {
  const { ref, databaseUrl } = await createProject(
    fixture.context,
    fixture.actor,
    input(uniqueWord('r')),
  );
  const stored = (): Promise<string | undefined> =>
    withClient(fixture.databaseUrl, async (client) => {
      const reply = await client.query<{ password: string }>(
        'select rolpassword as password from pg_authid where rolname = $1',
        [new URL(databaseUrl).username],
      );
      return reply.rows[0]?.password;
    });
  await withClient(databaseUrl, (client) =>
    client.query(`alter role current_user password 'other'`),
  );
  const changed = await stored();
  await setProjectStatus(fixture.context, fixture.actor, { ref, status: 'active' });
  expect(await stored()).not.toBe(changed);
});
