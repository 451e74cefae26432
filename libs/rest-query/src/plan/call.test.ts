import { describe, expect, test } from 'vitest';
import { valueType } from '../../../catalog/tests/build-catalog.js';
import { callRefusal, getCall, planCallOf, postCall } from '../../tests/call-catalog.js';
import { filterText, outputsText } from '../../tests/plan-text.js';
import { LIMITS } from '../../tests/run-request.js';
import type { CallResult } from '../types/plan.js';

describe('functions with the rights of their owner', () => {
  const owned = (schema: string, definerFunctions: readonly string[]) => () =>
    planCallOf(
      { function: 'owned', headers: { acceptProfile: schema } },
      { ...LIMITS, functionSchemas: ['api'], definerFunctions },
    );
  test.each([
    ['public', [], false],
    ['public', ['other', 'api.owned'], false],
    ['public', ['owned'], true],
    ['public', ['public.owned'], true],
    ['api', ['owned'], false],
    ['api', ['api.owned'], true],
  ])('of %s with the list %j: %s', (schema, list, isAllowed) => {
    const call = owned(schema, list);
    if (isAllowed) expect(call).not.toThrow();
    else {
      expect(call).toThrow(expect.objectContaining({ code: 'DEFINER_NOT_ALLOWED', status: 403 }));
    }
  });
});

describe('results', () => {
  const rowsOf = (result: CallResult) => {
    if (result.kind !== 'rows') throw new Error('there are no rows');
    return result.rows.level;
  };

  test('nothing, a value, a set of values', () => {
    expect(getCall('work').result).toEqual({ kind: 'void' });
    expect(getCall('exact', 'a=1').result).toMatchObject({ kind: 'scalar', isSet: false });
    expect(getCall('numbers').result).toEqual({
      kind: 'scalar',
      isSet: true,
      value: valueType('integer'),
    });
  });

  test('rows of a table are filtered and shaped like the table', () => {
    const { result } = getCall('all_people', 'select=id&name=eq.x&order=id');
    expect(result).toMatchObject({ kind: 'rows', isSet: true });
    expect(outputsText(rowsOf(result))).toBe('id');
    expect(filterText(rowsOf(result).where)).toBe('and(name eq)');
  });

  test('rows of no table have columns and no keys, also under the name of a table', () => {
    const { result } = getCall('people', 'select=name&id=gt.1');
    expect(outputsText(rowsOf(result))).toBe('name');
    expect(callRefusal({ function: 'people', queryString: 'select=people(id)' }).code).toBe(
      'PGRST200',
    );
    expect(callRefusal({ function: 'people', queryString: 'select=nope' }).code).toBe('PGRST204');
  });

  test.each(['select=id', 'order=id', 'id=eq.1', 'or=(id.eq.1)', 'a.order=id'])(
    'without rows %s is refused',
    (queryString) => {
      expect(callRefusal({ function: 'numbers', queryString }).code).toBe('PGRST100');
    },
  );

  test.each([
    { query: '', window: { hasOffset: false, limit: 1000 } },
    { query: 'limit=2&offset=1', window: { hasOffset: true, limit: 2 } },
    { query: 'limit=2000', window: { hasOffset: false, limit: 1000 } },
  ])('the window of $query', ({ query, window }) => {
    expect(getCall('numbers', query).window).toEqual(window);
  });
});

describe('how it runs', () => {
  test.each([
    { name: 'GET never writes', call: () => getCall('work'), isReadOnly: true },
    { name: 'POST may', call: () => postCall('work', '{}'), isReadOnly: false },
    { name: 'a stable function does not', call: () => postCall('numbers', '{}'), isReadOnly: true },
    {
      name: 'an immutable one does not',
      call: () => postCall('one_person', '{}'),
      isReadOnly: true,
    },
  ])('$name', ({ call, isReadOnly }) => {
    expect(call().isReadOnly).toBe(isReadOnly);
  });

  test.each([
    { prefer: '', isMinimal: false },
    { prefer: 'return=representation', isMinimal: false },
    { prefer: 'return=minimal', isMinimal: true },
    { prefer: 'return=headers-only', isMinimal: true },
  ])('Prefer: $prefer', ({ prefer, isMinimal }) => {
    expect(postCall('work', '{}', { prefer })).toMatchObject({ isMinimal });
  });

  test('HEAD reads no rows', () => {
    expect(planCallOf({ function: 'numbers', method: 'HEAD' }).readsRows).toBe(false);
  });

  test('a schema that is exposed', () => {
    const call = planCallOf(
      { function: 'ping', headers: { acceptProfile: 'api' } },
      { ...LIMITS, functionSchemas: ['api'] },
    );
    expect(call.routine.schema).toBe('api');
  });
});
