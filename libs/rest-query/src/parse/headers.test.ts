import { describe, expect, test } from 'vitest';
import { parseAccept } from './accept.js';
import { parsePrefer } from './prefer.js';

describe('Prefer', () => {
  const nothing = {
    count: 'none',
    returns: undefined,
    resolution: undefined,
    missing: 'null',
    maxAffected: undefined,
    isDryRun: false,
    isSingleObject: false,
    given: [],
  };
  test.each([
    { header: undefined, says: {} },
    { header: '', says: {} },
    { header: 'wait=5, respond-async', says: {} },
    { header: 'count=exact', says: { count: 'exact', given: ['count=exact'] } },
    { header: 'return=minimal', says: { returns: 'minimal', given: ['return=minimal'] } },
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
      header: 'handling=strict, max-affected=10,',
      says: { maxAffected: 10, given: ['handling=strict', 'max-affected=10'] },
    },
    {
      header: 'handling=lenient, wait=5',
      says: { given: ['handling=lenient'] },
    },
    { header: 'tx=rollback', says: { isDryRun: true, given: ['tx=rollback'] } },
    {
      header: 'params=single-object',
      says: { isSingleObject: true, given: ['params=single-object'] },
    },
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

  test('handling=strict refuses unknown names, and names them', () => {
    expect(() => parsePrefer('wait=5, handling=strict, count=exact, respond-async')).toThrow(
      expect.objectContaining({
        code: 'PGRST122',
        message: 'Unknown preferences in the Prefer header: wait=5, respond-async',
      }),
    );
  });
});

describe('Accept', () => {
  test.each([
    { header: undefined, kind: 'array' },
    { header: '*/*', kind: 'array' },
    { header: 'text/html,application/xhtml+xml,*/*;q=0.8', kind: 'array' },
    { header: 'image/png', kind: 'array' },
    { header: 'application/vnd.pgrst.object', kind: 'object' },
    { header: 'application/vnd.pgrst.object+json', kind: 'object' },
    { header: 'APPLICATION/VND.PGRST.OBJECT+JSON; charset=utf-8', kind: 'object' },
    { header: 'text/csv;q=0.5, application/json', kind: 'array' },
    { header: 'text/csv;q=0, application/json;q=0.1', kind: 'array' },
    { header: 'application/geo+json;q=0.5, application/json', kind: 'array' },
    { header: 'text/csv;q=2, application/json;q=oops', kind: 'csv' },
  ])('$header gives $kind', ({ header, kind }) => {
    expect(parseAccept(header).kind).toBe(kind);
  });

  test.each([
    { header: 'text/csv; version=1', format: { kind: 'csv' } },
    { header: 'application/json;q=0.1, text/csv;q=0.2', format: { kind: 'csv' } },
    { header: 'application/geo+json', format: { kind: 'geojson' } },
    {
      header: 'application/vnd.pgrst.array+json;nulls=stripped',
      format: { kind: 'array', stripNulls: true },
    },
    {
      header: 'application/vnd.pgrst.object+json; q=0.9; nulls="stripped"',
      format: { kind: 'object', stripNulls: true },
    },
    {
      header: 'application/vnd.pgrst.array+json;nulls=kept',
      format: { kind: 'array', stripNulls: false },
    },
  ])('$header', ({ header, format }) => {
    expect(parseAccept(header)).toEqual(format);
  });
});

describe('plans', () => {
  const ARRAY = { kind: 'array', stripNulls: false };
  const PLAN = 'application/vnd.pgrst.plan';
  test.each([
    { header: PLAN, as: 'text', options: [], of: ARRAY },
    { header: `${PLAN}+text`, as: 'text', options: [], of: ARRAY },
    { header: `${PLAN}+json`, as: 'json', options: [], of: ARRAY },
    {
      header: `${PLAN}+json; for="application/json"; options=wal|analyze|verbose|x;`,
      as: 'json',
      options: ['analyze', 'verbose', 'wal'],
      of: ARRAY,
    },
    {
      header: `${PLAN}; options="settings|buffers"; for="application/vnd.pgrst.object+json;nulls=stripped, x"`,
      as: 'text',
      options: ['settings', 'buffers'],
      of: { kind: 'object', stripNulls: true },
    },
    { header: `${PLAN}; for=text/csv`, as: 'text', options: [], of: { kind: 'csv' } },
    { header: `${PLAN}; for="${PLAN}+json"`, as: 'text', options: [], of: ARRAY },
    { header: `${PLAN}; for="image/png"`, as: 'text', options: [], of: ARRAY },
    { header: `text/csv;q=0.5, ${PLAN}+json; for="text/csv`, as: 'json', options: [], of: ARRAY },
  ])('$header', ({ header, ...plan }) => {
    expect(parseAccept(header)).toEqual({ kind: 'plan', ...plan });
  });
});
