// What projects were used for: counted by every process that serves them, stored by minute and day, and read by operators
// who may see the project.
import type { EntityManager } from 'typeorm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { deleteProject, recordSize, recordUsage, trimUsage } from '#libs/control-plane';
import { noUsage } from '#libs/wire';

import { type CountedProject, UsageWriter } from '../../bin/usage-writer.js';
import { startConsole, type TestConsole } from '../console/console-under-test.js';
import { addMember, openOwnedProject, type OwnedProject } from '../console/members-fixture.js';

let console: TestConsole;
let owned: OwnedProject;
let reader: string;
let admin: string;
beforeAll(async () => {
  console = await startConsole();
  owned = await openOwnedProject(console);
  const grant = { role: 'custom', capabilities: ['content.read'] } as const;
  reader = (await addMember(console, owned, grant, 'project')).token;
  admin = await console.signIn(console.admin.email, console.admin.password);
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
}, 60_000);

const dataSource = () => console.fixture.controlPlane.dataSource;
const minuteMs = 60_000;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * minuteMs);
const startOf = (at: Date) =>
  new Date(Math.floor(at.getTime() / minuteMs) * minuteMs).toISOString();
const usage = (counts: Partial<typeof noUsage>) => ({ ...noUsage, ...counts });
const latencyOf = (bucket: number, count: number) =>
  noUsage.latency.map((_, index) => (index === bucket ? count : 0));
const read = (query = '', token = reader, { ref } = owned) =>
  console.call('GET', `/platform/projects/${ref}/usage${query}`, { token });
const clear = () => dataSource().query('delete from project_usage_minute');

describe('the usage of a project', () => {
  test('adds what several processes have counted in a minute', async () => {
    await clear();
    const at = minutesAgo(3);
    const fast = { requests: 90, bytesSent: 1_000, connections: 3, latency: latencyOf(1, 90) };
    const slow = {
      requests: 10,
      serverErrors: 4,
      signIns: 2,
      connections: 5,
      latency: latencyOf(8, 10),
    };
    await Promise.all([
      recordUsage(dataSource(), [{ ref: owned.ref, at, usage: usage(fast) }]),
      recordUsage(dataSource(), [{ ref: owned.ref, at, usage: usage(slow) }]),
    ]);
    const { status, body } = await read('?step=minute');
    expect(status).toBe(200);
    const figures = {
      requests: 100,
      clientErrors: 0,
      serverErrors: 4,
      bytesReceived: 0,
      bytesSent: 1_000,
      signIns: 2,
      connections: 5,
      p95Ms: 375,
    };
    expect(body).toMatchObject({ ref: owned.ref, step: 'minute', total: figures, size: null });
    expect(body.points).toEqual([{ at: startOf(at), ...figures }]);
  });

  test('is read by hour and by day, also after the minutes are gone', async () => {
    await dataSource().query('delete from project_usage_day');
    await clear();
    const entries = [5, 4, 3].map((hours) => ({
      ref: owned.ref,
      at: minutesAgo(hours * 60),
      usage: usage({ requests: 1, latency: latencyOf(0, 1) }),
    }));
    await recordUsage(dataSource(), [...entries, ...entries]);
    const byHour = (await read()).body;
    expect(byHour.points.map(({ requests }: { requests: number }) => requests)).toEqual([2, 2, 2]);
    await clear();
    expect((await read()).body).toMatchObject({ points: [], total: { requests: 0, p95Ms: null } });
    expect((await read('?step=day')).body).toMatchObject({ total: { requests: 6 } });
  });

  test('has the size that was measured last', async () => {
    await recordSize(dataSource(), owned.ref, { databaseBytes: 7_000_000, storageBytes: 12 });
    const { body } = await read();
    expect(body.size).toEqual({
      databaseBytes: 7_000_000,
      storageBytes: 12,
      measuredAt: expect.any(String),
    });
  });

  test.each([
    { query: '?step=week', field: 'step' },
    { query: '?from=yesterday', field: 'from' },
    { query: '?to=2026-13-01T00:00:00Z', field: 'to' },
    { query: '?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', field: 'from' },
    { query: '?step=minute&from=2026-01-01T00:00:00Z&to=2026-01-03T00:00:00Z', field: 'from' },
    { query: '?step=day&from=2020-01-01T00:00:00Z', field: 'from' },
  ])('is refused for $query', async ({ query, field }) => {
    const { status, body } = await read(query);
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: expect.stringContaining(field),
    });
  });

  test('is for those who may see the project', async () => {
    const other = await openOwnedProject(console);
    expect((await read('', reader, other)).status).toBe(404);
    expect((await read('', '')).status).toBe(401);
    expect((await read('', admin, { ...owned, ref: 'nobody' })).status).toBe(404);
  });

  test('ends with the project, and what comes later is left out', async () => {
    const gone = await openOwnedProject(console);
    const at = minutesAgo(1);
    const used = usage({ requests: 1 });
    await recordUsage(dataSource(), [{ ref: gone.ref, at, usage: used }]);
    await deleteProject(console.fixture.context, console.fixture.actor, gone.ref);
    await recordUsage(dataSource(), [
      { ref: gone.ref, at, usage: used },
      { ref: owned.ref, at, usage: used },
    ]);
    const rows = await dataSource().query(
      `select distinct project_ref as ref from project_usage_minute where at = $1`,
      [startOf(at)],
    );
    expect(rows).toEqual([{ ref: owned.ref }]);
  });
});

describe('the usage of all projects', () => {
  const list = (query: string, token: string) =>
    console.call('GET', `/platform/usage${query}`, { token });

  test('has the last minutes of each that the operator may see', async () => {
    await clear();
    await recordUsage(dataSource(), [
      { ref: owned.ref, at: minutesAgo(0), usage: usage({ requests: 7, serverErrors: 1 }) },
      { ref: owned.ref, at: minutesAgo(2), usage: usage({ requests: 5 }) },
      { ref: owned.ref, at: minutesAgo(90), usage: usage({ requests: 9 }) },
    ]);
    const { body } = await list('?minutes=4', reader);
    expect(body.projects).toEqual([
      {
        ref: owned.ref,
        requests: [0, 5, 0, 7],
        serverErrors: [0, 0, 0, 1],
        lastRequestAt: startOf(minutesAgo(0)),
        databaseBytes: 7_000_000,
        storageBytes: 12,
      },
    ]);
    expect(body.next).toBeNull();
  });

  test('is of projects whose content the operator may read', async () => {
    const grant = { role: 'custom', capabilities: ['audit.read'] } as const;
    const auditor = (await addMember(console, owned, grant, 'project')).token;
    expect((await read('', auditor)).status).toBe(403);
    expect((await list('', auditor)).body.projects).toEqual([]);
    const viewer = (await addMember(console, owned, { role: 'viewer' })).token;
    expect((await list('', viewer)).body.projects).toHaveLength(1);
  });

  test('comes in pages', async () => {
    const whole = (await list('?limit=1000', admin)).body;
    const first = (await list('?limit=1', admin)).body;
    const rest = (await list(`?limit=1000&after=${first.next}`, admin)).body;
    expect(whole.projects.length).toBeGreaterThan(1);
    expect([...first.projects, ...rest.projects]).toEqual(whole.projects);
  });

  test.each(['minutes=0', 'minutes=1441', 'limit=1001', 'limit=x', 'limit=1000&minutes=61'])(
    'is refused for %s',
    async (query) => {
      const { status, body } = await list(`?${query}`, reader);
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: expect.stringContaining(query.split('=')[0] ?? ''),
      });
    },
  );
});

test('minutes are kept for 30 days, and days for a year', async () => {
  const day = 24 * 60;
  const at = [29, 31, 365, 368].map((days) => minutesAgo(days * day));
  await recordUsage(
    dataSource(),
    at.map((each) => ({ ref: owned.ref, at: each, usage: usage({ requests: 1 }) })),
  );
  await trimUsage(dataSource());
  const count = (table: string) =>
    dataSource().query(
      `select count(*)::int as n from ${table} where at < now() - interval '20 days'`,
    );
  expect(await count('project_usage_minute')).toEqual([{ n: 1 }]);
  expect(await count('project_usage_day')).toEqual([{ n: 3 }]);
});

describe('a process that cannot write', () => {
  test('keeps its counts for the minute that they are of', async () => {
    await clear();
    let isAway = true;
    const warnings: unknown[] = [];
    let now = minutesAgo(10).getTime();
    const real = dataSource();
    const writer = new UsageWriter({
      dataSource: Object.create(real, {
        transaction: {
          value: (work: (manager: EntityManager) => Promise<unknown>) =>
            isAway
              ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
              : real.transaction(work),
        },
      }),
      log: {
        warn: (facts: unknown) => void warnings.push(facts),
        error: () => expect.unreachable(),
      },
      now: () => now,
      measure: () => Promise.resolve({ databaseBytes: 1, storageBytes: 2 }),
    });
    writer.keep(owned.ref, usage({ requests: 3 }));
    await writer.write([]);
    await writer.write([]);
    expect(warnings).toHaveLength(1);
    now += 5 * minuteMs;
    writer.keep(owned.ref, usage({ requests: 4 }));
    isAway = false;
    await writer.close();
    const { body } = await read('?step=minute');
    expect(body.points.map(({ requests }: { requests: number }) => requests)).toEqual([3, 4]);
  });
});

test('counts that can never be written do not keep others from being written', async () => {
  await clear();
  const lost: unknown[] = [];
  const writer = new UsageWriter({
    dataSource: dataSource(),
    log: {
      warn: () => expect.unreachable(),
      error: (facts: unknown) => void lost.push(facts),
    },
    now: Date.now,
  });
  writer.keep(owned.ref, usage({ requests: Number.NaN }));
  await writer.write([]);
  expect(lost).toEqual([expect.objectContaining({ entries: 1 })]);
  writer.keep(owned.ref, usage({ requests: 2 }));
  await writer.close();
  expect((await read('?step=minute')).body.total.requests).toBe(2);
});

test('a project that is used is measured, once in five minutes', async () => {
  let now = Date.now();
  let bytes = 0;
  const used = { ref: owned.ref, uses: 4 };
  const idle = { ref: 'idle', uses: 0 };
  const project = (state: { readonly ref: string; uses: number }) =>
    ({
      record: { ref: state.ref },
      measuredAt: 0,
      takeUsage: () => (state.uses-- > 0 ? usage({ requests: 1 }) : undefined),
    }) as unknown as CountedProject;
  const measured: string[] = [];
  const writer = new UsageWriter({
    dataSource: dataSource(),
    log: { warn: () => expect.unreachable(), error: () => expect.unreachable() },
    now: () => now,
    measure: ({ record }) => {
      measured.push(record.ref);
      return Promise.resolve({ databaseBytes: (bytes += 100), storageBytes: 0 });
    },
  });
  const live = [project(used), project(idle)];
  for (let minute = 0; minute < 6; minute++) {
    await writer.write(live);
    now += 2 * minuteMs;
  }
  expect(measured).toEqual([owned.ref, owned.ref]);
  expect((await read()).body.size.databaseBytes).toBe(200);
});
