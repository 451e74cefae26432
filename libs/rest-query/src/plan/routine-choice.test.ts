import { describe, expect, test } from 'vitest';
import { callRefusal, getCall, postCall } from '../../tests/call-catalog.js';
import type { CallPlan } from '../types/plan.js';

const signature = ({ routine: { args } }: CallPlan) =>
  args.map(({ name, type }) => `${name ?? ''} ${type}`.trim()).join(', ');
const given = (call: CallPlan) => call.arguments.map(({ argument }) => argument.name);

describe('which overload', () => {
  test.each([
    ['by the names', 'add', 'a=1&b=2', 'a integer, b integer'],
    ['by the names, in any order', 'add', 'c=2&a=1', 'a integer, c integer'],
    ['with all that have no default', 'add', 'd=x&a=1', 'a integer, b integer, d text'],
    ['the one without defaults', 'exact', 'a=1', 'a integer'],
    ['the one that takes all names', 'exact', 'a=1&b=1', 'a integer, b integer'],
    ['a variadic overload is unreachable', 'mixed', 'a=1', 'a integer'],
    ['the one without arguments', 'either', '', ''],
    ['an argument without a name and with a default', 'half_default', 'a=1', 'a integer, integer'],
  ])('%s', (_name, name, query, expected) => {
    expect(signature(getCall(name, query))).toBe(expected);
  });

  test.each([
    ['nothing of that name', 'nope', '', 'with no arguments'],
    ['an unknown argument', 'exact', 'a=1&z=1', 'with the arguments a, z'],
    ['an argument without a default is missing', 'add', 'd=1', 'with the arguments d'],
    ['a variadic tail', 'total', 'first=1&rest=2', 'with the arguments first, rest'],
    ['only a variadic overload', 'mixed', 'rest=1', 'with the arguments rest'],
    ['an argument without a name', 'half', 'a=1', 'with the arguments a'],
    ['a whole body without a body', 'nameless', '', 'with no arguments'],
  ])('PGRST202: %s', (_name, name, queryString, words) => {
    expect(callRefusal({ function: name, queryString })).toMatchObject({
      code: 'PGRST202',
      status: 404,
      message: `There is no function public.${name} ${words}`,
    });
  });

  test.each([
    ['the nearest name', 'twise', 'Perhaps you meant the function public.twice'],
    [
      'what there is of that name',
      'exact',
      'Perhaps you meant public.exact(a integer) or public.exact(a integer, b integer default)',
    ],
    [
      'what to do about a variadic tail',
      'total',
      'Functions with a VARIADIC argument cannot be called here; give it an array instead',
    ],
    ['nothing', 'completely_else', undefined],
  ])('the hint of PGRST202 is %s', (_name, name, hint) => {
    expect(callRefusal({ function: name }).hint).toBe(hint);
  });

  test.each([
    ['types alone differ', 'twice', 'a=1', ['public.twice(a integer)', 'public.twice(a text)']],
    [
      'the defaults alone differ',
      'add',
      'a=1',
      ['public.add(a integer, b integer default)', 'public.add(a integer, c integer default)'],
    ],
  ])('PGRST203: %s', (_name, name, queryString, details) => {
    expect(callRefusal({ function: name, queryString })).toMatchObject({
      code: 'PGRST203',
      status: 300,
      details,
    });
  });
});

describe('arguments', () => {
  test('only those that are given, in the order of the function', () => {
    expect(given(getCall('add', 'd=x&a=1'))).toEqual(['a', 'd']);
    expect(given(postCall('add', '{"d":"x","a":1}'))).toEqual(['a', 'd']);
  });

  test('of a repeated name the last', () => {
    expect(getCall('exact', 'a=1&a=2&a=3').arguments).toMatchObject([
      { value: { from: 'query', text: { slot: 2 } } },
    ]);
  });

  test('keys of a body', () => {
    expect(postCall('exact', '{"a":1}').arguments).toMatchObject([{ value: { from: 'key' } }]);
  });
});

describe('the whole body as one argument', () => {
  const text = { contentType: 'text/plain' };
  const bytes = { contentType: 'application/octet-stream' };
  const single = { prefer: 'params=single-object' };
  test.each([
    ['an object whose names fit nothing', 'either', '{"z":1}', {}, 'jsonb'],
    ['an array', 'nameless', '[1]', {}, 'json'],
    ['text', 'nameless', 'x', text, 'text'],
    ['bytes', 'nameless', '\\x00', bytes, 'bytea'],
    ['an object whose names would fit, when it is asked for', 'either', '{"a":1}', single, 'jsonb'],
    [
      'for an argument with a name, when it is asked for',
      'named_json',
      '{"x":1}',
      single,
      'data json',
    ],
  ])('%s', (_name, name, body, headers, expected) => {
    const call = postCall(name, body, headers);
    expect(signature(call)).toBe(expected);
    expect(call.arguments).toMatchObject([{ value: { from: 'body' } }]);
  });

  test.each([
    ['names that fit come first', 'either', '{"a":1}', 'a integer'],
    ['no name at all is the function without arguments', 'either', '{}', ''],
  ])('%s', (_name, name, body, expected) => {
    expect(signature(postCall(name, body))).toBe(expected);
  });

  test.each([
    ['an argument with a name is not meant', 'named_json', '{"x":1}', {}],
    ['an array for names', 'exact', '[1]', {}],
    ['text for json', 'either', 'x', text],
    ['json for no argument', 'numbers', '[]', {}],
  ])('PGRST202: %s', (_name, name, body, headers) => {
    const request = { function: name, method: 'POST', body, headers } as const;
    expect(callRefusal(request).code).toBe('PGRST202');
  });
});
