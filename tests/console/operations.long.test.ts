// Work on projects that is not finished is seen by those who may see the project, and tried again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createProject,
  deleteProject,
  leaseDue,
  planRepair,
  noteUse,
  planSweeps,
  planUnfinished,
  runOperation,
} from '#libs/control-plane';

import { startConsole, type TestConsole } from './console-under-test.js';
import { tracesOf, uniqueWord } from './control-plane-fixture.js';
import { failingAt } from './failing-step.js';
import { type OwnedProject, addMember, openOwnedProject } from './members-fixture.js';
import { finishHalfDone } from './run-operations.js';

let console: TestConsole;
let owned: OwnedProject;
let owner: string;
let admin: string;
beforeAll(async () => {
  console = await startConsole();
  owned = await openOwnedProject(console);
  owner = (await addMember(console, owned, { role: 'owner' })).token;
  admin = await console.signIn(console.admin.email, console.admin.password);
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
}, 60_000);

const query = (sql: string, values: unknown[] = []) =>
  console.fixture.controlPlane.dataSource.query(sql, values);
const input = (ref: string) => ({ name: 'Shop', ref, organizationId: owned.organizationId });
const list = async (token: string, search = '') =>
  (await console.call('GET', `/platform/operations${search}`, { token })).body.operations;

/** Leaves a creation as a crash of the server leaves it: nothing is taken back. */
async function abandon(ref: string): Promise<void> {
  const { context, actor } = console.fixture;
  const crashing: typeof context = {
    ...context,
    runSteps: async (steps) => {
      for (const step of steps) {
        await step.run();
        if (step.name === 'create the roles and the database') break;
      }
      throw Object.assign(new Error('password=hunter2'), { code: 'ECONNRESET' });
    },
  };
  await expect(createProject(crashing, actor, input(ref))).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    message: expect.not.stringContaining('hunter2'),
    cause: { message: 'password=hunter2' },
  });
}

/** A deletion that fails at a step. */
async function failToDelete(ref: string): Promise<void> {
  const { context, actor } = console.fixture;
  const failing = failingAt(context, 'remove the folder', 'after');
  await expect(deleteProject(failing, actor, ref)).rejects.toThrow('injected');
}

test('a creation that an outage broke is seen, is no obstacle to its deletion, and frees its ref', async () => {
  const ref = uniqueWord('o');
  await abandon(ref);
  expect(await list(owner, `?ref=${ref}`)).toMatchObject([
    {
      kind: 'create',
      ref,
      organizationId: owned.organizationId,
      state: 'waiting',
      step: 'create the roles and the database',
      attempts: 1,
      lastError: 'The database cannot be reached right now',
      since: expect.any(String),
      nextTryAt: expect.any(String),
    },
  ]);
  const path = `/platform/projects/${ref}`;
  const read = await console.call('GET', path, { token: owner });
  expect(read).toMatchObject({ status: 200, body: { status: 'creating' } });
  const again = { token: owner, body: input(ref) };
  const early = await console.call('POST', '/platform/projects', again);
  expect(early).toMatchObject({ status: 409, body: { code: 'REF_BEING_RELEASED' } });
  expect(early.body.message).toContain(ref);
  const deleted = await console.call('DELETE', path, { token: owner, body: { ref } });
  expect(deleted.status).toBe(204);
  expect(await tracesOf(console.fixture, ref)).toEqual([]);
  expect(await list(owner, `?ref=${ref}`)).toEqual([]);
  expect((await console.call('POST', '/platform/projects', again)).status).toBe(201);
  await deleteProject(console.fixture.context, 'system', ref);
});

test('a creation that goes on is not deleted, and its ref is taken', async () => {
  const ref = uniqueWord('o');
  const { context, actor } = console.fixture;
  const replies: unknown[] = [];
  const watched: typeof context = {
    ...context,
    runSteps: (steps) =>
      context.runSteps([
        ...steps.slice(0, 3),
        {
          name: 'look',
          run: async () => {
            const call = (method: string, path: string, body: object) =>
              console.call(method, path, { token: owner, body });
            const target = `/platform/projects/${ref}`;
            replies.push((await call('DELETE', target, { ref })).body.code);
            replies.push((await call('POST', '/platform/projects', input(ref))).body.code);
            replies.push((await list(owner, `?ref=${ref}`))[0].state);
          },
          undo: async () => undefined,
        },
        ...steps.slice(3),
      ]),
  };
  await createProject(watched, actor, input(ref));
  expect(replies).toEqual(['CONFLICT', 'REF_TAKEN', 'running']);
  expect(await list(owner, `?ref=${ref}&state=done`)).toMatchObject([
    { kind: 'create', step: 'activate', nextTryAt: null, finishedAt: expect.any(String) },
  ]);
  await deleteProject(context, 'system', ref);
});

test('members see the operations of their projects, administrators all, others none', async () => {
  const ref = uniqueWord('o');
  const { context, actor } = console.fixture;
  await createProject(context, actor, input(ref));
  await failToDelete(ref);
  const neighbor = await openOwnedProject(console);
  const stranger = (await addMember(console, neighbor, { role: 'owner' })).token;
  const projectOwner = (await addMember(console, owned, { role: 'owner' }, 'project')).token;
  const viewer = (await addMember(console, owned, { role: 'viewer' })).token;
  const refs = async (token: string) =>
    (await list(token)).map((operation: { ref: string }) => operation.ref);
  expect(await refs(owner)).toEqual([ref]);
  expect(await refs(viewer)).toEqual([ref]);
  expect(await refs(admin)).toEqual([ref]);
  const page = async (search: string) =>
    (await console.call('GET', `/platform/operations?ref=${ref}&state=${search}`, { token: owner }))
      .body;
  const first = await page('waiting&limit=1');
  expect(first).toMatchObject({ operations: [{ kind: 'delete' }], next: null });
  const both = await query('select id from operation where ref = $1 order by id desc', [ref]);
  expect(both).toHaveLength(2);
  await query('update operation set state = $2 where id = $1', [both[1].id, 'waiting']);
  const { next } = await page('waiting&limit=1');
  expect(next).toBe(both[0].id);
  expect(await page(`waiting&limit=1&before=${next}`)).toMatchObject({
    operations: [{ id: both[1].id }],
    next: null,
  });
  await query('update operation set state = $2 where id = $1', [both[1].id, 'done']);
  expect(await refs(stranger)).toEqual([]);
  expect(await refs(projectOwner)).toEqual([]);
  const [{ id }] = await list(owner);
  const retry = (token: string, wanted = id) =>
    console.call('POST', `/platform/operations/${wanted}/retry`, { token });
  expect(await retry(stranger)).toMatchObject({ status: 404 });
  expect(await retry(projectOwner)).toMatchObject({ status: 404 });
  expect(await retry(viewer)).toMatchObject({ status: 403, body: { code: 'CAPABILITY_REQUIRED' } });
  for (const wanted of ['unknown', '999999', '1'.repeat(30)]) {
    expect(await retry(owner, wanted)).toMatchObject({
      status: 404,
      body: { code: 'OPERATION_NOT_FOUND' },
    });
  }
  const planned = async () => new Date((await list(owner))[0].nextTryAt).getTime();
  await query(
    `update operation set next_try_at = pg_catalog.now() + '1 h'::pg_catalog.interval where id = $1`,
    [id],
  );
  expect(await planned()).toBeGreaterThan(Date.now() + 3_000_000);
  expect((await retry(owner)).status).toBe(200);
  expect(await planned()).toBeLessThan(Date.now() + 60_000);
  expect(await finishHalfDone(context)).toEqual([ref]);
  expect(await retry(owner)).toMatchObject({ status: 404 });
});

test('retries come after 5 s, 15 s and 60 s, and after the deadline the state is failed', async () => {
  const ref = uniqueWord('o');
  const { context, actor } = console.fixture;
  await createProject(context, actor, input(ref));
  await failToDelete(ref);
  const pauses: number[] = [];
  const failing = failingAt(context, 'remove the folder', 'after');
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const [operation] = await list(owner, `?ref=${ref}`);
    expect(operation).toMatchObject({
      state: 'waiting',
      step: 'remove the folder',
      attempts: attempt,
    });
    pauses.push(Math.round((new Date(operation.nextTryAt).getTime() - Date.now()) / 5_000) * 5);
    if (attempt === 4)
      await query('update operation set deadline = pg_catalog.now() where id = $1', [operation.id]);
    await query('update operation set next_try_at = pg_catalog.now() where id = $1', [
      operation.id,
    ]);
    const went = await runOperation(failing, operation.id, async () => undefined);
    expect(went).toMatchObject({ outcome: 'failed', operation: { ref, kind: 'delete' } });
  }
  expect(pauses).toEqual([5, 15, 60, 60]);
  expect(await list(owner, `?ref=${ref}`)).toMatchObject([{ state: 'failed', attempts: 5 }]);
  expect(await finishHalfDone(context)).toEqual([ref]);
});

test('a round sweeps every project once, a few at a time, and goes on past one that fails', async () => {
  const { context, actor } = console.fixture;
  const refs = Array.from({ length: 6 }, () => uniqueWord('s')).sort();
  for (const ref of refs) await createProject(context, actor, input(ref));
  const others: { ref: string }[] = await query(
    'select ref from project where ref <> all ($1) and status = $2',
    [refs, 'active'],
  );
  // Of two processes that begin the round at the same time.
  await Promise.all([planSweeps(context), planSweeps(context)]);
  const swept: string[] = [];
  const sweep = async (ref: string) => {
    swept.push(ref);
    if (ref === refs[0]) throw new Error('it says: password=hunter2');
  };
  const sizes: number[] = [];
  for (;;) {
    const batches = await Promise.all([leaseDue(context.dataSource), leaseDue(context.dataSource)]);
    const due = batches.flat();
    if (due.length === 0) break;
    sizes.push(due.length);
    for (const { id } of due) await runOperation(context, id, sweep);
  }
  expect(swept.toSorted()).toEqual([...refs, ...others.map(({ ref }) => ref)].toSorted());
  expect(Math.max(...sizes)).toBe(4);
  const open = await list(owner, '?kind=sweep');
  expect(open).toMatchObject([{ ref: refs[0], state: 'waiting', attempts: 1 }]);
  expect(open[0].lastError).not.toContain('hunter2');
  expect(await list(admin, '?kind=sweep&state=done')).toEqual([]);
  for (const ref of refs) await deleteProject(context, 'system', ref);
}, 60_000);

test('a round sweeps what was used since its last sweep, and everything once a day', async () => {
  const { context, actor } = console.fixture;
  const refs = [uniqueWord('s'), uniqueWord('s'), uniqueWord('s')].sort();
  const [idle = '', used = '', long = ''] = refs;
  for (const ref of refs) await createProject(context, actor, input(ref));
  await query(`update project set used_at = used_at - '1 h'::pg_catalog.interval`);
  const round = async (): Promise<readonly string[]> => {
    const swept: string[] = [];
    await planSweeps(context);
    for (;;) {
      const due = await leaseDue(context.dataSource);
      if (due.length === 0) break;
      for (const { id } of due) {
        await runOperation(context, id, async (ref) => {
          // Its last request comes while it is swept.
          if (ref === used) await noteUse(context, [ref]);
          swept.push(ref);
        });
      }
    }
    return swept.filter((ref) => refs.includes(ref)).toSorted();
  };
  expect(await round()).toEqual(refs);
  await query(
    `update project set swept_at = swept_at - '25 hours'::pg_catalog.interval,
       used_at = used_at - '26 hours'::pg_catalog.interval where ref = $1`,
    [long],
  );
  expect(await round()).toEqual([long, used].toSorted());
  expect(await round()).toEqual([used]);
  await query(`update project set used_at = swept_at - '1 s'::pg_catalog.interval where ref = $1`, [
    used,
  ]);
  expect(await round()).toEqual([]);
  await noteUse(context, [idle]);
  expect(await round()).toEqual([idle]);
  for (const ref of refs) await deleteProject(context, 'system', ref);
}, 60_000);

test('a repair that failed is an operation', async () => {
  const { context } = console.fixture;
  const locked = Object.assign(new Error('locked'), { code: 'ECONNREFUSED' });
  await planRepair(context, owned.ref, locked);
  await planRepair(context, owned.ref, locked);
  const open = await list(owner, '?kind=repair-logins');
  expect(open).toMatchObject([{ ref: owned.ref, attempts: 1, state: 'waiting' }]);
  await query('update operation set next_try_at = pg_catalog.now() where id = $1', [open[0].id]);
  await runOperation(context, open[0].id, async () => undefined);
  expect(await list(owner, '?kind=repair-logins')).toEqual([]);
});

test('an attempt whose process died is followed by another one, a living one is not', async () => {
  const { context } = console.fixture;
  await query(`update project set migrated_to = 'older' where ref = $1`, [owned.ref]);
  await planUnfinished(context);
  const [{ id }] = await list(owner, '?kind=migrate');
  const lease = (sql: string) =>
    query(
      `update operation set state = 'running', owner = 'dead', leased_until = ${sql} where id = $1`,
      [id],
    );
  await lease(`pg_catalog.now() + '5 s'::pg_catalog.interval`);
  expect(await leaseDue(context.dataSource)).toEqual([]);
  expect(await runOperation(context, id, async () => undefined)).toBeUndefined();
  await lease('pg_catalog.now()');
  expect(await leaseDue(context.dataSource)).toMatchObject([{ id }]);
  expect(await runOperation(context, id, async () => undefined)).toMatchObject({ outcome: 'done' });
});

test('finished operations are kept for 14 days', async () => {
  const { context } = console.fixture;
  const done = async () => (await list(admin, '?state=done')).length;
  const before = await done();
  expect(before).toBeGreaterThan(1);
  await query(
    `update operation set finished_at = pg_catalog.now() - '13 d 23 h'::pg_catalog.interval where state = 'done'`,
  );
  await planSweeps(context);
  expect(await done()).toBe(before);
  await query(
    `update operation set finished_at = pg_catalog.now() - '14 d 1 h'::pg_catalog.interval where state = 'done'`,
  );
  await planSweeps(context);
  expect(await done()).toBe(0);
});
