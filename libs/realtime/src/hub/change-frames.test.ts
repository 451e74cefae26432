import { expect, test } from 'vitest';

import type { Change } from '../feed/lines.js';
import { ChangeFrames } from './change-frames.js';
import { type Channel, Member } from './member.js';
import type { Ruling } from './ports.js';
import { unknownRights } from './rights.js';

const change = (seq: number, kind: 'I' | 'U' | 'D' = 'I'): Change => ({
  seq: String(seq),
  txid: '7',
  table: 1,
  at: '2026-01-01T00:00:00+00:00',
  kind,
  newText: kind === 'D' ? null : `{"id":${seq}}`,
  oldText: kind === 'I' ? null : `{"id":${seq}}`,
  isCut: false,
});

const binding = { event: '*', schema: 'public', table: 'news', filter: undefined } as const;

function channel(audience: string, ids: readonly string[] = ['b'], topic = 'news'): Channel {
  const socket = { id: audience, bufferedBytes: 0, send: () => undefined, close: () => undefined };
  const member = new Member(socket, { kind: 'none' }, { ...unknownRights, audience });
  const bound = ids.map((id) => ({ id, binding, table: 1 }));
  // The fields that frames depend on.
  return { topic, member, bound, boundKey: ids.join(' ') } as unknown as Channel;
}

/** A ruling that shows `visible` to an audience, and counts its calls. */
function ruling(visible: Readonly<Record<string, readonly string[]>>) {
  const asked = { sights: 0, matches: 0 };
  const one: Ruling = {
    schema: 'public',
    isLocked: false,
    hasGap: false,
    table: 'news',
    sightOf: (audience, { seq }) => {
      asked.sights += 1;
      return visible[audience]?.includes(seq) ? 'both' : 'nothing';
    },
    matches: (id) => {
      asked.matches += 1;
      return id !== 'none';
    },
    errorOf: () => undefined,
    filterErrorOf: () => undefined,
    newText: ({ newText }) => newText ?? '{}',
    oldText: ({ oldText }) => oldText ?? '{}',
  };
  return { one, asked };
}

const changes = [change(1), change(2, 'U'), change(3, 'D')];

test('what an audience receives is worked out once for all of its channels', () => {
  const { one, asked } = ruling({ ann: ['1', '2'] });
  const frames = new ChangeFrames(changes, () => one, 'c');
  const first = frames.for(channel('ann'));
  for (let n = 0; n < 100; n += 1) expect(frames.for(channel('ann'))).toBe(first);
  expect(asked).toEqual({ sights: 3, matches: 3 });
});

test('audiences that see the same receive the same frame, and others another one', () => {
  const { one } = ruling({ ann: ['1', '2'], bob: ['1', '2'], eve: ['3'] });
  const frames = new ChangeFrames(changes, () => one, 'c');
  const idsFor = (audience: string) =>
    frames
      .for(channel(audience))
      .flatMap(({ json }) => (JSON.parse(json) as { e: { id: string }[] }).e.map(({ id }) => id));
  expect(frames.for(channel('bob'))).toBe(frames.for(channel('ann')));
  expect(['ann', 'eve', 'stranger'].map(idsFor)).toEqual([['7.1', '7.2'], ['7.3'], []]);
});

test('topics and bindings have frames of their own', () => {
  const { one } = ruling({ ann: ['1'] });
  const frames = new ChangeFrames(changes, () => one, 'c');
  const read = (of: Channel) =>
    frames.for(of).map(({ json }) => JSON.parse(json) as { t: string; e: { b: string[] }[] });
  expect(read(channel('ann'))).toMatchObject([{ t: 'news', e: [{ b: ['b'] }] }]);
  expect(read(channel('ann', ['b', 'c']))).toMatchObject([{ t: 'news', e: [{ b: ['b', 'c'] }] }]);
  expect(read(channel('ann', ['b'], 'more'))).toMatchObject([{ t: 'more', e: [{ b: ['b'] }] }]);
  expect(read(channel('ann', ['none']))).toEqual([]);
});
