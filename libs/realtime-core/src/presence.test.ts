import { describe, expect, test } from 'vitest';

import {
  changePresence,
  emptyPresence,
  presencePayload,
  presenceState,
  type PresenceChange,
} from './index.js';

const member = (node: string, socket: string) => ({ node, socket });
const tracked = (key: string, ref: string, payload = {}) => ({
  key,
  ref,
  payload: JSON.stringify(payload),
});
const track = (node: string, socket: string, key: string, ref: string): PresenceChange => ({
  kind: 'track',
  member: member(node, socket),
  tracked: tracked(key, ref),
});
const untrack = (node: string, socket: string): PresenceChange => ({
  kind: 'untrack',
  member: member(node, socket),
});

const two = changePresence(emptyPresence, [
  track('n1', 's1', 'ann', 'r1'),
  track('n2', 's2', 'bob', 'r2'),
]);
const ann = { ann: [{ presence_ref: 'r1' }] };
const bob = { bob: [{ presence_ref: 'r2' }] };

describe('the state of a topic', () => {
  test.each<{ name: string; changes: PresenceChange[]; state: object }>([
    { name: 'has the members of all nodes', changes: [], state: { ...ann, ...bob } },
    { name: 'is without a member that untracks', changes: [untrack('n1', 's1')], state: bob },
    {
      name: 'has a member once, with its last payload',
      changes: [track('n1', 's1', 'ann', 'r3')],
      state: { ann: [{ presence_ref: 'r3' }], ...bob },
    },
    {
      name: 'has a member under its last key',
      changes: [track('n1', 's1', 'eve', 'r3')],
      state: { eve: [{ presence_ref: 'r3' }], ...bob },
    },
    {
      name: 'has all members with one key',
      changes: [track('n2', 's3', 'ann', 'r3')],
      state: { ann: [{ presence_ref: 'r1' }, { presence_ref: 'r3' }], ...bob },
    },
    {
      name: 'is without the members of a dead node',
      changes: [{ kind: 'node-gone', node: 'n1' }],
      state: bob,
    },
    {
      name: 'has for a node what it announced last',
      changes: [{ kind: 'node', node: 'n1', members: new Map([['s9', tracked('cat', 'r9')]]) }],
      state: { ...bob, cat: [{ presence_ref: 'r9' }] },
    },
    {
      name: 'follows changes in their order',
      changes: [
        { kind: 'node-gone', node: 'n1' },
        track('n1', 's4', 'dan', 'r4'),
        untrack('n2', 's2'),
      ],
      state: { dan: [{ presence_ref: 'r4' }] },
    },
    {
      name: 'keeps a socket of another node with the same id',
      changes: [track('n2', 's1', 'zoe', 'r5'), untrack('n1', 's1')],
      state: { ...bob, zoe: [{ presence_ref: 'r5' }] },
    },
  ])('$name', ({ changes, state }) => {
    const before = presenceState(two);
    expect(presenceState(changePresence(two, changes))).toEqual(state);
    // The earlier state is a value: changes make another one.
    expect(presenceState(two)).toEqual(before);
  });

  test.each<{ name: string; changes: PresenceChange[] }>([
    { name: 'no change', changes: [] },
    { name: 'an unknown member untracks', changes: [untrack('n1', 's7'), untrack('n7', 's1')] },
    { name: 'an unknown node dies', changes: [{ kind: 'node-gone', node: 'n7' }] },
  ])('is the same object after nothing: $name', ({ changes }) => {
    expect(changePresence(two, changes)).toBe(two);
  });

  test('is sent with payloads, whose own presence_ref does not count', () => {
    const state = changePresence(emptyPresence, [
      {
        kind: 'track',
        member: member('n', 's'),
        tracked: tracked('__proto__', 'r1', { at: 1, presence_ref: 'forged' }),
      },
    ]);
    expect(JSON.stringify(presenceState(state))).toBe(
      '{"__proto__":[{"at":1,"presence_ref":"r1"}]}',
    );
  });

  test('is empty again after the last member', () => {
    const state = changePresence(two, [untrack('n1', 's1'), untrack('n2', 's2')]);
    expect(state.size).toBe(0);
  });
});

describe('a payload', () => {
  const limits = { maxBytes: 20, maxFields: 2 };

  test('is accepted up to its limits', () => {
    expect(presencePayload({ a: 1, b: 2 }, limits)).toBe('{"a":1,"b":2}');
    expect(() => presencePayload({ a: 'éééééé' }, limits)).not.toThrow();
  });

  test.each([
    {
      name: 'fields',
      payload: { a: 1, b: 2, c: 3 },
      message: 'payload: must have at most 2 fields',
    },
    {
      name: 'bytes',
      payload: { a: 'ééééééé' },
      message: 'The presence payload is larger than 20 bytes',
    },
  ])('is refused with too many $name', ({ payload, message }) => {
    expect(() => presencePayload(payload, limits)).toThrow(message);
  });
});
