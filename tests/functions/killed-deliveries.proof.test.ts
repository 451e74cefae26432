// Deliveries of triggers, hooks and schedules while the server and processes of functions are killed with -9 under
// writes, and while PostgreSQL is restarted and killed. DELIVERIES_SEED repeats the choices.
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { timeUntil, waitFor } from '#libs/testing';

import { repeat } from '../realtime-proof/ground.js';
import { Chance } from '../soak/chance.js';
import { embeddedUrl } from '../start/rowhouse-process.js';
import { asRecord } from '../support/deployment.js';
import { type HttpRecorder, openHttpRecorder } from '../support/http-recorder.js';
import type { ProjectUnderTest } from '../support/project.js';
import { TrialDeployment } from '../trial/deployment.js';
import { type Arrival, arrivalOf, arrivalsSql, disordered, recorder } from './arrived-changes.js';
import { ChangeWriters, itemsSql, keyOf, undone } from './change-writers.js';
import { EdgeProject } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 900_000 });

const seed = Number(process.env['DELIVERIES_SEED'] ?? Date.now() % 1_000_000);
const kills = 5;
const calmMs = 8_000;
/** How long what waits may take after a start; 15 s on an idle machine. */
const outMs = 30_000;
const settledMs = 120_000;
/** Writers stay this near to the deliveries. */
const mostWaiting = 600;

describeWithDeno('deliveries', () => {
  let deployment: TrialDeployment;
  let project: ProjectUnderTest;
  let edge: EdgeProject;
  let receiver: HttpRecorder;
  let writers: ChangeWriters;
  let arrivals: Readonly<Record<'address' | 'function', readonly Arrival[]>>;
  /** The ids of the runs of the schedule that have reached the function. */
  let runs: readonly string[];
  let outAfterMs = 0;
  let functionKills = 0;

  const ask = (sql: string) => deployment.ask(sql, project.database);
  const waiting = async (condition = 'true') => {
    const [row] = await ask(
      `select count(*)::int as rows from platform.outbox o where status = 'pending' and ${condition}`,
    );
    return Number(row?.['rows']);
  };

  beforeAll(async () => {
    receiver = await openHttpRecorder(() => ({ status: 204 }));
    deployment = await TrialDeployment.open({ OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' });
    project = await deployment.createProject('killed');
    edge = new EdgeProject(project);
    await setUp();
    await sufferKills();
    await settle();
    arrivals = { address: atAddress(), function: await atFunction() };
    const rows = await ask(`select delivery from public.arrivals where body ->> 'type' is null`);
    runs = rows.map(({ delivery }) => String(delivery));
    const failures =
      await ask(`select left(message, 200) as message, count(*)::int as times, max(at) - min(at) as span
      from platform.edge_function_logs group by 1`);
    console.log(summary(), failures);
  });
  afterAll(async () => {
    await writers?.stop();
    await deployment?.remove();
    await receiver.close();
  });

  async function setUp(): Promise<void> {
    await project.sql(`${itemsSql}${arrivalsSql}`);
    await edge.create('recorder', recorder);
    await edge.asked('PUT', '/secrets', { KEY: project.secretKey });
    const url = `${receiver.origin}/items`;
    await edge.asked('POST', '/triggers', { name: 'address', table: 'items', url });
    await edge.asked('POST', '/triggers', {
      name: 'function',
      table: 'items',
      function: 'recorder',
    });
    const often = { name: 'often', function: 'recorder', cron: '* * * * *' };
    await edge.asked('POST', '/schedules', often);
    const secret = `whsec_${Buffer.alloc(24, 'k').toString('base64')}`;
    const events = { enabled: true, target: 'http', url: `${receiver.origin}/events`, secret };
    await put('auth.hooks', { events });
    await put('security.rateLimit', { enabled: false });
    await put('auth.rateLimits', { signUp: { perAddress: 10_000 } });
  }

  async function put(group: string, body: object): Promise<void> {
    const path = `/api/admin/settings/${group}`;
    const reply = await project.asService({ method: 'PUT', path, body });
    if (reply.status !== 200) throw new Error(`${group}: ${reply.text}`);
  }

  async function sufferKills(): Promise<void> {
    const chance = new Chance(seed);
    let backlog = 0;
    writers = new ChangeWriters(project, {
      seed,
      connectionString: () => embeddedUrl(deployment.dataDir, project.database),
      mayWrite: () => backlog < mostWaiting,
    });
    const counting = repeat(
      () => 200,
      async () => void (backlog = await waiting()),
    );
    const killing = repeat(() => 1_000 + chance.below(5_000), killFunctions);
    writers.start(8);
    for (let round = 1; round < kills; round += 1) {
      await delay(calmMs);
      await deployment.kill();
      await deployment.start();
    }
    await delay(calmMs);
    await killing.stop();
    await deployment.kill();
    await writers.stop();
    await counting.stop();
    await measureStart();
  }

  /** Ends the processes of functions, which are children of the server. */
  async function killFunctions(): Promise<void> {
    const { pid } = deployment;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    for (const child of children.trim().split(' ')) {
      const command = await readFile(`/proc/${child}/cmdline`, 'utf8');
      if (!command.includes('deno')) continue;
      process.kill(Number(child), 'SIGKILL');
      functionKills += 1;
    }
  }

  /** Starts the server, and measures until what waited for it alone has gone out. */
  async function measureStart(): Promise<void> {
    const rows =
      await ask(`select id from platform.outbox o where status = 'pending' and not exists (
      select from platform.outbox failed
      where failed.source = o.source and failed.status = 'pending' and failed.error is not null
        and (failed.id = o.id or failed.order_key = o.order_key)
    )`);
    const ids = rows.map(({ id }) => String(id)).join(', ');
    await deployment.start();
    const isOut = async () => (await waiting(`id in (${ids || 'null'})`)) === 0;
    const wait = { ms: settledMs, until: 'what waited has gone out' };
    outAfterMs = await timeUntil(isOut, wait).catch(() => Infinity);
    console.log(
      `${rows.length} deliveries went out ${Math.round(outAfterMs)} ms after the last start`,
    );
  }

  /** Waits until nothing is pending. Deliveries that have failed do not wait for the end of their pause. */
  async function settle(): Promise<void> {
    await waitFor(
      async () => {
        await ask(`update platform.outbox set next_attempt_at = now()
          where status = 'pending' and error is not null and next_attempt_at > now() + interval '10 s'`);
        return (await waiting()) === 0;
      },
      { until: 'nothing is pending', ms: settledMs, everyMs: 1_000 },
    );
  }

  const atAddress = (): readonly Arrival[] =>
    receiver.requests
      .filter(({ path }) => path === '/items')
      .map(({ json }) => arrivalOf(String(asRecord(json)['id']), json));

  async function atFunction(): Promise<readonly Arrival[]> {
    const rows = await ask(`select delivery, body from public.arrivals
      where body ->> 'type' is not null order by place`);
    return rows.map(({ delivery, body }) => arrivalOf(String(delivery), body));
  }

  function summary(): string {
    const { acknowledged, users, undone: count, refused } = writers;
    return [
      `killed deliveries: seed ${seed}, ${acknowledged.size} changes and ${users.size} sign-ups acknowledged,`,
      `${count} undone, ${refused} refused, ${functionKills} processes of functions killed,`,
      `${arrivals.address.length} arrivals at the address, ${arrivals.function.length} at the function,`,
      `${runs.length} runs of the schedule`,
    ].join(' ');
  }

  const startedAt = async () => {
    const [row] = await ask('select pg_postmaster_start_time()::text as at');
    return row?.['at'];
  };
  const back = { until: 'PostgreSQL is back', ms: 60_000, everyMs: 100, retriesErrors: true };

  const receivers = ['address', 'function'] as const;

  test('there was enough to lose', () => {
    expect(writers.acknowledged.size).toBeGreaterThan(200);
    expect(writers.users.size).toBeGreaterThan(5);
    expect(writers.undone).toBeGreaterThan(50);
    expect(functionKills).toBeGreaterThan(1);
  });

  test.each(receivers)('each acknowledged change has arrived at the %s', (name) => {
    const arrived = new Set(arrivals[name].map(keyOf));
    expect([...writers.acknowledged].filter((key) => !arrived.has(key))).toEqual([]);
  });

  test.each(receivers)('nothing that was rolled back has arrived at the %s', async (name) => {
    const rows = await ask(`select event_id from platform.outbox where kind = 'trigger'`);
    const committed = new Set(rows.map(({ event_id: id }) => id));
    const foreign = arrivals[name].filter(
      ({ delivery, note }) => note === undone || !committed.has(delivery),
    );
    expect(foreign).toEqual([]);
  });

  test.each(receivers)(
    'the changes of a row have first arrived at the %s in their order',
    (name) => {
      expect(disordered(arrivals[name])).toEqual([]);
    },
  );

  test('each acknowledged sign-up has its event', () => {
    const announced = new Set(
      receiver.requests
        .map(({ json }) => asRecord(json))
        .filter(({ type }) => type === 'user.created')
        .map(({ data }) => String(asRecord(asRecord(data)['user'])['id'])),
    );
    expect([...writers.users].filter((id) => !announced.has(id))).toEqual([]);
  });

  test('each minute has at most one run of the schedule', async () => {
    const stored = await ask(`select event_id from platform.outbox where kind = 'schedule'`);
    const times = stored.map(({ event_id: id }) => Number(String(id).split('.').at(-1)));
    expect(times.length).toBeGreaterThan(0);
    expect(times.filter((time) => time % 60_000 !== 0)).toEqual([]);
    expect(new Set(times).size).toBe(times.length);
    // A run that a kill has ended is not repeated.
    expect(new Set(runs).size).toBe(runs.length);
  });

  test('what waited went out soon after the last start', () => {
    expect(outAfterMs).toBeLessThan(outMs);
  });

  test.each(['stopDatabase', 'killDatabase'] as const)(
    'after %s, what waited goes out',
    async (fault) => {
      const rows = Array.from({ length: 100 }, (_, at) => ({ id: `${fault}-${at}`, note: 'new' }));
      const path = '/api/rest/v1/items';
      expect((await project.asService({ method: 'POST', path, body: rows })).status).toBe(201);
      const before = await startedAt();
      await deployment[fault]();
      await waitFor(async () => (await startedAt()) !== before, back);
      const isOut = async () => (await waiting()) === 0;
      const ms = await timeUntil(isOut, { ms: settledMs, until: 'what waited has gone out' });
      console.log(`deliveries went out ${Math.round(ms)} ms after ${fault}`);
      expect(ms).toBeLessThan(outMs);
      const arrived = new Set(atAddress().map(({ id }) => id));
      expect(rows.filter(({ id }) => !arrived.has(id))).toEqual([]);
      const after = { id: `${fault} after`, note: 'new' };
      expect((await project.asService({ method: 'POST', path, body: after })).status).toBe(201);
      await waitFor(() => atAddress().some(({ id }) => id === after.id), { ms: outMs });
    },
  );
});
