import { expect, test } from 'vitest';

import { type JoinConfig, parseFrame } from '#libs/realtime-core';
import { FilterLimits } from './filter-limits.js';
import { type Channel, Member } from './member.js';
import { unknownRights } from './rights.js';

function configOf(filters: readonly string[], table = 'news'): JoinConfig {
  const changes = filters.map((filter) => ({ table, filter }));
  const frame = parseFrame('rt:join', { topic: 'a', config: { postgres_changes: changes } });
  if (frame.kind !== 'join') throw new Error('No join');
  return frame.config;
}

const member = (): Member => {
  const socket = { id: 'a', bufferedBytes: 0, send: () => undefined, close: () => undefined };
  return new Member(socket, { kind: 'none' }, unknownRights);
};

/** Joins without anything else. */
function join(limits: FilterLimits, one: Member, topic: string, config: JoinConfig): void {
  const release = limits.reserve(one, topic, config);
  const before = one.channels.get(topic);
  if (before) limits.remove(before);
  // The fields that the limits depend on.
  const channel = { topic, config } as Channel;
  one.channels.set(topic, channel);
  limits.add(channel);
  release();
}

const many = (count: number) => Array.from({ length: count }, (_, n) => `id=eq.${n}`);
const long = (n: number) => `name=eq.${n}${'x'.repeat(3_850)}`;
/** Together a little less than a connection may have; one join has four at most. */
const nearlyAll = Array.from({ length: 8 }, (_, topic) => ({
  topic: `${topic}`,
  config: configOf(Array.from({ length: 4 }, (_filter, n) => long(4 * topic + n))),
}));

test('a connection has 200 filters on one table, in all its channels', () => {
  const limits = new FilterLimits();
  const one = member();
  join(limits, one, 'a', configOf(many(100)));
  join(limits, one, 'b', configOf(many(100)));
  const refused = () => join(limits, one, 'c', configOf(many(1)));
  expect(refused).toThrow('A connection can have at most 200 filters on one table');
  join(limits, one, 'c', configOf(many(1), 'others'));
  join(limits, one, 'd', configOf([]));
  // A second join replaces the first.
  join(limits, one, 'a', configOf(many(99)));
  expect(refused).not.toThrow();
  const another = member();
  join(limits, another, 'a', configOf(many(100)));
  expect(() => join(limits, another, 'b', configOf(many(100)))).not.toThrow();
});

test('filters of a connection have 131,072 bytes', () => {
  const limits = new FilterLimits();
  const one = member();
  for (const { topic, config } of nearlyAll) join(limits, one, topic, config);
  const refused = () => join(limits, one, 'b', configOf([long(33)]));
  expect(refused).toThrow('A connection can have at most 131072 bytes of filters');
  join(limits, one, 'c', configOf(['id=eq.1']));
  join(limits, one, '0', configOf([]));
  expect(refused).not.toThrow();
});

test('filters of a project have 64 MB, of which those of channels that end are free again', () => {
  const limits = new FilterLimits();
  const members: Member[] = [];
  const more = () => {
    const one = member();
    for (const { topic, config } of nearlyAll) join(limits, one, topic, config);
    members.push(one);
  };
  expect(() => {
    for (let n = 0; n < 1_000; n++) more();
  }).toThrow('A project can have at most 67108864 bytes of filters');
  expect(members.length).toBeGreaterThan(500);
  for (const channel of members[0]?.channels.values() ?? []) limits.remove(channel);
  expect(more).not.toThrow();
  expect(more).toThrow('A project');
});

test('short conditions count with what they take in memory', () => {
  const limits = new FilterLimits();
  const one = member();
  const short = `or=(${Array.from({ length: 500 }, () => 'a.eq.1').join(',')})`;
  join(limits, one, 'a', configOf([short]));
  expect(() => join(limits, one, 'b', configOf([short]))).toThrow('bytes of filters');
  const list = `a=in.(${Array.from({ length: 1_800 }, () => '1').join(',')})`;
  const another = member();
  join(limits, another, 'a', configOf([list, list]));
  expect(() => join(limits, another, 'b', configOf([list]))).toThrow('bytes of filters');
});

test('joins whose tables are looked up count as those that have joined', () => {
  const limits = new FilterLimits();
  const releases: (() => void)[] = [];
  const reserveAll = () => {
    for (let n = 0; n < 10_000; n++) {
      const { topic, config } = nearlyAll[n % 8] ?? { topic: '', config: configOf([]) };
      releases.push(limits.reserve(member(), topic, config));
    }
  };
  expect(reserveAll).toThrow('A project');
  releases.pop()?.();
  expect(() => limits.reserve(member(), 'a', configOf(['id=eq.1']))).not.toThrow();
  expect(reserveAll).toThrow('A project');
});
