// The hub without a database: its feed has no lines, and its callers are visitors.
import { expect, test } from 'vitest';

import { parseFrame } from '#libs/realtime-core';

import type { Frame } from './frame.js';
import { Hub } from './hub.js';
import { Places } from './places.js';
import type { HubFeed, HubLimits, HubParts } from './ports.js';
import { allTopicRights, unknownRights } from './rights.js';

const wide = { perSecond: 1e6, burst: 1e6 };
const limits: HubLimits = {
  maxConnections: 10_000,
  maxChannels: 1_000,
  maxBindings: 100,
  joins: wide,
  messages: wide,
  presence: wide,
  projectMessages: wide,
  maxFrameBytes: 262_144,
  presencePayload: { maxBytes: 65_536, maxFields: 10 },
};

const feed: HubFeed = {
  position: '1',
  cursorAt: (position) => position,
  listen: (_bits, onFixed) => {
    onFixed?.();
    return Promise.resolve({ position: '1', isWarming: false, complete: Promise.resolve() });
  },
  unlisten: () => Promise.resolve(),
  replay: () => Promise.resolve({ kind: 'lost' }),
  caughtUp: () => Promise.resolve(),
  wake: () => undefined,
  close: () => Promise.resolve(),
};

function openHub(changed: Partial<HubLimits> = {}, parts: Partial<HubParts> = {}) {
  let now = 1_000;
  const timers = new Set<{ readonly dueAt: number; readonly work: () => void }>();
  const hub = new Hub({
    clock: {
      now: () => now,
      setTimer(ms, work) {
        const timer = { dueAt: now + ms, work };
        timers.add(timer);
        return { cancel: () => void timers.delete(timer) };
      },
    },
    now: () => now,
    exchange: {
      node: 'test',
      hasOthers: false,
      publish: () => undefined,
      subscribe: () => () => undefined,
      onGone: () => () => undefined,
    },
    callers: { findRights: () => Promise.resolve(unknownRights) },
    limits: () => ({ ...limits, ...changed }),
    openFeed: () => Promise.resolve(feed),
    bindTables: () => Promise.resolve([]),
    readTopicRights: () => Promise.resolve(allTopicRights),
    readSchemaVersion: () => Promise.resolve('1'),
    decide: () => Promise.reject(new Error('There are no changes')),
    replayPlaces: new Places(1),
    newRef: () => 'ref',
    onError: (error) => {
      throw error;
    },
    ...parts,
  });
  let clients = 0;
  return {
    hub,
    /** Moves the time on, and does what is due then. */
    pass: (ms: number): void => {
      now += ms;
      for (const timer of [...timers].filter(({ dueAt }) => dueAt <= now)) {
        if (timers.delete(timer)) timer.work();
      }
    },
    /** `send` receives the text of each frame. */
    connect: (send: (json: string) => void = () => undefined, network?: string) => {
      const socket = {
        id: `client-${++clients}`,
        network,
        bufferedBytes: 0,
        send: ({ json }: Frame) => send(json),
        close: () => undefined,
      };
      return hub.connect(socket, { kind: 'none' });
    },
  };
}

type Stage = ReturnType<typeof openHub>;
type Client = Awaited<ReturnType<Stage['connect']>>;

const settled = () => new Promise((resolve) => setImmediate(resolve));
const joinOf = (topic: string, config: object = {}) => parseFrame('rt:join', { topic, config });

test('messages to many wait for deliveries', async () => {
  const { hub, connect, pass } = openHub();
  const members: Client[] = [];
  for (let n = 0; n < 500; n += 1) {
    const member = await connect();
    await hub.frames.join(member, joinOf('room'));
    members.push(member);
  }
  const [sender] = members;
  if (!sender) throw new Error('Nobody has joined');
  const say = () =>
    hub.frames.send(sender, parseFrame('rt:send', { topic: 'room', event: 'e', payload: 1 }));
  let sent = 0;
  const sendAll = async () => {
    for (; sent < 1_000; sent += 1) await say();
  };
  await expect(sendAll()).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: expect.any(Number),
  });
  // The sender does not receive its own.
  expect(sent).toBe(Math.ceil(100_000 / 499));
  pass(1_000);
  await expect(say()).resolves.toEqual({ status: 'ok' });
});

test.each([
  { name: 'one connection', connections: 1 },
  { name: 'many connections from one network', connections: 20 },
])('a visitor with $name does not use up the messages of the others', async ({ connections }) => {
  const { hub, connect } = openHub({ projectMessages: { perSecond: 100, burst: 100 } });
  const open = async (network: string): Promise<Client> => {
    const member = await connect(undefined, network);
    await hub.frames.join(member, joinOf('room'));
    return member;
  };
  const greedy = await Promise.all(Array.from({ length: connections }, () => open('192.0.2.1')));
  const calm = await open('192.0.2.2');
  const refusals = greedy.map((member) => {
    try {
      for (let count = 0; count < 1_000; count += 1) hub.frames.count(member, 'rt:send');
    } catch (error) {
      return error;
    }
    return undefined;
  });
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'RATE_LIMITED' });
  for (let count = 0; count < 10; count += 1) hub.frames.count(calm, 'rt:send');
});

test('a visitor whose messages go to many leaves the others deliveries', async () => {
  const { hub, connect } = openHub();
  const members: Client[] = [];
  for (let n = 0; n < 500; n += 1) {
    const member = await connect(undefined, `192.0.2.${n % 2}`);
    await hub.frames.join(member, joinOf('room'));
    members.push(member);
  }
  const [greedy, calm] = members;
  if (!greedy || !calm) throw new Error('Nobody has joined');
  const say = (member: Client) =>
    hub.frames.send(member, parseFrame('rt:send', { topic: 'room', event: 'e', payload: 1 }));
  const sendAll = async () => {
    for (let sent = 0; sent < 1_000; sent += 1) await say(greedy);
  };
  await expect(sendAll()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  for (let sent = 0; sent < 10; sent += 1) {
    await expect(say(calm)).resolves.toEqual({ status: 'ok' });
  }
});

test('a number of joins of a client wait, and leaves and tokens all the same', async () => {
  let answer: (() => void) | undefined;
  const first = new Promise<void>((resolve) => (answer = resolve));
  const { hub, connect } = openHub(
    { joins: { perSecond: 1, burst: 8 } },
    { readTopicRights: () => first.then(() => allTopicRights) },
  );
  const member = await connect();
  const joins = Array.from({ length: 8 }, (_, n) =>
    hub.frames.join(member, joinOf(`room ${n}`, { private: true })),
  );
  const refused = { code: 'RATE_LIMITED', retryAfterSeconds: 1 };
  await expect(hub.frames.join(member, joinOf('room'))).rejects.toMatchObject(refused);
  const left = hub.frames.leave(member, 'room');
  const renewed = hub.frames.renew(member, { kind: 'none' });
  answer?.();
  for (const join of joins) expect(await join).toMatchObject({ status: 'ok' });
  expect([await left, await renewed]).toEqual([{ status: 'ok' }, { status: 'ok' }]);
  expect(await hub.frames.join(member, joinOf('room'))).toMatchObject({ status: 'ok' });
});

test('a client learns that it may have missed changes of a table that was made again', async () => {
  let version = 1;
  const { hub, connect, pass } = openHub(
    {},
    {
      readSchemaVersion: () => Promise.resolve(String(version)),
      bindTables: (_rights, bindings) =>
        Promise.resolve(bindings.map((binding) => ({ id: 'b', binding, table: version }))),
    },
  );
  const frames: string[] = [];
  const member = await connect((json) => frames.push(json));
  await hub.frames.join(member, joinOf('room', { postgres_changes: [{ table: 'news' }] }));
  pass(0);
  await settled();
  version = 2;
  void hub.settle('schema');
  pass(0);
  await settled();
  expect(frames).toEqual([expect.stringContaining('"t":"room","status":"error"')]);
  expect(frames).toEqual([expect.stringContaining('CHANGES_MISSED')]);
});

test.each([
  { name: 'in their order', order: [0, 1] },
  { name: 'the last one first', order: [1, 0] },
])(
  'two reviews of a channel, which end $name, leave its last table alone listened to',
  async ({ order }) => {
    let version = 1;
    const uses = new Map<number, number>();
    const count = (bits: readonly number[], by: number) => {
      for (const bit of bits) uses.set(bit, (uses.get(bit) ?? 0) + by);
    };
    const held: (() => void)[] = [];
    const counting = {
      ...feed,
      async listen(bits: readonly number[], onFixed?: () => void) {
        count(bits, 1);
        if (version > 1) await new Promise<void>((resolve) => void held.push(resolve));
        return feed.listen(bits, onFixed);
      },
      unlisten: (bits: readonly number[]) => Promise.resolve(count(bits, -1)),
    };
    const { hub, connect, pass } = openHub(
      {},
      {
        openFeed: () => Promise.resolve(counting),
        readSchemaVersion: () => Promise.resolve(String(version)),
        bindTables: (_rights, bindings) =>
          Promise.resolve(bindings.map((binding) => ({ id: 'b', binding, table: version }))),
      },
    );
    const tablesListenedTo = () =>
      [...uses].filter(([bit, count]) => bit > 1 && count !== 0).map(([bit, n]) => [bit - 2, n]);
    const member = await connect();
    await hub.frames.join(member, joinOf('room', { postgres_changes: [{ table: 'news' }] }));
    version = 2;
    void hub.settle('schema');
    pass(0);
    await settled();
    version = 3;
    const renewed = hub.frames.renew(member, { kind: 'none' });
    await settled();
    expect(held).toHaveLength(2);
    for (const index of order) {
      held[index]?.();
      await settled();
    }
    await renewed;
    expect(tablesListenedTo()).toEqual([[3, 1]]);
    hub.disconnect(member);
    await settled();
    expect(tablesListenedTo()).toEqual([]);
  },
);

test('what a connection tracks in all its channels is bounded, and received as it was sent', async () => {
  const { hub, connect } = openHub();
  const member = await connect();
  const track = (n: number, payload: object) =>
    hub.frames.track(member, parseFrame('rt:track', { topic: `room ${n}`, payload }));
  const large = { list: Array.from({ length: 7_000 }, () => [[]]) };
  for (let n = 0; n < 8; n += 1) await hub.frames.join(member, joinOf(`room ${n}`));
  // 35 KB each.
  for (let n = 0; n < 7; n += 1) await track(n, large);
  const refused = { code: 'PRESENCE_FULL', hint: expect.stringContaining('262144 bytes') };
  await expect(track(7, large)).rejects.toMatchObject(refused);
  expect(await track(6, large)).toEqual({ status: 'ok' });
  await hub.frames.leave(member, 'room 0');
  expect(await track(7, large)).toEqual({ status: 'ok' });
  await hub.frames.untrack(member, 'room 1');
  const { presence } = await hub.frames.join(await connect(), joinOf('room 7', {}));
  expect(presence).toEqual({ ref: [{ ...large, presence_ref: 'ref' }] });
});

test('several tracks within a moment give one frame with the whole state', async () => {
  let refs = 0;
  const { hub, connect, pass } = openHub({}, { newRef: () => `ref ${(refs += 1)}` });
  const frames: unknown[] = [];
  const members = [
    await connect((json) => frames.push(JSON.parse(json))),
    await connect(),
    await connect(),
  ];
  const trackAll = async (payload: object) => {
    for (const [n, member] of members.entries()) {
      await hub.frames.track(
        member,
        parseFrame('rt:track', { topic: 'room', payload: { n, ...payload } }),
      );
    }
  };
  const stateOf = (payload: object) => ({
    t: 'room',
    state: Object.fromEntries(
      members.map((_member, n) => [
        `member ${n}`,
        [{ n, ...payload, presence_ref: expect.any(String) }],
      ]),
    ),
  });
  for (const [n, member] of members.entries()) {
    await hub.frames.join(member, joinOf('room', { presence: { key: `member ${n}` } }));
  }
  await trackAll({ round: 1 });
  pass(0);
  expect(frames).toEqual([stateOf({ round: 1 })]);
  await trackAll({ round: 2 });
  await trackAll({ round: 3 });
  // A state is sent four times in a second at most.
  pass(249);
  expect(frames).toHaveLength(1);
  pass(1);
  expect(frames.slice(1)).toEqual([stateOf({ round: 3 })]);
  pass(60_000);
  expect(frames).toHaveLength(2);
});
