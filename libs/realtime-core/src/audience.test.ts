import { describe, expect, test } from 'vitest';

import { audienceKey, claimsKey } from './index.js';

const key = (claims: string) => audienceKey('authenticated', claims);

test.each([
  ['in another order', '{"a":1,"b":[{"c":1,"d":2}]}', '{ "b": [{"d":2,"c":1}], "a":1 }'],
  ['without claims', '', ''],
])('callers share a key: %s', (_name, one, other) => {
  expect(key(one)).toBe(key(other));
});

describe('callers differ', () => {
  test.each([
    ['in their session', '{"session_id":"1"}', '{"session_id":"2"}'],
    ['in the type of a claim', '{"a":"1"}', '{"a":1}'],
    ['in null and absence', '{"a":null}', '{}'],
    ['in the order of a list', '{"a":[1,2]}', '{"a":[2,1]}'],
    ['in a list and an object', '{"a":{"members":[]}}', '{"a":{}}'],
    [
      'in numbers that JavaScript cannot tell apart',
      '{"org":9007199254740993}',
      '{"org":9007199254740992}',
    ],
    ['in decimal places that JavaScript drops', '{"org":0.10000000000000000001}', '{"org":0.1}'],
    ['in no claims and empty ones', '', '{}'],
    ['in texts that are not JSON', 'a', 'b'],
  ])('%s', (_name, one, other) => {
    expect(key(one)).not.toBe(key(other));
  });

  test('in their role', () => {
    expect(audienceKey('anon', '{}')).not.toBe(audienceKey('authenticated', '{}'));
  });
});

describe('for a policy that reads `org`, callers', () => {
  const orgKey = (claims: string) => claimsKey(claims, ['org']);

  test.each([
    ['of other sessions', '{"org":"a","session_id":"1"}', '{"session_id":"2","org":"a"}'],
    ['with the same object', '{"org":{"a":1,"b":2},"x":1}', '{"org":{"b":2,"a":1}}'],
    ['without the claim', '{"a":1}', '{}'],
    ['with the last of two claims', '{"org":"a","org":"b"}', '{"org":"b"}'],
  ])('%s share a key', (_name, one, other) => {
    expect(orgKey(one)).toBe(orgKey(other));
  });

  test.each([
    ['of another value', '{"org":"a"}', '{"org":"b"}'],
    ['with null and without the claim', '{"org":null}', '{}'],
    ['with a claim of every object', '{"toString":1}', '{}', 'toString'],
    [
      'with digits that JavaScript drops anywhere',
      '{"org":"a","n":9007199254740993}',
      '{"org":"a","n":9007199254740992}',
    ],
    [
      'with an escape that PostgreSQL may refuse',
      String.raw`{"org":"a","x":"\u0000"}`,
      '{"org":"a"}',
    ],
    [
      'with claims that may be too deep',
      `{"org":"a","x":${'['.repeat(9e3)}1${']'.repeat(9e3)}}`,
      '{"org":"a"}',
    ],
    ['with claims that are not JSON', '{"org":"a"', '{"org":"a"}'],
    ['with a list', '["org"]', '{}'],
    ['without claims at all', '', '{}'],
  ])('%s do not', (_name, one, other, claim = 'org') => {
    expect(claimsKey(one, [claim])).not.toBe(claimsKey(other, [claim]));
  });
});
