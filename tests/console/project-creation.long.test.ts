import { createProject, getProjectRecord, type ProjectsContext } from '#libs/control-plane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { namesOf, newDatabaseId } from '../../libs/control-plane/src/provisioning/names.js';
import { withClient } from '../support/test-server.js';
import {
  databaseIdOf,
  openFixture,
  tracesOf,
  uniqueWord,
  type ControlPlaneFixture,
} from './control-plane-fixture.js';
import { failingAt } from './failing-step.js';
import { creationSteps } from './project-steps.js';

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

async function connectedDatabase(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const reply = await client.query<{ name: string }>('select current_database() as name');
    return reply.rows[0]?.name ?? '';
  });
}

describe('creating', () => {
  test('a project has a database, roles, keys, a folder and a record', async () => {
    const ref = uniqueWord('a');
    const created = await createProject(fixture.context, fixture.actor, input(ref));
    expect(created.publishableKey).toMatch(/^svc_publishable_/);
    expect(created.secretKey).toMatch(/^svc_secret_/);
    const databaseId = await databaseIdOf(fixture, ref);
    expect(await connectedDatabase(created.databaseUrl)).toBe(`p_${databaseId}`);
    expect(await tracesOf(fixture, ref)).toEqual([
      'database',
      'role api',
      'role deleter',
      'role editor',
      'role engine',
      'role lab',
      'role owner',
      'role platform',
      'project row active',
      'key row',
      'key row',
      'folder',
    ]);
    const record = await getProjectRecord(fixture.context, ref);
    expect(record).toMatchObject({
      ref,
      name: 'Shop',
      status: 'active',
      idType: 'text',
      domains: [],
    });
    expect(record?.dataKey).toHaveLength(32);
    expect(fixture.published).toContainEqual({
      topic: `project.${ref}`,
      data: { kind: 'record', version: record?.version },
    });
  });

  test('each of the logins of the record works', async () => {
    const ref = uniqueWord('a');
    await createProject(fixture.context, fixture.actor, { ...input(ref), idType: 'uuid' });
    const record = await getProjectRecord(fixture.context, ref);
    if (record === undefined) throw new Error('no record');
    const { host, port, name, logins } = record.database;
    for (const { user, password } of Object.values(logins)) {
      const url = new URL(`postgres://${user}:${password}@localhost:${port}/${name}`);
      url.searchParams.set('host', host);
      expect(await connectedDatabase(url.href)).toBe(name);
    }
    expect(record.idType).toBe('uuid');
  });

  test('a ref is generated when none is given', async () => {
    const { organizationId } = fixture;
    const created = await createProject(fixture.context, fixture.actor, {
      name: 'x',
      organizationId,
    });
    expect(created.ref).toMatch(/^[a-z][a-z0-9]{11}$/);
  });

  test('neither keys nor passwords are in the control-plane database', async () => {
    const created = await createProject(fixture.context, fixture.actor, input(uniqueWord('a')));
    const password = new URL(created.databaseUrl).password;
    const tables: { name: string }[] = await fixture.controlPlane.dataSource.query(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(8);
    for (const { name } of tables) {
      const rows: { row: string }[] = await fixture.controlPlane.dataSource.query(
        `select t::text as row from ${name} t`,
      );
      for (const secret of [created.secretKey, created.publishableKey, password]) {
        expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
      }
    }
  });

  test('the same ref twice is refused, and the first project stays', async () => {
    const ref = uniqueWord('a');
    await createProject(fixture.context, fixture.actor, input(ref));
    const before = await tracesOf(fixture, ref);
    await expect(createProject(fixture.context, fixture.actor, input(ref))).rejects.toMatchObject({
      code: 'REF_TAKEN',
    });
    expect(await tracesOf(fixture, ref)).toEqual(before);
  });

  test('of ten at once under one ref, one is made', async () => {
    const ref = uniqueWord('a');
    const attempts = await Promise.allSettled(
      Array.from({ length: 10 }, () => createProject(fixture.context, fixture.actor, input(ref))),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await tracesOf(fixture, ref)).toContain('database');
  });

  test('six at once under different refs are all made', async () => {
    const refs = Array.from({ length: 6 }, () => uniqueWord('a'));
    const created = await Promise.all(
      refs.map((ref) => createProject(fixture.context, fixture.actor, input(ref))),
    );
    expect(created.map(({ ref }) => ref)).toEqual(refs);
  });

  test('an unknown organization is refused and nothing is made', async () => {
    const ref = uniqueWord('a');
    const attempt = createProject(fixture.context, fixture.actor, {
      ...input(ref),
      organizationId: 'nowhere',
    });
    await expect(attempt).rejects.toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' });
    expect(await tracesOf(fixture, ref)).toEqual([]);
  });
});

describe('a failure leaves nothing behind', () => {
  const failures = creationSteps.flatMap((name) => [
    { name, when: 'before' as const },
    { name, when: 'after' as const },
  ]);
  test.each(failures)('$when "$name"', async ({ name, when }) => {
    const ref = uniqueWord('f');
    const attempt = createProject(
      failingAt(fixture.context, name, when),
      fixture.actor,
      input(ref),
    );
    await expect(attempt).rejects.toThrow(`injected ${when} ${name}`);
    expect(await tracesOf(fixture, ref)).toEqual([]);
    expect(fixture.published.filter(({ topic }) => topic === `project.${ref}`)).toEqual([]);
    // The ref is free again.
    await createProject(fixture.context, fixture.actor, input(ref));
  });

  test('the table above names every step', async () => {
    const seen: string[] = [];
    const context: ProjectsContext = {
      ...fixture.context,
      runSteps: async (steps) => {
        seen.push(...steps.map(({ name }) => name));
        await fixture.context.runSteps(steps);
      },
    };
    await createProject(context, fixture.actor, input(uniqueWord('a')));
    expect(seen).toEqual(creationSteps);
  });

  test('a role of somebody else under one of the names is kept', async () => {
    const ref = uniqueWord('f');
    const databaseId = newDatabaseId();
    const role = namesOf(databaseId).api;
    await withClient(fixture.databaseUrl, (client) => client.query(`create role ${role}`));
    try {
      const context = { ...fixture.context, newDatabaseId: () => databaseId };
      const attempt = createProject(context, fixture.actor, input(ref));
      await expect(attempt).rejects.toMatchObject({ code: 'REF_TAKEN' });
      const [left] = await withClient(fixture.databaseUrl, async (client) => {
        const reply = await client.query('select from pg_roles where rolname = $1', [role]);
        return reply.rows;
      });
      expect(left).toBeDefined();
    } finally {
      await withClient(fixture.databaseUrl, (client) => client.query(`drop role ${role}`));
    }
  });

  test('files left under the ref are not given to the new project', async () => {
    const ref = uniqueWord('f');
    await mkdir(path.join(fixture.dataDir, 'projects', ref), { recursive: true });
    const attempt = createProject(fixture.context, fixture.actor, input(ref));
    await expect(attempt).rejects.toMatchObject({ code: 'REF_TAKEN' });
    expect(await tracesOf(fixture, ref)).toEqual(['folder']);
  });
});

test('templates that another release dropped are made again', async () => {
  const templatePrefix = uniqueWord('tt_');
  const context = { ...fixture.context, templatePrefix };
  const ref = uniqueWord('a');
  await createProject(context, fixture.actor, input(ref));
  expect(await tracesOf(fixture, ref)).toContain('database');
  await withClient(fixture.databaseUrl, async (client) => {
    for (const idType of ['text', 'uuid']) {
      const name = `${templatePrefix}_${idType}_${context.release.hash}`;
      await client.query(`alter database ${name} is_template false`);
      await client.query(`drop database ${name}`);
    }
  });
}, 60_000);
