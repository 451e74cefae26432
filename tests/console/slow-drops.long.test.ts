// The drop of a database waits for a checkpoint, for every session of the server, and for locks. Operators see for
// which, and the answer to a deletion does not wait for long. The server belongs to this file: it is held up.
import { deleteProject, type ProjectsContext, RemovalRunner } from '#libs/control-plane';
import { waitFor } from '#libs/testing';
import { dropDatabase } from '../../libs/control-plane/src/provisioning/drop-database.js';
import { noteStep, startOperation } from '../../libs/control-plane/src/operations/operations.js';
import { describe, expect, test } from 'vitest';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'pg';
import { useOwnControlPlane } from './own-control-plane.js';
import {
  type ControlPlaneFixture,
  databaseIdOf,
  type NewProject,
  tracesOf,
  uniqueWord,
} from './control-plane-fixture.js';
import { failingAt } from './failing-step.js';

let fixture: ControlPlaneFixture;
useOwnControlPlane((opened) => ({ fixture } = opened));

const query = <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  fixture.context.dataSource.query(sql, values);
const deletionsOf = (ref: string) =>
  query<{ state: string; step: string | null }>(
    `select state, step from operation where ref = $1 and kind = 'delete'`,
    [ref],
  );

type Release = () => Promise<unknown>;

/** Stops the process of the server that writes checkpoints. */
async function stopCheckpoints(): Promise<Release> {
  const found = await query<{ pid: number }>(
    `select pid from pg_catalog.pg_stat_activity where backend_type = 'checkpointer'`,
  );
  const pid = found[0]?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  return async () => process.kill(pid, 'SIGCONT');
}

/** Opens a connection that never sends its password. */
async function stallSignIn({ url }: NewProject): Promise<Release> {
  const { hostname, port, username, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const text = `user\0${username}\0database\0${pathname.slice(1)}\0\0`;
  const startup = Buffer.alloc(8 + text.length);
  startup.writeInt32BE(startup.length, 0);
  startup.writeInt32BE(196_608, 4);
  startup.write(text, 8);
  socket.write(startup);
  await once(socket, 'data');
  return async () => socket.destroy();
}

/** Locks the database `database` by a setting of a neighbor's login in it. */
async function holdLock({ url }: NewProject, database: string) {
  const holder = new Client({ connectionString: url });
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query(
    `begin; alter role current_user in database "${database}" set work_mem = '1MB'`,
  );
  return () => holder.end();
}

describe('the step of a deletion says that the drop waits for', () => {
  test.each<{
    readonly cause: string;
    readonly hold: (neighbor: NewProject, database: string) => Promise<Release>;
  }>([
    { cause: 'a checkpoint of the database server', hold: stopCheckpoints },
    { cause: 'a session of the database server that does not react', hold: stallSignIn },
    { cause: 'a session that holds a lock on the database', hold: holdLock },
  ])(
    '$cause',
    async ({ cause, hold }) => {
      const [victim, neighbor] = [await fixture.newProject(), await fixture.newProject()];
      const database = `p_${await databaseIdOf(fixture, victim.ref)}`;
      const release = await hold(neighbor, database);
      const deletion = deleteProject(fixture.context, fixture.actor, victim.ref);
      try {
        await waitFor(async () => (await deletionsOf(victim.ref))[0]?.step?.includes(':') === true);
        expect(await deletionsOf(victim.ref)).toEqual([
          { state: 'running', step: `drop the database: waits for ${cause}` },
        ]);
      } finally {
        await release();
      }
      await deletion;
      expect(await tracesOf(fixture, victim.ref)).toEqual([]);
    },
    60_000,
  );
});

test('the reason is taken back when the wait is over', async () => {
  const { ref } = await fixture.newProject();
  const database = `p_${await databaseIdOf(fixture, ref)}`;
  const release = await stopCheckpoints();
  const reasons: unknown[] = [];
  const dropped = dropDatabase(fixture.context.server, database, {
    onWait: async (reason) => void reasons.push(reason),
    onFailure: (error) => reasons.push(error),
  });
  try {
    await waitFor(async () => reasons.length > 0);
  } finally {
    await release();
  }
  await dropped;
  expect(reasons).toEqual(['a checkpoint of the database server', undefined]);
  await deleteProject(fixture.context, fixture.actor, ref);
}, 60_000);

test('a reason that cannot be recorded is reported, and the database is dropped', async () => {
  const { ref } = await fixture.newProject();
  const database = `p_${await databaseIdOf(fixture, ref)}`;
  const release = await stopCheckpoints();
  const failures: unknown[] = [];
  const dropped = dropDatabase(fixture.context.server, database, {
    onWait: () => Promise.reject(new Error('not recorded')),
    onFailure: (error) => failures.push(error),
  });
  try {
    await waitFor(async () => failures.length > 0);
  } finally {
    await release();
  }
  await dropped;
  expect(failures.map(String)).toEqual(['Error: not recorded']);
  expect(await query('select from pg_catalog.pg_database where datname = $1', [database])).toEqual(
    [],
  );
  await deleteProject(fixture.context, fixture.actor, ref);
}, 60_000);

/** Its callers wait for `maxWaitMs`; `late` has the failures after that. */
function runnerOf(maxWaitMs: number, limit?: number) {
  const late: unknown[] = [];
  const onLateFailure = (_ref: string, error: unknown) => late.push(error);
  return { runner: new RemovalRunner({ maxWaitMs, onLateFailure }, limit), late };
}

describe('a deletion that takes longer than its caller waits', () => {
  test('is answered, and finished without the caller', async () => {
    const { ref } = await fixture.newProject();
    const release = await stopCheckpoints();
    const { runner, late } = runnerOf(100);
    try {
      await deleteProject(fixture.context, fixture.actor, ref, runner);
      expect(await query('select status from project where ref = $1', [ref])).toEqual([
        { status: 'deleting' },
      ]);
      expect(await deletionsOf(ref)).toMatchObject([{ state: 'running' }]);
    } finally {
      await release();
    }
    await waitFor(async () => (await tracesOf(fixture, ref)).length === 0);
    expect(await deletionsOf(ref)).toMatchObject([{ state: 'done' }]);
    expect(late).toEqual([]);
  }, 60_000);

  test('reports a failure after that, and records it', async () => {
    const { ref } = await fixture.newProject();
    let fail = (): void => undefined;
    const failing = failingAt(fixture.context, 'remove the folder', 'before');
    const context: ProjectsContext = {
      ...failing,
      runSteps: async (steps) => {
        await new Promise<void>((resolve) => (fail = resolve));
        await failing.runSteps(steps);
      },
    };
    const { runner, late } = runnerOf(1);
    await deleteProject(context, fixture.actor, ref, runner);
    await waitFor(async () => (await deletionsOf(ref))[0]?.state === 'running');
    fail();
    await waitFor(async () => late.length === 1);
    expect(String(late[0])).toContain('injected before remove the folder');
    expect(await deletionsOf(ref)).toMatchObject([{ state: 'waiting' }]);
    await deleteProject(fixture.context, fixture.actor, ref);
  }, 60_000);

  test('ends after its step when the process stops, and leaves the rest to the worker', async () => {
    const { ref } = await fixture.newProject();
    const release = await stopCheckpoints();
    const { runner, late } = runnerOf(100);
    await deleteProject(fixture.context, fixture.actor, ref, runner);
    await waitFor(async () => (await deletionsOf(ref))[0]?.step?.startsWith('drop the d') === true);
    const closing = runner.close();
    await release();
    await closing;
    expect(runner.hasRoom).toBe(false);
    expect(await deletionsOf(ref)).toMatchObject([{ state: 'waiting' }]);
    expect(await query('select status from project where ref = $1', [ref])).toEqual([
      { status: 'deleting' },
    ]);
    expect(late).toEqual([]);
    await deleteProject(fixture.context, fixture.actor, ref);
    expect(await tracesOf(fixture, ref)).toEqual([]);
  }, 60_000);

  test('leaves the next one to the worker if as many run as may', async () => {
    const [first, second] = [await fixture.newProject(), await fixture.newProject()];
    const release = await stopCheckpoints();
    const { runner } = runnerOf(100, 1);
    try {
      await deleteProject(fixture.context, fixture.actor, first.ref, runner);
      await deleteProject(fixture.context, fixture.actor, second.ref, runner);
      expect(await deletionsOf(second.ref)).toEqual([{ state: 'waiting', step: null }]);
    } finally {
      await release();
    }
    await waitFor(async () => runner.hasRoom);
    await deleteProject(fixture.context, fixture.actor, second.ref, runner);
    // A busy machine needs longer than the caller waits.
    await waitFor(async () => runner.hasRoom);
    expect(await tracesOf(fixture, second.ref)).toEqual([]);
  }, 60_000);

  test('fails for its caller if it fails in time', async () => {
    const { ref } = await fixture.newProject();
    const { runner, late } = runnerOf(30_000);
    const failing = failingAt(fixture.context, 'remove the folder', 'before');
    const deletion = deleteProject(failing, fixture.actor, ref, runner);
    await expect(deletion).rejects.toThrow('injected');
    expect(late).toEqual([]);
    await deleteProject(fixture.context, fixture.actor, ref);
  }, 60_000);
});

test('the record of a step waits for no disk, and the session does afterwards', async () => {
  const { ref } = await fixture.newProject();
  const runner = fixture.context.dataSource.createQueryRunner();
  const owner = uniqueWord('attempt');
  try {
    await runner.query(`
      create table commits (synchronous text);
      create function note_commit() returns trigger language plpgsql as $$
      begin
        insert into commits values (pg_catalog.current_setting('synchronous_commit'));
        return null;
      end $$;
      create constraint trigger note_commit after update of step on operation
        deferrable initially deferred for each row execute function note_commit()`);
    await runner.query('set synchronous_commit = on');
    const { organizationId } = fixture;
    await startOperation(runner.manager, { kind: 'delete', ref, organizationId }, owner);
    await noteStep(runner.manager, owner, 'drop the database');
    expect(await runner.query('select synchronous from commits')).toEqual([{ synchronous: 'off' }]);
    expect(await runner.query('show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  } finally {
    await runner.query('reset synchronous_commit; drop trigger note_commit on operation');
    await runner.release();
    await deleteProject(fixture.context, fixture.actor, ref);
  }
}, 60_000);
