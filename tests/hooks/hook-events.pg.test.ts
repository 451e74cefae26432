// Events in the background: the rows of the outbox, the worker, its tries, and what a crash leaves behind.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setTimeout } from 'node:timers/promises';
import { queryRows } from '../../libs/auth-engine/src/engine-pool.js';
import { createHooks, type AuthHooks } from '../../libs/hooks/src/create-hooks.js';
import type { HookCaller, HookLogEntry, HookSettings } from '../../libs/hooks/src/hook-types.js';
import {
  type DeliveryCounts,
  type DeliveryFilter,
  listDeliveries,
  Outbox,
  type OutboxQueries,
  reviveDelivery,
  sweepDeliveries,
} from '../../libs/outbox/src/index.js';
import { hookDeliverer } from '../../libs/project-runtime/src/deliveries/hook-events.js';
import { recordDelivery } from '../../libs/project-runtime/src/project-hooks.js';
import { openAuthProject, type AuthProject } from '../auth-engine/auth-project.js';
import {
  hookWiring,
  noFunction,
  openReceiver,
  settingsFor,
  type HookReceiver,
} from './hook-receiver.js';

let project: AuthProject;
let receiver: HookReceiver;
const log: HookLogEntry[] = [];

function callerWith(change: Partial<HookSettings> = {}): HookCaller {
  return {
    ...hookWiring,
    settings: settingsFor(receiver, change),
    callFunction: noFunction,
    log: (entry) => log.push(entry),
  };
}

function hooksWith(change: Partial<HookSettings> = {}): AuthHooks {
  const record: Parameters<typeof createHooks>[0]['record'] = (delivery) =>
    recordDelivery(queries(), delivery);
  return createHooks({ ...callerWith(change), record });
}

/** The database of the project; `reach` is called before each statement. */
function queries(reach: () => void = () => undefined): OutboxQueries {
  return {
    async queryAsEngine<Row extends object>(text: string, values: readonly unknown[] = []) {
      reach();
      return queryRows<Row>(project.pool, text, values);
    },
  };
}

const failures: unknown[] = [];

function outboxOf(caller: HookCaller, db = queries()): Outbox {
  const onError = (error: unknown): void => void failures.push(error);
  return new Outbox({ db, deliverers: { hook: hookDeliverer(() => caller) }, onError });
}

/** Delivers what is due, as another process. */
async function deliverDue(caller: HookCaller, db = queries()): Promise<DeliveryCounts> {
  const outbox = outboxOf(caller, db);
  await outbox.drain();
  await outbox.close();
  return outbox.counts;
}

function work(change: Partial<HookSettings> = {}): Promise<DeliveryCounts> {
  return deliverDue(callerWith(change));
}

const list = (filter: Omit<DeliveryFilter, 'kind'> = {}) =>
  listDeliveries(queries(), { kind: 'hook', ...filter });

/** As if the time of the next try had come. */
async function passTime(): Promise<void> {
  await project.sql('update platform.outbox set next_attempt_at = now()');
}

async function rows(): Promise<readonly Record<string, unknown>[]> {
  return project.sql(
    `select status, attempts, response_status, error, event_id, target,
            extract(epoch from next_attempt_at - now())::float as due_in
     from platform.outbox order by id`,
  );
}

beforeAll(async () => {
  project = await openAuthProject();
});

beforeEach(async () => {
  receiver = await openReceiver();
  log.length = 0;
});

afterEach(async () => {
  receiver.close();
  await project.sql('truncate platform.outbox');
});

afterAll(() => project.close());

describe('an event', () => {
  test('is stored at once and called out later', async () => {
    await hooksWith().emit('user.created', { user: { id: 'u1', email: 'a@b.test' } });
    expect(receiver.received).toEqual([]);
    expect(await rows()).toMatchObject([{ status: 'pending', attempts: 0 }]);

    expect(await work()).toEqual({ succeeded: 1, failed: 0, dead: 0 });
    const [row] = await rows();
    expect(row).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      response_status: 200,
      due_in: null,
    });
    expect(receiver.received).toMatchObject([
      {
        isSigned: true,
        webhookId: row?.['event_id'],
        message: {
          type: 'user.created',
          id: row?.['event_id'],
          project: 'abc',
          data: { user: { id: 'u1', email: 'a@b.test' } },
        },
      },
    ]);
    expect(await work()).toEqual({ succeeded: 0, failed: 0, dead: 0 });
  });

  test('takes no token with it', async () => {
    await hooksWith().emit('session.created', { session: { id: 's1', token: 'hush-hush' } });
    await work();
    expect(JSON.stringify(receiver.received)).not.toContain('hush-hush');
    expect(receiver.received[0]?.message.data).toMatchObject({ session: { id: 's1' } });
  });

  test('may have any text in it', async () => {
    const name = 'a\0b\ud83d \\u0000 🙂';
    await hooksWith().emit('user.updated', { user: { name } });
    await work();
    expect(log).toEqual([]);
    expect(receiver.received[0]?.message.data).toEqual({ user: { name: 'ab\ufffd \\u0000 🙂' } });
  });

  test('is nothing while the hook is off, and waits when it was turned off meanwhile', async () => {
    await hooksWith({ enabled: false }).emit('user.created', {});
    expect(await rows()).toEqual([]);
    await hooksWith().emit('user.created', {});
    expect(await work({ enabled: false })).toEqual({ succeeded: 0, failed: 0, dead: 0 });
    expect(await work()).toMatchObject({ succeeded: 1 });
  });

  test('that cannot be stored fails nobody, and is logged', async () => {
    const hooks = createHooks({
      ...callerWith(),
      record: () => Promise.reject(new Error('no database')),
    });
    await hooks.emit('user.created', {});
    expect(log).toMatchObject([{ level: 'error', message: expect.stringContaining('lost') }]);
  });
});

describe('a failure', () => {
  test('is tried again later, with the same id, at the address that is then configured', async () => {
    await hooksWith().emit('user.created', {});
    receiver.answer = () => ({ status: 500 });
    expect(await work()).toEqual({ succeeded: 0, failed: 1, dead: 0 });
    const [failed] = await rows();
    expect(failed).toMatchObject({
      status: 'pending',
      attempts: 1,
      response_status: 500,
      error: 'the hook answered with status 500',
    });
    expect(failed?.['due_in']).toBeGreaterThan(5);
    expect(await work()).toEqual({ succeeded: 0, failed: 0, dead: 0 });

    await passTime();
    receiver.answer = () => ({ status: 204 });
    const url = receiver.url.replace('/hooks', '/elsewhere');
    expect(await work({ url })).toEqual({ succeeded: 1, failed: 0, dead: 0 });
    expect(new Set(receiver.received.map(({ webhookId }) => webhookId)).size).toBe(1);
    expect(await rows()).toMatchObject([
      {
        status: 'succeeded',
        attempts: 2,
        error: null,
        target: expect.stringContaining('/elsewhere'),
      },
    ]);
  });

  test('waits longer each time, and the eighth is the last', async () => {
    await hooksWith().emit('user.created', {});
    receiver.answer = () => ({ status: 503 });
    const waits: number[] = [];
    for (let tried = 1; tried < 8; tried += 1) {
      // One try after the other: each depends on the row that the last one left.
      expect(await work()).toMatchObject({ failed: 1 });
      waits.push(Number((await rows())[0]?.['due_in']));
      await passTime();
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.at(-1)).toBeGreaterThan(10 * 3600);
    expect(await work()).toEqual({ succeeded: 0, failed: 0, dead: 1 });
    expect(await rows()).toMatchObject([{ status: 'dead', attempts: 8, due_in: null }]);
    expect(failures.at(-1)).toMatchObject({ message: expect.stringContaining('503') });
    expect(receiver.received).toHaveLength(8);
  });

  test('with 410 is the last', async () => {
    await hooksWith().emit('user.created', {});
    receiver.answer = () => ({ status: 410 });
    expect(await work()).toEqual({ succeeded: 0, failed: 0, dead: 1 });
  });

  test('of a receiver that cannot be reached says why', async () => {
    await hooksWith().emit('user.created', {});
    receiver.close();
    expect(await work()).toMatchObject({ failed: 1 });
    expect((await rows())[0]?.['error']).toContain('ECONNREFUSED');
  });

  test('that was the last can be taken back', async () => {
    await hooksWith().emit('user.created', {});
    receiver.answer = () => ({ status: 410 });
    await work();
    const [dead] = await list({ status: 'dead' });
    receiver.answer = () => ({});
    expect(await reviveDelivery(queries(), { kind: 'hook', id: dead?.id ?? '' })).toBe(true);
    expect(await reviveDelivery(queries(), { kind: 'hook', id: dead?.id ?? '' })).toBe(false);
    expect(await work()).toMatchObject({ succeeded: 1 });
  });
});

describe('several workers', () => {
  test('deliver each event once', async () => {
    const hooks = hooksWith();
    await Promise.all(Array.from({ length: 60 }, () => hooks.emit('user.updated', {})));
    const counts = await Promise.all([work(), work(), work(), work()]);
    expect(counts.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(60);
    const ids = receiver.received.map(({ webhookId }) => webhookId);
    expect([ids.length, new Set(ids).size]).toEqual([60, 60]);
  });

  test('pass over an event that another is just taking', async () => {
    await hooksWith().emit('user.created', {});
    await hooksWith().emit('user.updated', {});
    const other = await project.pool.connect();
    await other.query('begin');
    await other.query(
      `select from platform.outbox where payload->>'type' = 'user.created' for update`,
    );
    const limit = new AbortController();
    const blocked = setTimeout(5000, 'blocked', { signal: limit.signal });
    const counts = await Promise.race([work(), blocked]);
    limit.abort();
    await other.query('rollback');
    other.release();
    expect(counts).toMatchObject({ succeeded: 1 });
    expect(receiver.received.map(({ message }) => message.type)).toEqual(['user.updated']);
    expect(await work()).toMatchObject({ succeeded: 1 });
  });

  test('leave an event alone while one of them is at it', async () => {
    await hooksWith().emit('user.updated', {});
    let inside: DeliveryCounts | undefined;
    const outbound: HookCaller['outbound'] = async (request) => {
      inside = await work();
      return hookWiring.outbound(request);
    };
    const counts = await deliverDue({ ...callerWith(), outbound });
    expect([inside?.succeeded, counts.succeeded]).toEqual([0, 1]);
  });

  test('take nothing more when they are told to stop', async () => {
    await hooksWith().emit('user.updated', {});
    const outbox = outboxOf(callerWith());
    await outbox.close();
    await outbox.drain();
    expect(receiver.received).toEqual([]);
  });
});

describe('events for an edge function', () => {
  const edge = { target: 'edge', edgeFunction: 'on-event' } as const;

  test('wait untouched where no edge functions run', async () => {
    await hooksWith(edge).emit('user.created', {});
    await project.sql('update platform.outbox set attempts = 8');
    expect(await work(edge)).toEqual({ succeeded: 0, failed: 0, dead: 0 });
    expect(await rows()).toMatchObject([{ status: 'pending', attempts: 8, target: 'on-event' }]);
  });

  test('are delivered where they run, and tried again after a failure', async () => {
    await hooksWith(edge).emit('user.created', {});
    const statuses = [503, 200];
    const callEdgeFunction: HookCaller['callEdgeFunction'] = async () => ({
      status: statuses.shift() ?? 200,
      text: '',
    });
    const caller = { ...callerWith(edge), callEdgeFunction };
    expect(await deliverDue(caller)).toMatchObject({ failed: 1 });
    await passTime();
    expect(await deliverDue(caller)).toMatchObject({ succeeded: 1 });
  });
});

describe('a worker that dies in the middle', () => {
  /** Takes the events and never writes a result: the database is gone from then on. */
  async function dieInside(): Promise<void> {
    const db = queries(() => {
      if (receiver.received.length > 0) throw new Error('the process has died');
    });
    await expect(deliverDue(callerWith(), db)).rejects.toThrow('died');
  }

  test('leaves the event to the next one, once its time is over', async () => {
    await hooksWith().emit('user.created', {});
    await dieInside();
    expect(await rows()).toMatchObject([{ status: 'pending', attempts: 1 }]);
    expect(await work()).toMatchObject({ succeeded: 0 });
    await passTime();
    expect(await work()).toMatchObject({ succeeded: 1 });
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[0]?.webhookId).toBe(receiver.received[1]?.webhookId);
  });

  test('in the last try and in two more leaves a dead event', async () => {
    await hooksWith().emit('user.created', {});
    await project.sql('update platform.outbox set attempts = 9');
    await dieInside();
    await passTime();
    expect(await work()).toEqual({ succeeded: 0, failed: 0, dead: 1 });
    expect(await rows()).toMatchObject([{ status: 'dead', error: 'the last attempt never ended' }]);
  });

  test('and comes back too late does not overwrite what another has done', async () => {
    await hooksWith().emit('user.created', {});
    const outbound: HookCaller['outbound'] = async () => {
      await passTime();
      await work();
      return { status: 500, text: '' };
    };
    await deliverDue({ ...callerWith(), outbound });
    expect(await rows()).toMatchObject([{ status: 'succeeded', attempts: 2 }]);
  });
});

describe('the log of deliveries', () => {
  test('lists the latest first, by hook and status, in pages', async () => {
    receiver.answer = ({ message }) => ({ status: message.type === 'hook.send' ? 500 : 200 });
    const hooks = hooksWith({ onFailure: 'continue' });
    await hooks.signUp({ user: { email: 'a@b.test' }, method: 'email' });
    await hooks.send({
      channel: 'sms',
      kind: 'otp',
      to: '+15557770000',
      values: { code: '901743' },
    });
    await hooks.emit('user.created', {});
    const all = await list();
    expect(all.map(({ source, status }) => [source, status])).toEqual([
      ['events', 'pending'],
      ['send', 'failed'],
      ['signUp', 'succeeded'],
    ]);
    expect(JSON.stringify(all)).not.toContain('901743');
    const [first, second] = all;
    const page = { beforeId: first?.id ?? '', limit: 1 };
    expect(await list(page)).toEqual([second]);
    expect(await list({ source: 'send', status: 'failed' })).toEqual([second]);
    expect(await list({ source: 'send', status: 'dead' })).toEqual([]);
  });

  test('is swept of what is old', async () => {
    await hooksWith().emit('user.created', {});
    await hooksWith().emit('user.updated', {});
    await project.sql(
      `update platform.outbox set created_at = now() - interval '15 days'
       where payload->>'type' = 'user.created'`,
    );
    expect(await sweepDeliveries(queries(), 14)).toBe(1);
    expect(await list()).toMatchObject([{ payload: { type: 'user.updated' } }]);
  });

  test('is not for the roles of requests', async () => {
    const [row] = await project.sql(
      `select bool_or(has_table_privilege(r, 'platform.outbox', 'select')) as may
       from unnest(array['anon', 'authenticated', 'service_role']) r`,
    );
    expect(row).toEqual({ may: false });
  });
});
