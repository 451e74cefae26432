import { describe, expect, test } from '@jest/globals';
import { parseAccept } from './accept.js';
import { readBodyShape } from './body.js';
import { parsePrefer } from './prefer.js';

describe('Prefer', () => {
  const nothing = {
    count: 'none',
    returns: 'minimal',
    resolution: undefined,
    missing: 'null',
    maxAffected: undefined,
    isDryRun: false,
    given: [],
  };
  test.each([
    { header: undefined, says: {} },
    { header: '', says: {} },
    { header: 'wait=5, respond-async', says: {} },
    { header: 'count=exact', says: { count: 'exact', given: ['count=exact'] } },
    {
      header: 'return=representation,count=planned',
      says: {
        count: 'planned',
        returns: 'representation',
        given: ['return=representation', 'count=planned'],
      },
    },
    {
      header: 'Return = "headers-only"; x=1',
      says: { returns: 'headers-only', given: ['return=headers-only'] },
    },
    {
      header: 'count=exact, count=planned',
      says: { count: 'exact', given: ['count=exact'] },
    },
    {
      header: 'handling=strict, max-affected=10',
      says: { maxAffected: 10, given: ['handling=strict', 'max-affected=10'] },
    },
    { header: 'tx=rollback', says: { isDryRun: true, given: ['tx=rollback'] } },
    {
      header: 'resolution=merge-duplicates, missing=default',
      says: {
        resolution: 'merge-duplicates',
        missing: 'default',
        given: ['resolution=merge-duplicates', 'missing=default'],
      },
    },
  ])('$header', ({ header, says }) => {
    expect(parsePrefer(header)).toEqual({ ...nothing, ...says });
  });

  test.each([
    'return=everything',
    'return',
    'count=Exact',
    'resolution=x',
    'missing=',
    'handling=loose',
    'tx=maybe',
    'max-affected=-1',
    'max-affected=ten',
    'params=multiple-objects',
  ])('%s is PGRST122', (header) => {
    expect(() => parsePrefer(header)).toThrow(
      expect.objectContaining({ code: 'PGRST122', status: 400 }),
    );
  });
});

describe('Accept', () => {
  test.each([
    { header: undefined, kind: 'array' },
    { header: '*/*', kind: 'array' },
    { header: 'text/html,application/xhtml+xml,*/*;q=0.8', kind: 'array' },
    { header: 'image/png', kind: 'array' },
    { header: 'application/vnd.pgrst.object+json', kind: 'object' },
    { header: 'APPLICATION/VND.PGRST.OBJECT+JSON; charset=utf-8', kind: 'object' },
    { header: 'text/csv; version=1', kind: 'csv' },
    { header: 'text/csv;q=0.5, application/json', kind: 'array' },
    { header: 'application/json;q=0.1, text/csv;q=0.2', kind: 'csv' },
    { header: 'text/csv;q=0, application/json;q=0.1', kind: 'array' },
    { header: 'application/geo+json;q=0.5, application/json', kind: 'array' },
  ])('$header gives $kind', ({ header, kind }) => {
    expect(parseAccept(header)).toEqual({ kind, stripNulls: false });
  });

  test('nulls=stripped', () => {
    expect(parseAccept('application/vnd.pgrst.array+json;nulls=stripped')).toEqual({
      kind: 'array',
      stripNulls: true,
    });
  });

  test.each(['application/geo+json', 'application/vnd.pgrst.plan+json'])(
    '%s is refused, not replaced',
    (header) => {
      expect(() => parseAccept(header)).toThrow(expect.objectContaining({ status: 400 }));
    },
  );
});

describe('the shape of a body', () => {
  test.each([
    { body: '{}', kind: 'object', keys: [], isUniform: true },
    { body: '[]', kind: 'array', keys: [], isUniform: true },
    { body: '[{},{}]', kind: 'array', keys: [], isUniform: true },
    { body: '{"a":1,"b":null}', kind: 'object', keys: ['a', 'b'], isUniform: true },
    { body: '[{"a":1},{"a":2}]', kind: 'array', keys: ['a'], isUniform: true },
    { body: '[{"a":1,"b":1},{"b":2,"a":2}]', kind: 'array', keys: ['a', 'b'], isUniform: true },
    { body: '[{"a":1},{"b":2}]', kind: 'array', keys: ['a', 'b'], isUniform: false },
    { body: '[{"a":1},{}]', kind: 'array', keys: ['a'], isUniform: false },
    { body: '{"__proto__":1}', kind: 'object', keys: ['__proto__'], isUniform: true },
  ])('$body', ({ body, ...shape }) => {
    expect(readBodyShape(body)).toEqual(shape);
  });

  test.each([
    { body: undefined, reason: /it is empty/ },
    { body: '', reason: /it is empty/ },
    { body: '{', reason: /it is not JSON/ },
    { body: '5', reason: /the body is not an object/ },
    { body: 'null', reason: /the body is not an object/ },
    { body: '"x"', reason: /the body is not an object/ },
    { body: '[{},1]', reason: /element 1 of the body is not an object/ },
    { body: '[[]]', reason: /element 0 of the body is not an object/ },
  ])('$body is PGRST102', ({ body, reason }) => {
    expect(() => readBodyShape(body)).toThrow(reason);
  });
});
