import {
  createProject,
  deleteProject,
  dropLeftoverLogins,
  getProjectRecord,
  listVersions,
  type ProjectsContext,
} from '#libs/control-plane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '../support/test-server.js';
import {
  openFixture,
  tracesOf,
  uniqueWord,
  type ControlPlaneFixture,
} from './control-plane-fixture.js';
import { failingAt } from './failing-step.js';
import { finishHalfDone } from './run-operations.js';

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

describe('deleting', () => {
  test('removes database, roles, rows and files, also while somebody is connected', async () => {
    const ref = uniqueWord('d');
    const { databaseUrl } = await createProject(fixture.context, fixture.actor, input(ref));
    await withClient(databaseUrl, async (client) => {
      client.on('error', () => undefined);
      await deleteProject(fixture.context, fixture.actor, ref);
    }).catch(() => undefined); // The server has ended the connection.
    expect(await tracesOf(fixture, ref)).toEqual([]);
    expect(await getProjectRecord(fixture.context, ref)).toBeUndefined();
    expect(fixture.published.at(-1)).toMatchObject({
      topic: `project.${ref}`,
      data: { kind: 'deleted' },
    });
  });

  test.each([
    'remove the objects',
    'drop the database',
    'note the logins',
    'remove the folder',
    'remove the row',
  ])('is finished at the next start after a failure at "%s"', async (step) => {
    const ref = uniqueWord('d');
    await createProject(fixture.context, fixture.actor, input(ref));
    const attempt = deleteProject(failingAt(fixture.context, step, 'before'), fixture.actor, ref);
    await expect(attempt).rejects.toThrow(`injected before ${step}`);
    expect(await getProjectRecord(fixture.context, ref)).toBeUndefined();
    expect(await finishHalfDone(fixture.context)).toEqual([ref]);
    expect(await tracesOf(fixture, ref)).toEqual([]);
  });

  test('drops the logins last: a failure there leaves nothing else of the project', async () => {
    const ref = uniqueWord('d');
    await createProject(fixture.context, fixture.actor, input(ref));
    const failing = failingAt(fixture.context, 'drop the roles', 'before');
    await expect(deleteProject(failing, fixture.actor, ref)).rejects.toThrow('injected');
    const left = await tracesOf(fixture, ref);
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter((trace) => !trace.startsWith('role '))).toEqual([]);
    expect(await dropLeftoverLogins(fixture.context)).toEqual([]);
    expect(await tracesOf(fixture, ref)).toEqual([]);
  });

  test('removes what is outside first, and waits where that fails, alone', async () => {
    const [stuck, fine] = [uniqueWord('d'), uniqueWord('d')];
    const removed: { ref: string; hasDataKey: boolean; isRecent: boolean }[] = [];
    const withStore = (isDown: boolean): ProjectsContext => ({
      ...fixture.context,
      removeObjects: ({ ref, dataKey }, { begunAt }) => {
        if (isDown && ref === stuck) return Promise.reject(new Error('the store is down'));
        const isRecent = Math.abs(Date.now() - begunAt.getTime()) < 60_000;
        removed.push({ ref, hasDataKey: dataKey.length === 32, isRecent });
        return Promise.resolve();
      },
    });
    for (const ref of [stuck, fine]) {
      await createProject(fixture.context, fixture.actor, input(ref));
      const crashing = failingAt(fixture.context, 'remove the objects', 'before');
      await expect(deleteProject(crashing, fixture.actor, ref)).rejects.toThrow('injected');
    }
    await expect(deleteProject(withStore(true), fixture.actor, stuck)).rejects.toThrow('down');
    const failed: string[] = [];
    const cleared = await finishHalfDone(withStore(true), (ref) => failed.push(ref));
    expect({ cleared, failed }).toEqual({ cleared: [fine], failed: [stuck] });
    expect(await tracesOf(fixture, stuck)).toContain('database');
    expect(await finishHalfDone(withStore(false))).toEqual([stuck]);
    expect(await tracesOf(fixture, stuck)).toEqual([]);
    expect(removed).toEqual(
      [fine, stuck].map((ref) => ({ ref, hasDataKey: true, isRecent: true })),
    );
  });

  test('asks nothing of the store again once the database is gone', async () => {
    const ref = uniqueWord('d');
    await createProject(fixture.context, fixture.actor, input(ref));
    const failing = failingAt(fixture.context, 'note the logins', 'before');
    await expect(deleteProject(failing, fixture.actor, ref)).rejects.toThrow('injected');
    const context: ProjectsContext = {
      ...fixture.context,
      removeObjects: () => Promise.reject(new Error('it was asked')),
    };
    expect(await finishHalfDone(context)).toEqual([ref]);
  });

  test('may be repeated after a failure', async () => {
    const ref = uniqueWord('d');
    await createProject(fixture.context, fixture.actor, input(ref));
    const failing = failingAt(fixture.context, 'note the logins', 'before');
    await expect(deleteProject(failing, fixture.actor, ref)).rejects.toThrow('injected');
    await deleteProject(fixture.context, fixture.actor, ref);
    expect(await tracesOf(fixture, ref)).toEqual([]);
  });

  test('a project made again under the ref is newer than the one before', async () => {
    const ref = uniqueWord('d');
    await createProject(fixture.context, fixture.actor, input(ref));
    const [old] = await listVersions(fixture.context, [ref]);
    await deleteProject(fixture.context, fixture.actor, ref);
    expect(await listVersions(fixture.context, [ref])).toEqual([]);
    await createProject(fixture.context, fixture.actor, input(ref));
    const [made] = await listVersions(fixture.context, [ref]);
    expect(made?.version).toBeGreaterThan(old?.version ?? Infinity);
  });

  test('an unknown ref is not found', async () => {
    const attempt = deleteProject(fixture.context, fixture.actor, 'nowhere');
    await expect(attempt).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' });
  });
});

test('a creation that a crash cut short is deleted without a use of its logins', async () => {
  const ref = uniqueWord('f');
  const context: ProjectsContext = {
    ...fixture.context,
    runSteps: async (steps) => {
      for (const step of steps.slice(0, 5)) await step.run();
      throw new Error('crashed');
    },
  };
  await expect(createProject(context, fixture.actor, input(ref))).rejects.toThrow('crashed');
  // Its engine may not connect: the rights were not granted.
  const removeObjects = () => Promise.reject(new Error('permission denied'));
  await deleteProject({ ...fixture.context, removeObjects }, fixture.actor, ref);
  expect(await tracesOf(fixture, ref)).toEqual([]);
});

test('a creation that a crash cut short is taken back at the next start, a running one is not', async () => {
  const ref = uniqueWord('f');
  const context: ProjectsContext = {
    ...fixture.context,
    // A crash takes nothing back: the steps run until the database is there.
    runSteps: async (steps) => {
      for (const step of steps.slice(0, 5)) await step.run();
      expect(await finishHalfDone(fixture.context)).toEqual([]);
      throw new Error('crashed');
    },
  };
  await expect(createProject(context, fixture.actor, input(ref))).rejects.toThrow('crashed');
  expect(await tracesOf(fixture, ref)).toContain('database');
  expect(await finishHalfDone(fixture.context)).toEqual([ref]);
  expect(await tracesOf(fixture, ref)).toEqual([]);
});
