// What a channel does when its joins are refused, unanswered or repeated. The test is the server and the clock.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { channelServer, type ChannelServer } from '../../tests/channel-server.js';
import type { Listener } from './ports.js';

beforeEach(() => {
  vi.useFakeTimers();
  // The longest pause that is random.
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const changes = (callback: (change: object) => unknown): Listener => ({
  type: 'postgres_changes',
  filter: { event: '*', table: 'planets' },
  callback,
});
const gaps = (callback: (gap: object) => unknown): Listener => ({ type: 'gap', callback });
const error = (code: string, fields: object = {}) =>
  ({ status: 'error', code, message: 'no', ...fields }) as const;
const joinsOf = ({ sent }: ChannelServer) => sent.filter(({ event }) => event === 'rt:join');
const change = (id: string) => ({ id, b: ['b'], d: { id } });

describe('a join', () => {
  test('without an answer is TIMED_OUT, and is repeated after a pause', () => {
    const server = channelServer();
    server.channel.join();
    vi.advanceTimersByTime(9_999);
    expect(server.reports).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(server.reports).toEqual(['TIMED_OUT']);
    // The answer to the first one is late.
    server.joined();
    expect(server.reports).toEqual(['TIMED_OUT']);
    vi.advanceTimersByTime(1_000);
    expect(joinsOf(server)).toHaveLength(2);
    server.joined();
    expect(server.reports).toEqual(['TIMED_OUT', 'SUBSCRIBED']);
  });

  test('without a connection is TIMED_OUT, and waits for one', () => {
    const server = channelServer();
    server.connect(false);
    vi.advanceTimersByTime(60_000);
    expect([server.reports, server.sent]).toEqual([['TIMED_OUT'], []]);
    server.connect(true);
    server.channel.join();
    server.joined();
    expect(server.reports).toEqual(['TIMED_OUT', 'SUBSCRIBED']);
  });

  test('that fails is CHANNEL_ERROR once, and is repeated after pauses that grow to 30 s', () => {
    const server = channelServer();
    server.channel.join();
    const pauses = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
    for (const [index, ms] of pauses.entries()) {
      joinsOf(server)[index]?.answer(error('INTERNAL_ERROR'));
      vi.advanceTimersByTime(ms - 1);
      expect(joinsOf(server)).toHaveLength(index + 1);
      vi.advanceTimersByTime(1);
      expect(joinsOf(server)).toHaveLength(index + 2);
    }
    expect(server.reports).toEqual(['CHANNEL_ERROR INTERNAL_ERROR']);
  });

  test.each(['RATE_LIMITED', 'REPLAYS_BUSY'])(
    'with %s is repeated when the server says',
    (code) => {
      const server = channelServer();
      server.channel.join();
      joinsOf(server)[0]?.answer(error(code, { retryAfterMs: 5_000 }));
      vi.advanceTimersByTime(5_999);
      expect(joinsOf(server)).toHaveLength(1);
      vi.advanceTimersByTime(1);
      expect(joinsOf(server)).toHaveLength(2);
    },
  );

  test.each([
    'INVALID_FRAME',
    'FILTER_TOO_SLOW',
    'CHANNEL_REFUSED',
    'POLICY_READS_MESSAGE',
    'TABLE_NOT_EXPOSED',
    'PGRST205',
    '42501',
  ])('that is refused with %s waits for other rights or another connection', (code) => {
    const server = channelServer();
    server.channel.join();
    joinsOf(server)[0]?.answer(error(code));
    expect(server.reports).toEqual([`CHANNEL_ERROR ${code}`]);
    vi.advanceTimersByTime(600_000);
    expect(joinsOf(server)).toHaveLength(1);
    server.channel.reconsider();
    expect(joinsOf(server)).toHaveLength(2);
    joinsOf(server)[1]?.answer(error(code));
    server.channel.disconnected();
    server.channel.join();
    expect(joinsOf(server)).toHaveLength(3);
  });
});

describe('changes of tables', () => {
  test('arrive once for each id, and the next join has the cursor', () => {
    const seen = vi.fn();
    const server = channelServer([changes(seen)]);
    server.channel.join();
    expect(joinsOf(server)[0]?.frame).not.toHaveProperty('resume');
    server.joined();
    server.channel.changes({ e: [change('1'), change('2')], cur: 'c2' });
    server.channel.changes({ e: [change('2'), change('3')] });
    expect(seen.mock.calls).toEqual([[{ id: '1' }], [{ id: '2' }], [{ id: '3' }]]);
    server.channel.disconnected({ code: 'CONNECTION_LOST', message: 'gone' });
    server.channel.join();
    expect(joinsOf(server)[1]?.frame).toMatchObject({ resume: 'c2' });
    server.joined({ cursor: 'c2', recovered: true });
    server.channel.changes({ e: [change('3'), change('4')], cur: 'c4' });
    expect(seen.mock.calls).toHaveLength(4);
    expect(server.reports).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR CONNECTION_LOST', 'SUBSCRIBED']);
  });

  test('of a whole replay are known again after a lost connection', () => {
    const seen = vi.fn();
    const server = channelServer([changes(seen)]);
    server.channel.join();
    server.joined();
    const missed = Array.from({ length: 5_000 }, (_, n) => change(String(n)));
    server.channel.changes({ e: missed });
    server.channel.disconnected();
    server.channel.join();
    server.joined({ recovered: true });
    server.channel.changes({ e: missed, cur: 'c' });
    expect(seen).toHaveBeenCalledTimes(5_000);
  });

  test('may be none: then only the cursor is newer', () => {
    const seen = vi.fn();
    const server = channelServer([changes(seen)]);
    server.channel.join();
    server.joined();
    server.channel.changes({ e: [], cur: 'c9' });
    server.channel.disconnected();
    server.channel.join();
    expect(joinsOf(server)[1]?.frame).toMatchObject({ resume: 'c9' });
    expect(seen).not.toHaveBeenCalled();
  });

  test('that were missed are a gap, after SUBSCRIBED', () => {
    const order: unknown[] = [];
    const server = channelServer([gaps((gap) => order.push(gap, server.reports.at(-1)))]);
    server.channel.join();
    server.joined();
    server.channel.system({ status: 'error', code: 'CHANGES_MISSED', message: 'missed' });
    vi.advanceTimersByTime(1_000);
    server.joined({ recovered: false });
    expect(order).toEqual([{ reason: 'missed' }, 'SUBSCRIBED']);
  });

  test('that an open transaction may have hidden are a gap when it has ended', () => {
    const seen = vi.fn();
    const server = channelServer([gaps(seen)]);
    server.channel.join();
    const warm = { status: 'ok', code: 'WARM', message: 'complete' };
    // Another join was complete from the start.
    server.joined();
    server.channel.system(warm);
    server.channel.disconnected();
    server.channel.join();
    server.joined({ warming: true });
    expect(seen).not.toHaveBeenCalled();
    server.channel.system(warm);
    expect(seen.mock.calls).toEqual([[{ reason: 'warming' }]]);
    server.channel.system(warm);
    server.channel.disconnected();
    server.channel.join();
    server.joined({ warming: true });
    server.channel.disconnected();
    server.channel.system(warm);
    expect(seen).toHaveBeenCalledTimes(1);
  });

  test('that an open transaction has hidden are a gap if it ends while there is no connection', () => {
    const seen = vi.fn();
    const server = channelServer([gaps(seen)]);
    server.channel.join();
    server.joined({ warming: true });
    server.channel.disconnected();
    server.channel.join();
    server.joined({ warming: true, recovered: true });
    expect(seen).not.toHaveBeenCalled();
    server.channel.disconnected();
    server.channel.join();
    server.joined({ recovered: true });
    expect(seen.mock.calls).toEqual([[{ reason: 'warming' }]]);
  });

  test('of an earlier join of the topic are left out', () => {
    const seen = vi.fn();
    const server = channelServer([changes(seen)]);
    server.channel.join();
    server.channel.changes({ e: [change('1')], cur: 'old' });
    server.channel.message({ event: 'x', payload: 1 });
    server.joined();
    expect(seen).not.toHaveBeenCalled();
  });
});

describe('callbacks', () => {
  test('that fail do not keep the others from being called', () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const seen = vi.fn();
    const failing = changes(() => {
      throw new Error('a mistake of the app');
    });
    const server = channelServer([failing, changes(seen)]);
    server.channel.join();
    server.joined();
    server.channel.changes({ e: [change('1')] });
    expect(seen).toHaveBeenCalledOnce();
    expect(log).toHaveBeenCalledOnce();
  });

  test('are not called after the end of the channel, also from within', () => {
    const seen = vi.fn();
    const closing = changes(() => {
      server.subscription.isClosed = true;
    });
    const server = channelServer([closing, changes(seen)]);
    server.channel.join();
    server.joined();
    server.channel.changes({ e: [change('1')] });
    server.channel.message({ event: 'x', payload: 1 });
    expect(seen).not.toHaveBeenCalled();
  });
});

describe('presence', () => {
  const tracksOf = ({ sent }: ChannelServer) => sent.filter(({ event }) => event === 'rt:track');
  const ok = { status: 'ok' } as const;

  async function tracking(): Promise<ChannelServer> {
    const server = channelServer();
    server.channel.join();
    server.joined();
    const tracked = server.channel.track({ mood: 'fine' });
    tracksOf(server)[0]?.answer(ok);
    expect(await tracked).toBe('ok');
    return server;
  }

  test('is tracked again after a lost connection', async () => {
    const server = await tracking();
    server.channel.disconnected();
    server.channel.join();
    server.joined();
    expect(tracksOf(server)[1]?.frame).toEqual({ topic: 'room', payload: { mood: 'fine' } });
  });

  test('is tracked once if the app does it when it is subscribed again', async () => {
    const server = await tracking();
    server.channel.disconnected();
    server.channel.join();
    const before = server.subscription.report;
    server.subscription.report = (...report) => {
      before(...report);
      void server.channel.track({ mood: 'fine' });
    };
    server.joined();
    expect(tracksOf(server)).toHaveLength(2);
    // The same payload says nothing new.
    tracksOf(server)[1]?.answer(ok);
    await Promise.resolve();
    expect(await server.channel.track({ mood: 'fine' })).toBe('ok');
    expect(tracksOf(server)).toHaveLength(2);
  });

  test.each([
    { name: 'untracked', forget: ({ channel }: ChannelServer) => void channel.untrack() },
    {
      name: 'of a user who has signed out',
      forget: ({ channel }: ChannelServer) => channel.forget(),
    },
  ])('that is $name is not tracked again', async ({ forget }) => {
    const server = await tracking();
    forget(server);
    server.channel.disconnected();
    server.channel.join();
    server.joined();
    expect(tracksOf(server)).toHaveLength(1);
  });
});

describe('a message', () => {
  test('waits for its answer only with `ack`', async () => {
    const plain = channelServer();
    plain.channel.join();
    plain.joined();
    expect(await plain.channel.send('moved', 1)).toBe('ok');
    const acked = channelServer([], { broadcast: { ack: true } });
    acked.channel.join();
    acked.joined();
    const outcome = acked.channel.send('moved', 1, 50);
    expect(acked.sent.at(-1)).toMatchObject({ event: 'rt:send', timeoutMs: 50 });
    acked.sent.at(-1)?.answer({ status: 'timed out' });
    expect(await outcome).toBe('timed out');
  });
});
