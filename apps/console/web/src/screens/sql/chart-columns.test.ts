import { expect, test } from 'vitest';

import { chartData, suggestChart } from './chart-columns.js';

const fieldsOf = (types: readonly string[]) =>
  types.map((type, index) => ({ name: `c${index}`, type }));

test.each([
  { name: 'times go to the right', types: ['int4', 'timestamptz', 'int8'], x: 1, y: [0, 2] },
  { name: 'then texts', types: ['numeric', 'text'], x: 1, y: [0] },
  { name: 'then the first number', types: ['int4', 'float8'], x: 0, y: [1] },
  { name: 'three at most', types: ['date', 'int4', 'int4', 'int4', 'int4'], x: 0, y: [1, 2, 3] },
])('$name', ({ types, x, y }) => {
  const kind = types.some((type) => type.startsWith('time') || type === 'date') ? 'lines' : 'bars';
  const rows = [types.map(() => '1')];
  expect(suggestChart({ fields: fieldsOf(types), rows })).toEqual({ x, y, kind });
});

test.each([
  { name: 'no rows', types: ['date', 'int4'], rows: [] },
  { name: 'no number', types: ['date', 'text'], rows: [['2026-01-01', 'a']] },
  { name: 'one column', types: ['int4'], rows: [['1']] },
])('$name draw nothing', ({ types, rows }) => {
  expect(suggestChart({ fields: fieldsOf(types), rows })).toBeUndefined();
});

test('times are put in order, by the zone that they have', () => {
  const rows = [
    ['1970-01-01 00:01:00+00', '2'],
    ['1970-01-01 01:00:30.5+01', '1'],
    [null, '3'],
  ];
  const data = chartData({ fields: fieldsOf(['timestamptz', 'int4']), rows }, pick(0, [1]));
  expect(data).toEqual({ xs: [30.5, 60], labels: undefined, isTime: true, ys: [[1, 2]] });
});

test.each([
  { type: 'date', text: '1970-01-02', seconds: 86_400 },
  { type: 'timestamp', text: '1970-01-01 00:00:01', seconds: 1 },
])('$type without a zone is UTC', ({ type, text, seconds }) => {
  const data = chartData({ fields: fieldsOf([type, 'int4']), rows: [[text, '1']] }, pick(0, [1]));
  expect(data.xs).toEqual([seconds]);
});

test('texts keep their order, and what is no number is a gap', () => {
  const rows = [
    ['b', '2', 'NaN'],
    ['a', null, '7'],
    [null, '1', '8'],
  ];
  const table = { fields: fieldsOf(['text', 'int4', 'numeric']), rows };
  expect(chartData(table, pick(0, [1, 2]))).toEqual({
    xs: [0, 1, 2],
    labels: ['b', 'a', 'null'],
    isTime: false,
    ys: [
      [2, null, 1],
      [null, 7, 8],
    ],
  });
});

function pick(x: number, y: readonly number[]) {
  return { x, y, kind: 'bars' as const };
}
