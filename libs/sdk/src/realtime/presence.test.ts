import { expect, test } from 'vitest';

import { comparePresence } from './presence.js';

const at = (ref: string, fields: object = {}) => ({ presence_ref: ref, ...fields });

test('clients that come are joins, clients that go are leaves, and others are neither', () => {
  const before = { ada: [at('1')], bob: [at('2')] };
  const after = { ada: [at('1')], eve: [at('3', { mood: 'fine' })] };
  expect(comparePresence(before, after)).toEqual([
    {
      event: 'join',
      key: 'eve',
      currentPresences: [],
      newPresences: [{ presence_ref: '3', mood: 'fine' }],
    },
    { event: 'leave', key: 'bob', currentPresences: [], leftPresences: [{ presence_ref: '2' }] },
  ]);
});

test('a second client of a key comes to the first', () => {
  const [join, ...others] = comparePresence({ ada: [at('1')] }, { ada: [at('1'), at('2')] });
  expect(others).toEqual([]);
  expect(join).toEqual({
    event: 'join',
    key: 'ada',
    currentPresences: [at('1')],
    newPresences: [at('2')],
  });
});

test('a client that tracks again joins and leaves', () => {
  const changes = comparePresence({ ada: [at('1')] }, { ada: [at('2')] });
  expect(changes).toEqual([
    { event: 'join', key: 'ada', currentPresences: [at('1')], newPresences: [at('2')] },
    { event: 'leave', key: 'ada', currentPresences: [at('2')], leftPresences: [at('1')] },
  ]);
});

test('a key may be the name of a field that every object has', () => {
  const state = JSON.parse('{"__proto__": [{"presence_ref": "1"}], "toString": []}');
  expect(comparePresence({}, state).map(({ key }) => key)).toEqual(['__proto__']);
  expect(comparePresence(state, state)).toEqual([]);
});
