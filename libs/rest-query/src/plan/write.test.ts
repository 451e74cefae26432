import { describe, expect, test } from 'vitest';
import { planOf } from '../../tests/plan-of.js';
import { filterText, outputsText } from '../../tests/plan-text.js';
import type { Request } from '../../tests/run-request.js';
import { sampleCatalog } from '../../tests/sample-catalog.js';
import type { BatchPlace } from '../types/grammar.js';
import type { WritePlan } from '../types/plan.js';
import { isUnfiltered } from './index.js';

const RETURN_ROWS = { prefer: 'return=representation' };

function plan(request: Request): WritePlan {
  const planned = planOf(sampleCatalog, { headers: RETURN_ROWS, ...request });
  if (planned.kind === 'read' || planned.kind === 'call') throw new Error('this is no write');
  return planned;
}

const remove = (queryString: string) => plan({ method: 'DELETE', queryString });
const patch = (queryString: string, body = '{"name":"x"}') =>
  plan({ method: 'PATCH', queryString, body });
const post = (queryString: string, body = '{"name":"x"}') =>
  plan({ method: 'POST', queryString, body });

const touched = (write: WritePlan) => (write.kind === 'insert' ? '' : filterText(write.where));
const levelOf = ({ returning }: WritePlan) => {
  if (returning.kind !== 'rows') throw new Error('nothing is shown');
  return returning.rows.level;
};

describe('the rows that a write touches', () => {
  const cases = [
    ['a filter', 'id=eq.1', 'and(id eq)'],
    ['a computed column', 'full_name=eq.x', 'and(full_name(t) eq)'],
    ['an embed with !inner', 'select=moons!inner()&moons.id=eq.1', 'and(has moons)'],
    ['a null test of an embed', 'select=moons()&moons=is.null', 'and(not has moons)'],
    ['both', 'select=moons!inner()&id=eq.1', 'and(id eq, has moons)'],
  ] as const;
  test.each(cases)('%s', (_name, query, where) => {
    for (const write of [patch(query), remove(query)]) {
      expect(touched(write)).toBe(where);
      // What was touched is shown, whatever it refers to now.
      expect(filterText(levelOf(write).where)).toBe('and()');
      expect(write.kind !== 'insert' && isUnfiltered(write.where)).toBe(false);
    }
  });

  test('no filter is all of them', () => {
    const write = remove('select=id,moons(id)&moons.id=eq.1');
    expect(write.kind === 'delete' && isUnfiltered(write.where)).toBe(true);
  });
});

describe('the rows that a write shows', () => {
  test.each([
    ['select=id,moons(id)', 'id, moons=moons[id]'],
    ['select=full_name,nearest_moon(id)', 'full_name=full_name(t), nearest_moon=moons{id}'],
    ['', 'id, name, mass, found_at'],
  ])('%s', (query, outputs) => {
    for (const write of [post(query), patch(query), remove(query)]) {
      expect(outputsText(levelOf(write))).toBe(outputs);
    }
  });

  test('new rows without a row of an embed with !inner are not shown', () => {
    expect(filterText(levelOf(post('select=id,moons!inner(id)')).where)).toBe('and(has moons)');
  });

  test('names are resolved when nothing is shown', () => {
    const request = { method: 'DELETE', queryString: 'id=eq.1&select=nope', headers: {} } as const;
    expect(() => plan(request)).toThrow(expect.objectContaining({ code: 'PGRST204' }));
  });
});

describe('columns that a write names are real ones', () => {
  test.each([
    ['of the body', { method: 'POST', body: '{"full_name":"x"}' }],
    ['of columns', { method: 'POST', body: '{}', queryString: 'columns=full_name' }],
    ['of an update', { method: 'PATCH', body: '{"full_name":"x"}', queryString: 'id=eq.1' }],
    [
      'of on_conflict',
      {
        method: 'POST',
        body: '{}',
        queryString: 'on_conflict=full_name',
        headers: { prefer: 'resolution=merge-duplicates' },
      },
    ],
  ] as const)('%s', (_name, request) => {
    expect(() => plan(request)).toThrow(expect.objectContaining({ code: 'PGRST204' }));
  });
});

describe('in a batch', () => {
  const reference = { operation: 0, row: 0, column: 'id' };
  const place = (parts: Partial<BatchPlace>): BatchPlace => ({
    index: 3,
    isReferenced: false,
    references: [],
    matches: [],
    ...parts,
  });
  const insert = (parts: Partial<BatchPlace>) =>
    plan({ method: 'POST', body: '[{"name":null}]', place: place(parts) });

  test('rows are kept when a later operation refers to them', () => {
    expect(insert({ isReferenced: true }).keepsAs).toBe(3);
    expect(insert({}).keepsAs).toBeUndefined();
    expect(post('').keepsAs).toBeUndefined();
  });

  test('references of a body name columns', () => {
    const references = (column: string) => [{ row: 0, column, reference }];
    expect(insert({ references: references('name') })).toMatchObject({
      references: references('name'),
    });
    expect(() => insert({ references: references('full_name') })).toThrow(
      expect.objectContaining({ code: 'PGRST204' }),
    );
  });

  test('a match is a filter', () => {
    const matches = [{ column: 'id', reference }];
    const write = plan({ method: 'DELETE', place: place({ matches }) });
    expect(touched(write)).toBe('and(id equals-result)');
  });
});

test.each([
  { accept: 'application/vnd.pgrst.object+json', isSingle: true, explain: undefined },
  { accept: 'application/json', isSingle: false, explain: undefined },
  {
    accept:
      'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object+json"; options=verbose',
    isSingle: false,
    explain: { as: 'json', options: ['verbose'] },
  },
])('Accept: $accept', ({ accept, isSingle, explain }) => {
  const headers = { accept, prefer: 'return=representation,count=exact' };
  const write = plan({ method: 'DELETE', queryString: 'id=eq.1', headers });
  expect(write).toMatchObject({ checks: { isSingle }, showsTotal: explain === undefined });
  expect(write.explain).toEqual(explain);
});
