import { AppError } from '#libs/errors';
import { describe, expect, test } from 'vitest';

import { CHANGE_EVENTS, isClientEvent, parseFrame, type ClientEvent } from './index.js';

const defaults = {
  isPrivate: false,
  broadcast: { self: false, ack: false },
  presenceKey: undefined,
  bindings: [],
};

test.each([
  {
    name: 'a join with a topic alone has every default',
    event: 'rt:join',
    value: { topic: 'room' },
    frame: { kind: 'join', topic: 'room', config: defaults, resume: undefined },
  },
  {
    name: 'an empty presence key is none',
    event: 'rt:join',
    value: { topic: 'room', config: { presence: { key: '' } } },
    frame: { kind: 'join', topic: 'room', config: defaults, resume: undefined },
  },
  {
    name: 'a join with everything',
    event: 'rt:join',
    value: {
      topic: 'room',
      config: {
        private: true,
        broadcast: { self: true, ack: true },
        presence: { key: 'ann' },
        postgres_changes: [{ table: 'notes' }, { event: 'INSERT', schema: 'other', table: 'x' }],
      },
      resume: 'e.1-0',
    },
    frame: {
      kind: 'join',
      topic: 'room',
      config: {
        isPrivate: true,
        broadcast: { self: true, ack: true },
        presenceKey: 'ann',
        bindings: [
          { event: '*', schema: 'public', table: 'notes', filter: undefined },
          { event: 'INSERT', schema: 'other', table: 'x', filter: undefined },
        ],
      },
      resume: 'e.1-0',
    },
  },
  {
    name: 'leave',
    event: 'rt:leave',
    value: { topic: 'room' },
    frame: { kind: 'leave', topic: 'room' },
  },
  {
    name: 'a message with any payload',
    event: 'rt:send',
    value: { topic: 'room', event: 'cursor', payload: [1, null] },
    frame: { kind: 'send', topic: 'room', event: 'cursor', payload: [1, null] },
  },
  {
    name: 'a message without a payload',
    event: 'rt:send',
    value: { topic: 'room', event: 'ping' },
    frame: { kind: 'send', topic: 'room', event: 'ping', payload: null },
  },
  {
    name: 'track',
    event: 'rt:track',
    value: { topic: 'room', payload: { at: 1 } },
    frame: { kind: 'track', topic: 'room', payload: { at: 1 } },
  },
  {
    name: 'untrack',
    event: 'rt:untrack',
    value: { topic: 'room' },
    frame: { kind: 'untrack', topic: 'room' },
  },
  {
    name: 'a token',
    event: 'rt:token',
    value: { token: 't' },
    frame: { kind: 'token', token: 't' },
  },
] as const)('$name', ({ event, value, frame }) => {
  expect(parseFrame(event, value)).toEqual(frame);
});

function refusalOf(event: ClientEvent, value: unknown): AppError {
  try {
    parseFrame(event, value);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the frame was accepted');
}

const join = (config: unknown) => ({ topic: 'room', config });
const binding = (value: unknown) => join({ postgres_changes: [{ table: 'a' }, value] });
const second = 'config.postgres_changes[1]';

describe('a refusal names the field:', () => {
  test.each<[name: string, event: ClientEvent, value: unknown, message: string]>([
    ['no frame', 'rt:join', undefined, 'frame: must be an object'],
    ['a list', 'rt:leave', [], 'frame: must be an object'],
    ['no topic', 'rt:join', {}, 'topic: is required'],
    ['a topic of null', 'rt:join', { topic: null }, 'topic: is required'],
    ['a topic that is a number', 'rt:leave', { topic: 7 }, 'topic: must be a text'],
    ['an empty topic', 'rt:track', { topic: '' }, 'topic: must not be empty'],
    [
      'a long topic',
      'rt:untrack',
      { topic: 'a'.repeat(256) },
      'topic: must have at most 255 characters',
    ],
    [
      'a topic with NUL',
      'rt:leave',
      { topic: 'a\0b' },
      'topic: must not contain control characters',
    ],
    [
      'half of a pair',
      'rt:leave',
      { topic: '\ud800' },
      'topic: must not contain half of a surrogate pair',
    ],
    ['an unknown field', 'rt:leave', { topic: 'a', ref: 1 }, 'ref: is not a known field'],
    [
      'a prototype',
      'rt:leave',
      JSON.parse('{"__proto__":{"topic":"a"}}'),
      '__proto__: is not a known field',
    ],
    ['a config that is a text', 'rt:join', join('x'), 'config: must be an object'],
    ['a misspelt part', 'rt:join', join({ presense: {} }), 'config.presense: is not a known field'],
    [
      'a flag as a text',
      'rt:join',
      join({ private: 'yes' }),
      'config.private: must be true or false',
    ],
    [
      'a nested flag',
      'rt:join',
      join({ broadcast: { self: 1 } }),
      'config.broadcast.self: must be true or false',
    ],
    [
      'a presence key that is a number',
      'rt:join',
      join({ presence: { key: 1 } }),
      'config.presence.key: must be a text',
    ],
    [
      'changes that are no list',
      'rt:join',
      join({ postgres_changes: {} }),
      'config.postgres_changes: must be a list',
    ],
    ['a change that is no object', 'rt:join', binding(1), `${second}: must be an object`],
    ['no table', 'rt:join', binding({}), `${second}.table: is required`],
    [
      'an unknown kind of change',
      'rt:join',
      binding({ event: 'insert', table: 'a' }),
      `${second}.event: must be one of ${CHANGE_EVENTS.join(', ')}`,
    ],
    [
      'a schema of null text',
      'rt:join',
      binding({ schema: '', table: 'a' }),
      `${second}.schema: must not be empty`,
    ],
    [
      'a filter without a value',
      'rt:join',
      binding({ table: 'a', filter: 'id' }),
      `${second}.filter: "id" is not column=operator.value`,
    ],
    ['no event of a message', 'rt:send', { topic: 'a' }, 'event: is required'],
    [
      'a payload of presence that is a list',
      'rt:track',
      { topic: 'a', payload: [] },
      'payload: must be an object',
    ],
    ['no token', 'rt:token', {}, 'token: is required'],
    ['a cursor that is a number', 'rt:join', { topic: 'a', resume: 1 }, 'resume: must be a text'],
  ])('%s', (_name, event, value, message) => {
    const error = refusalOf(event, value);
    expect([error.code, error.message]).toEqual(['INVALID_FRAME', message]);
    expect(error.details).toEqual({ field: message.slice(0, message.indexOf(': ')) });
  });
});

test('the events of clients are known, and no others', () => {
  expect(isClientEvent('rt:join')).toBe(true);
  expect(isClientEvent('rt:pg')).toBe(false);
  expect(isClientEvent('toString')).toBe(false);
});

describe('a join that is too large is refused before its filters are parsed', () => {
  const joinWith = (filters: readonly string[]) =>
    refusalOf('rt:join', {
      topic: 'a',
      config: { postgres_changes: filters.map((filter) => ({ table: 't', filter })) },
    });

  test.each([
    [
      'entries',
      Array.from({ length: 101 }, () => 'wrong'),
      'A channel can have at most 100 entries in postgres_changes',
    ],
    [
      'characters',
      ['wrong', ...Array.from({ length: 4 }, () => `id=eq.${'1'.repeat(4_090)}`)],
      'A join can have at most 16384 characters of filters in postgres_changes',
    ],
  ])('%s', (_name, filters, message) => {
    const error = joinWith(filters);
    expect([error.code, error.message]).toEqual(['TOO_MANY_BINDINGS', message]);
  });

  test('as large as it may be', () => {
    const filters = Array.from({ length: 4 }, () => `id=eq.${'1'.repeat(4_090)}`);
    const changes = filters.map((filter) => ({ table: 't', filter }));
    const parse = () =>
      parseFrame('rt:join', { topic: 'a', config: { postgres_changes: changes } });
    expect(parse).not.toThrow();
  });
});
